"""Who signs in with a mailbox, as staff may learn it: by a function, since accounts are the portal's own."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock

OWNERS = text("SELECT * FROM portal.mailbox_owners(:mailbox, :moment)")


@dataclass(frozen=True)
class MailboxOwner:
    """An account, with the mailbox it has now and the one it is asked about."""

    account_id: UUID
    person_id: UUID | None
    email: str
    is_theirs_now: bool
    asked_email: str | None


def mailbox_owners(session: Session, mailbox: str, *, clock: Clock) -> list[MailboxOwner]:
    """Whoever has it, or had it before they proved another; closed ones are left out."""
    found = session.execute(OWNERS, {"mailbox": mailbox, "moment": clock.now()}).mappings()
    return [MailboxOwner(**row) for row in found]
