"""Whether an account wants reminders, and whether it has agreed to texts, in which words (TCPA, 47 U.S.C. 227).

Reminders can be stopped; letters that the law or a deed asks for (receipts, licenses, demands) go out regardless.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import and_, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.ordinance.texting import Answer, answer_in
from portal.schema.accounts import Account
from portal.schema.reminders import ReminderChoice
from portal.services.messages.queue_message import queue_text
from portal.services.refusal import Refused

# The words beside the box, by version. One that somebody agreed to is never changed: add another.
CONSENTS = {
    "2026-11": (
        "Text me when there is a reminder, or when somebody has found my pet. "
        "I agree that the {city} sends automated texts to this number, a few a year. "
        "It is not a condition of anything. Message and data rates may apply. Reply STOP to stop, HELP for help."
    )
}
CONSENT = "2026-11"
NO_PHONE = "Enter the phone number that we may text"

TEXTS_WANTED = and_(ReminderChoice.sms_consented_at.is_not(None), ReminderChoice.sms_stopped_at.is_(None))


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What an account wants: reminders at all, and texts to a phone (+13205550100)."""

    wants_reminders: bool = True
    wants_texts: bool = False
    phone: str | None = None


def choices_of(session: Session, *, account_id: UUID) -> Choices:
    """What it has chosen; reminders by letter until it chooses."""
    found = session.execute(
        select(ReminderChoice.stopped_at, TEXTS_WANTED.label("wants_texts"), ReminderChoice.sms_phone).where(
            ReminderChoice.account_id == account_id
        )
    ).first()
    if found is None:
        return Choices()
    return Choices(wants_reminders=found.stopped_at is None, wants_texts=found.wants_texts, phone=found.sms_phone)


def choose(session: Session, chosen: Choices, *, account_id: UUID, clock: Clock) -> None:
    """Keep a choice. Agreeing to texts, or to texts to another phone, is noted with its time and words, and confirmed.

    Raises Refused for texts without a phone.
    """
    if chosen.wants_texts and not chosen.phone:
        raise Refused([Refusal("47-CFR-64.1200", NO_PHONE, "phone")])
    before = choices_of(session, account_id=account_id)
    changes: dict[str, Any] = {}
    if chosen.wants_reminders != before.wants_reminders:
        changes["stopped_at"] = None if chosen.wants_reminders else clock.now()
    if chosen.wants_texts and (not before.wants_texts or chosen.phone != before.phone):
        changes |= {
            "sms_phone": chosen.phone,
            "sms_consented_at": clock.now(),
            "sms_consent_text": CONSENT,
            "sms_stopped_at": None,
        }
        queue_text(session, to=chosen.phone or "", template="agreed", at=clock.now())
    elif before.wants_texts and not chosen.wants_texts:
        changes["sms_stopped_at"] = clock.now()
    if changes:
        _keep(session, account_id, **changes)


def stop_reminders(session: Session, *, account_id: UUID, clock: Clock) -> None:
    """No reminders from now on, by letter or text; again changes nothing."""
    if choices_of(session, account_id=account_id).wants_reminders:
        _keep(session, account_id, stopped_at=clock.now())


def want_reminders(session: Session, *, account_id: UUID) -> None:
    """Take that back."""
    _keep(session, account_id, stopped_at=None)


def mailbox_of(session: Session, *, account_id: UUID) -> str | None:
    """Where an account's letters go; None when it is closed."""
    return session.scalar(select(Account.email).where(Account.id == account_id, Account.closed_at.is_(None)))


def wants_texts(session: Session, *, phone: str) -> bool:
    """Whether anybody has agreed to texts to this phone and nobody has stopped them since."""
    agreed = select(ReminderChoice.account_id).where(ReminderChoice.sms_phone == phone, TEXTS_WANTED)
    return session.scalar(agreed.limit(1)) is not None


def answer_text(session: Session, *, phone: str, text: str, may_reply: bool, clock: Clock) -> Answer | None:
    """Somebody answered a text: stop or start for every account with this phone, and say so where we may.

    Starting needs an agreement on record: a phone that never had one hears what HELP says.
    """
    meant = answer_in(text)
    reply = "help"
    if meant is Answer.STOP:
        _set_stopped(session, phone, clock.now())
        reply = "stopped"
    elif meant is Answer.START and _set_stopped(session, phone, None):
        reply = "agreed"
    if may_reply:
        queue_text(session, to=phone, template=reply, at=clock.now())
    return meant


def stop_texts(session: Session, *, phone: str, clock: Clock) -> bool:
    """No text will ever arrive at this phone; whether anybody had agreed to texts there."""
    return _set_stopped(session, phone, clock.now())


def _set_stopped(session: Session, phone: str, at: datetime | None) -> bool:
    """Stop texts to a phone, or take that back; whether anybody had agreed to them. A first STOP keeps its time."""
    agreed = update(ReminderChoice).where(
        ReminderChoice.sms_phone == phone, ReminderChoice.sms_consented_at.is_not(None)
    )
    kept = func.coalesce(ReminderChoice.sms_stopped_at, at) if at else None
    return bool(session.execute(agreed.values(sms_stopped_at=kept).returning(ReminderChoice.account_id)).all())


def _keep(session: Session, account_id: UUID, **changes: Any) -> None:
    kept = insert(ReminderChoice).values(account_id=account_id, **changes)
    session.execute(kept.on_conflict_do_update(index_elements=[ReminderChoice.account_id], set_=changes))
