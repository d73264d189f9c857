"""Accept a submission once: the same key again gets the same answer."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.schema.drafts import Submission


def claim_submission(session: Session, key: UUID, *, account_id: UUID) -> Submission | None:
    """None when the key is ours to use now; else the submission it was used for. A twin waits here for the first."""
    claimed = insert(Submission).values(key=key, account_id=account_id).on_conflict_do_nothing()
    if session.execute(claimed.returning(Submission.key)).first():
        return None
    mine = select(Submission).where(Submission.key == key, Submission.account_id == account_id)
    return session.scalars(mine).one()
