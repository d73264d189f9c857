"""Keep a registration in progress, so that it can be left at any point and taken up on another device."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import and_, bindparam, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.database.connections import rows
from portal.schema.drafts import Draft
from portal.services.draft_answers import Registration, from_json, to_json

_OPEN = and_(Draft.account_id == bindparam("account"), Draft.submitted_at.is_(None))
ANSWERS = select(Draft.answers).where(_OPEN)
LOCKED = select(Draft.id, Draft.answers).where(_OPEN).with_for_update()
BEGIN = (
    insert(Draft)
    .values(account_id=bindparam("account"))
    .on_conflict_do_nothing(index_elements=[Draft.account_id], index_where=Draft.submitted_at.is_(None))
)
KEEP = update(Draft).where(Draft.id == bindparam("draft")).values(answers=bindparam("kept"), updated_at=bindparam("at"))
SUBMIT = update(Draft).where(Draft.id == bindparam("draft")).values(submitted_at=bindparam("at"))


@dataclass(frozen=True)
class OpenDraft:
    """A draft that nobody else can change before the transaction ends; nothing is kept in it when it was just made."""

    id: UUID
    kept: Registration | None


def draft_of(session: Session, *, account_id: UUID) -> Registration | None:
    """The account's registration in progress, if it has one."""
    found = rows(session, ANSWERS, {"account": account_id})
    return from_json(found[0].answers) if found else None


def open_draft(session: Session, *, account_id: UUID) -> OpenDraft:
    """The account's draft, locked, and made when there is none. Two devices writing at once take turns."""
    mine = {"account": account_id}
    found = rows(session, LOCKED, mine)
    if not found:
        session.execute(BEGIN, mine)
        found = rows(session, LOCKED, mine)
    [draft] = found
    return OpenDraft(draft.id, from_json(draft.answers) if draft.answers else None)


def keep(session: Session, draft: OpenDraft, registration: Registration, *, clock: Clock) -> None:
    """Save the answers so far."""
    values = {"draft": draft.id, "kept": to_json(registration), "at": clock.now()}
    session.connection().execute(KEEP, values)


def submit(session: Session, draft: OpenDraft, *, clock: Clock) -> None:
    """Nothing more is changed in it: it was sent."""
    session.connection().execute(SUBMIT, {"draft": draft.id, "at": clock.now()})
