"""Accept a submission once: the same key again gets the same answer."""

from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.schema.drafts import Submission

# Keeps these locks apart from those of other subjects.
KEYS = 92


def claim_submission(session: Session, key: UUID, *, account_id: UUID) -> Submission | None:
    """None when the key is ours to use now; else the submission it was used for. A twin waits here for the first."""
    claimed = insert(Submission).values(key=key, account_id=account_id).on_conflict_do_nothing()
    if session.execute(claimed.returning(Submission.key)).first():
        return None
    mine = select(Submission).where(Submission.key == key, Submission.account_id == account_id)
    return session.scalars(mine).one()


def hold_key(session: Session, key: UUID) -> None:
    """Until the commit whoever sends the same form waits here, and then finds what came of it (R1).

    For what has the key of its form as its own, is asked for without an account, or by staff, and is looked up first.
    """
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(str(key), KEYS))))
