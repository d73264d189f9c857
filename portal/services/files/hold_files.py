"""While a backup is made, no file is let go: a row that the backup holds may mention it.

A backup takes a lock before it looks at the database, and keeps it until the last file is copied. Whoever lets a file
go asks for the same lock once the row that mentioned it is gone. Got it: no backup has begun, and one that begins now
does not see the row. Refused: the file stays, and a later sweep finds it.
"""

from sqlalchemy import text
from sqlalchemy.orm import Session

HOLD = text("SELECT pg_try_advisory_xact_lock(9002)")
ASK = text("SELECT pg_try_advisory_xact_lock_shared(9002)")


def hold_files(session: Session) -> bool:
    """Have every file kept until this transaction ends; false while another backup is made or a file is let go."""
    return bool(session.scalar(HOLD))


def may_let_files_go(session: Session) -> bool:
    """Whether files that no row mentions any more may be deleted."""
    return bool(session.scalar(ASK))
