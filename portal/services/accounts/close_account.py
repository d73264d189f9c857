"""Close the sign-in of a mailbox. What was sent is the city's official record and stays (Minn. Stat. 138.17).

Signing in with the same mailbox later opens the same record again: the mailbox is what proves who it is.
"""

from uuid import UUID

from sqlalchemy import update
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.accounts import Account
from portal.schema.drafts import Draft
from portal.schema.household import KeeperInvitation
from portal.services.accounts.change_email import end_sign_ins, give_up_email_change
from portal.services.messages.queue_message import queue_message
from portal.services.notices.change_notice import withdraw_notices_by
from portal.services.record_event import keeper, record_event


def close_account(session: Session, *, account_id: UUID, clock: Clock) -> None:
    """Sign out everywhere, stop reminders, take back invitations, forget what was begun and not sent. Twice is once."""
    account = session.get_one(Account, account_id, with_for_update=True, populate_existing=True)
    if account.closed_at:
        return
    account.closed_at = clock.now()
    session.flush()
    end_sign_ins(session, account_id, clock=clock)
    give_up_email_change(session, account_id=account_id, clock=clock)
    invited = update(KeeperInvitation).where(KeeperInvitation.invited_by == account_id)
    session.execute(
        invited.where(KeeperInvitation.accepted_at.is_(None), KeeperInvitation.withdrawn_at.is_(None)).values(
            withdrawn_at=clock.now()
        )
    )
    begun = update(Draft).where(Draft.account_id == account_id, Draft.submitted_at.is_(None))
    session.execute(begun.values(answers={}))
    withdraw_notices_by(session, account_id=account_id, actor=keeper(account.person_id), clock=clock)
    record_event(session, "account.closed", account, actor=keeper(account.person_id))
    queue_message(session, to=account.email, template="account_closed", context={}, at=clock.now())
