"""Keep a registration in progress, so that it can be left at any point and taken up on another device."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.drafts import Draft
from portal.services.draft_answers import Registration, from_json, to_json


def draft_of(session: Session, *, account_id: UUID) -> Registration | None:
    """The account's registration in progress, if it has one."""
    mine = select(Draft.answers).where(Draft.account_id == account_id, Draft.submitted_at.is_(None))
    answers = session.scalar(mine)
    return None if answers is None else from_json(answers)


def open_draft(session: Session, *, account_id: UUID) -> Draft:
    """The account's draft row, locked, and made when there is none. Two devices writing at once take turns."""
    session.execute(
        insert(Draft)
        .values(account_id=account_id)
        .on_conflict_do_nothing(index_elements=[Draft.account_id], index_where=Draft.submitted_at.is_(None))
    )
    mine = select(Draft).where(Draft.account_id == account_id, Draft.submitted_at.is_(None))
    return session.scalars(mine.with_for_update()).one()


def keep(session: Session, draft: Draft, registration: Registration, *, clock: Clock) -> None:
    """Save the answers so far."""
    draft.answers = to_json(registration)
    draft.updated_at = clock.now()
    session.flush()
