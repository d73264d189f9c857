"""Lost and found notices as rows, for tests of what becomes of them."""

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from portal.schema.notices import Holding, NoticeKind, NoticeSpecies, NoticeState, PetNotice
from portal.schema.notices_private import NoticeLink, NoticePrivate
from portal.services.secrets import token_hash
from tests.support.database import Database

LAST_NIGHT = datetime(2026, 11, 30, 3, 30, tzinfo=UTC)
OPEN = (NoticeState.CHECKING, NoticeState.SHOWN)


def notice(
    database: Database,
    reference: str = "4K7PQ-XRM2T",
    *,
    account_id: UUID | None = None,
    link: str = "",
    apart: dict[str, Any] | None = None,
    **values: Any,
) -> PetNotice:
    """A notice in the database: of Pepper, a gray dog that is missing, unless `values` say otherwise.

    It is an account's, or of whoever has the `link`; `apart` is what else is withheld of it.
    """
    kind, state = values.get("kind", NoticeKind.LOST), values.get("state", NoticeState.SHOWN)
    usual: dict[str, Any] = {
        "kind": kind,
        "state": state,
        "species": NoticeSpecies.DOG,
        "name": "Pepper" if kind is NoticeKind.LOST else "",
        "color": "gray and white",
        "wears": "a red collar",
        "place_text": "13th Street and Idaho Avenue",
        "happened_on": date(2026, 11, 29),
        "happened_at": LAST_NIGHT,
        "holding": Holding.SIGHTED if kind is NoticeKind.FOUND else None,
        "closed_at": None if state in OPEN else datetime(2026, 11, 30, 15, tzinfo=UTC),
    }
    with Session(database.engine, expire_on_commit=False) as session, session.begin():
        row = PetNotice(reference=reference, **usual | values)
        session.add(row)
        session.flush()
        session.add(NoticePrivate(notice_id=row.id, account_id=account_id, **(apart or {})))
        if link:
            session.add(NoticeLink(token_hash=token_hash(link), notice_id=row.id))
    return row
