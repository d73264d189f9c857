"""A closed account is opened again by whoever proves its mailbox: the record is still there (Minn. Stat. 138.17)."""

from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.accounts import Account
from portal.services.messages.queue_message import queue_message
from portal.services.record_event import keeper, record_event


def open_again(session: Session, account: Account, *, clock: Clock) -> None:
    """Whoever proves the mailbox of a closed account has their record again, and is told."""
    account.closed_at = None
    session.flush()
    record_event(session, "account.opened_again", account, actor=keeper(account.person_id))
    queue_message(session, to=account.email, template="account_opened_again", context={"path": "/me"}, at=clock.now())
