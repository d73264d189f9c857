"""Mailboxes that are not there: no more reminders go to them until somebody proves that one works."""

from sqlalchemy import ColumnElement, delete, exists
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.accounts import Account
from portal.schema.outbox import DeadMailbox, OutgoingMessage


def is_answering() -> ColumnElement[bool]:
    """Of an account: letters to its mailbox have not come back for good."""
    return ~exists().where(DeadMailbox.mailbox == Account.email_key)


def mark_dead(session: Session, message: OutgoingMessage, *, clock: Clock) -> None:
    """A letter to it came back for good. Whoever made a report is noted nowhere outside of it (13.44)."""
    if message.is_confidential:
        return
    known = insert(DeadMailbox).values(mailbox=message.recipient.strip().lower(), since=clock.now())
    session.execute(known.on_conflict_do_nothing(index_elements=[DeadMailbox.mailbox]))


def mark_alive(session: Session, *, mailbox_key: str) -> None:
    """Somebody read a code that was sent there."""
    session.execute(delete(DeadMailbox).where(DeadMailbox.mailbox == mailbox_key))
