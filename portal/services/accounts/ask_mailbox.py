"""Nothing arrives in somebody's mailbox any more: staff ask the new one they name, and it counts once that says yes.

The mailbox is the person, so nobody at the desk can give a record to one that has not proved itself. The old mailbox
says yes by the word of whoever asks, who has seen or spoken with its owner; it is told all the same.
"""

from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.schema.accounts import Account
from portal.services.accounts.change_email import LASTS, LINK, SAME
from portal.services.messages.queue_message import queue_message
from portal.services.record_event import record_event_about
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import new_token, token_hash
from portal.services.signing_in.mailbox_owners import mailbox_owners
from portal.services.signing_in.sign_in import email_key

ASK = text("SELECT portal.ask_new_mailbox(:account, :mailbox, :old_hash, :new_hash, :until, :moment)")
IN_USE = "Somebody signs in with this address already. If it is the same person, join the two records"


def mailbox_of(session: Session, account_id: UUID) -> tuple[str, UUID | None]:
    """The mailbox of an account, and whose record it opens; raises NotTheirs."""
    found = session.execute(select(Account.email, Account.person_id).where(Account.id == account_id)).first()
    if found is None:
        raise NotTheirs("There is no such account")
    return found.email, found.person_id


def ask_new_mailbox(session: Session, *, account_id: UUID, new_email: str, officer: str, clock: Clock) -> None:
    """Send the link to the new mailbox and tell the old one; an earlier change that was not finished is given up."""
    email, person_id = mailbox_of(session, account_id)
    mailbox, now = new_email.strip(), clock.now()
    if email_key(email) == email_key(mailbox):
        raise Refused([Refusal("e-mail", SAME, "new_email")])
    if any(owner.is_theirs_now for owner in mailbox_owners(session, mailbox, clock=clock)):
        raise Refused([Refusal("e-mail", IN_USE, "new_email")])
    token = new_token()
    asked = {
        "account": account_id,
        "mailbox": mailbox,
        # Nobody has the old mailbox's token: it has said yes already.
        "old_hash": token_hash(new_token()),
        "new_hash": token_hash(token),
        "until": now + LASTS,
        "moment": now,
    }
    if not session.scalar(ASK, asked):
        raise NotTheirs("There is no such account")
    record_event_about(session, "account.mailbox_asked", "account", account_id, actor=f"officer:{officer}")
    until = (clock.today() + LASTS).isoformat()
    context = {"path": LINK.format(token=token), "until": until}
    queue_message(
        session, to=mailbox, template="mailbox_asked", context=context, at=now, is_secret=True, asked_by=person_id
    )
    queue_message(session, to=email, template="mailbox_told", context={}, at=now)
