"""Change the mailbox of an account. It counts once the old and the new mailbox have both said yes (90.04(B)(2)).

Asking looks the same whether or not the new mailbox has an account of its own. Only whoever opens the link sent to that
mailbox, and so reads its mail, is told that it has one.
"""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import Select, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.schema.accounts import Account, SignIn
from portal.schema.household import EmailChange
from portal.schema.people import Person
from portal.services.clinics.staff import clinics_filed_for, follow_mailbox
from portal.services.messages.queue_message import queue_message
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import new_token, token_hash
from portal.services.signing_in.sign_in import email_key

LASTS = timedelta(days=2)
LINK = "/me/email/{token}"
SAME = "This is your e-mail address already. Enter the new one"
IN_USE = "This change can’t be made here. Call the police department: a person can put it right"


@dataclass(frozen=True)
class ChangeSeen:
    """A change as the link to one of its two mailboxes shows it."""

    account_id: UUID
    old_email: str
    new_email: str
    is_new_mailbox: bool
    is_confirmed_here: bool
    has_own_account: bool
    """The new mailbox signs in to another record. Told to that mailbox alone."""
    clinics: tuple[str, ...]
    """For these the old mailbox files certificates, and the new one will in its place."""


def ask_for_email_change(session: Session, *, account_id: UUID, new_email: str, clock: Clock) -> None:
    """Send a link to each of the two mailboxes; an earlier change that was not finished is given up."""
    account = session.get_one(Account, account_id, with_for_update=True, populate_existing=True)
    if account.email_key == email_key(new_email):
        raise Refused([Refusal("e-mail", SAME, "new_email")])
    _give_up(session, account_id, clock=clock)
    old_token, new_token_ = new_token(), new_token()
    change = EmailChange(
        account_id=account_id,
        new_email=new_email.strip(),
        old_token_hash=token_hash(old_token),
        new_token_hash=token_hash(new_token_),
        expires_at=clock.now() + LASTS,
    )
    session.add(change)
    session.flush()
    for email, token, template in (
        (account.email, old_token, "email_change_old"),
        (change.new_email, new_token_, "email_change_new"),
    ):
        context = {"path": LINK.format(token=token), "until": (clock.today() + LASTS).isoformat()}
        queue_message(
            session,
            to=email,
            template=template,
            context=context,
            at=clock.now(),
            is_secret=True,
            asked_by=account.person_id,
        )


def give_up_email_change(session: Session, *, account_id: UUID, clock: Clock) -> None:
    """The old mailbox stays, and neither link opens anything."""
    session.get_one(Account, account_id, with_for_update=True)
    _give_up(session, account_id, clock=clock)


def email_change_of(session: Session, *, account_id: UUID, clock: Clock) -> EmailChange | None:
    """The change that waits for its mailboxes, if there is one."""
    return session.scalar(_open(clock).where(EmailChange.account_id == account_id))


def look_at_email_change(session: Session, *, token: str, clock: Clock) -> ChangeSeen | None:
    """What a link shows; None when it opens nothing. Looking confirms nothing: mail scanners open links too."""
    change = session.scalar(_of_token(token, clock))
    if change is None:
        return None
    account = session.get_one(Account, change.account_id)
    is_new = change.new_token_hash == token_hash(token)
    return ChangeSeen(
        account_id=account.id,
        old_email=account.email,
        new_email=change.new_email,
        is_new_mailbox=is_new,
        is_confirmed_here=(change.new_confirmed_at if is_new else change.old_confirmed_at) is not None,
        has_own_account=is_new and _is_taken(session, change),
        clinics=tuple(clinics_filed_for(session, email=account.email)),
    )


def confirm_email_change(session: Session, *, token: str, clock: Clock, stays: str | None = None) -> bool:
    """One mailbox says yes; whether that made the change. Then every sign-in ends but the browser's with token `stays`.

    Raises NotTheirs for a link that opens nothing, Refused when the new mailbox has become another account's.
    """
    account_id = session.scalar(_of_token(token, clock).with_only_columns(EmailChange.account_id))
    if account_id is None:
        raise NotTheirs("No such change")
    account = session.get_one(Account, account_id, with_for_update=True, populate_existing=True)
    change = session.scalar(_of_token(token, clock).with_for_update())
    if change is None:
        raise NotTheirs("No such change")
    if change.new_token_hash == token_hash(token):
        change.new_confirmed_at = change.new_confirmed_at or clock.now()
    else:
        change.old_confirmed_at = change.old_confirmed_at or clock.now()
    if not (change.old_confirmed_at and change.new_confirmed_at):
        session.flush()
        return False
    _take_effect(session, account, change, stays=stays, clock=clock)
    return True


def end_sign_ins(session: Session, account_id: UUID, *, clock: Clock, stays: str | None = None) -> None:
    """Sign every browser out but the one whose token is `stays`."""
    live = update(SignIn).where(SignIn.account_id == account_id, SignIn.ended_at.is_(None))
    if stays:
        live = live.where(SignIn.token_hash != token_hash(stays))
    session.execute(live.values(ended_at=clock.now()))


def _take_effect(session: Session, account: Account, change: EmailChange, *, stays: str | None, clock: Clock) -> None:
    old_email = account.email
    try:
        with session.begin_nested():
            account.email, account.email_key = change.new_email, email_key(change.new_email)
            session.flush()
    except IntegrityError as taken:
        raise Refused([Refusal("e-mail", IN_USE)]) from taken
    change.old_email, change.ended_at = old_email, clock.now()
    person = session.get(Person, account.person_id, with_for_update=True) if account.person_id else None
    if person:
        person.email = change.new_email
        record_event(session, "person.changed", person, actor=keeper(person.id), changed=["email"])
    session.flush()
    context = {"path": "/sign-in", "clinics": clinics_filed_for(session, email=old_email)}
    actor = keeper(account.person_id)
    follow_mailbox(session, old_email=old_email, new_email=change.new_email, actor=actor, clock=clock)
    end_sign_ins(session, account.id, clock=clock, stays=stays)
    for email in (old_email, change.new_email):
        queue_message(session, to=email, template="email_changed", context=context, at=clock.now())


def _give_up(session: Session, account_id: UUID, *, clock: Clock) -> None:
    standing = update(EmailChange).where(EmailChange.account_id == account_id, EmailChange.ended_at.is_(None))
    session.execute(standing.values(ended_at=clock.now()))


def _is_taken(session: Session, change: EmailChange) -> bool:
    other = select(Account.id).where(Account.email_key == email_key(change.new_email), Account.id != change.account_id)
    return session.scalar(other) is not None


def _open(clock: Clock) -> Select[EmailChange]:
    return select(EmailChange).where(EmailChange.ended_at.is_(None), EmailChange.expires_at > clock.now())


def _of_token(token: str, clock: Clock) -> Select[EmailChange]:
    hashed = token_hash(token)
    return _open(clock).where(or_(EmailChange.old_token_hash == hashed, EmailChange.new_token_hash == hashed))
