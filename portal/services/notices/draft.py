"""A notice that is not sent yet, found by the browser's secret alone (F1)."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.notices_private import NoticeDraft
from portal.services.notices.in_progress import BegunNotice, NoticePhoto
from portal.services.plain_values import plain_values
from portal.services.secrets import token_hash

DRAFT_LASTS = timedelta(days=7)


@dataclass(frozen=True)
class Draft:
    """The answers and the picture so far."""

    begun: BegunNotice
    photo: NoticePhoto | None = None


def keep_notice_draft(session: Session, *, token: str, draft: Draft, clock: Clock) -> None:
    """Keep it for a week from now; `token` is the browser's secret."""
    plain, now = plain_values(), clock.now()
    changing = {
        "answers": plain.unstructure(draft.begun),
        "photo": plain.unstructure(draft.photo) if draft.photo else None,
        "updated_at": now,
        "expires_at": now + DRAFT_LASTS,
    }
    kept = insert(NoticeDraft).values(token_hash=token_hash(token), created_at=now, **changing)
    session.execute(kept.on_conflict_do_update(index_elements=[NoticeDraft.token_hash], set_=changing))


def read_notice_draft(session: Session, *, token: str, clock: Clock) -> Draft | None:
    """What was kept; None when there is nothing, or when it is too old."""
    wanted = select(NoticeDraft.answers, NoticeDraft.photo).where(
        NoticeDraft.token_hash == token_hash(token), NoticeDraft.expires_at > clock.now()
    )
    row = session.execute(wanted).first()
    if row is None:
        return None
    plain = plain_values()
    return Draft(plain.structure(row[0], BegunNotice), plain.structure(row[1], NoticePhoto) if row[1] else None)
