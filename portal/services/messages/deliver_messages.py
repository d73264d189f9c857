"""Deliver the letters that are due: claim one, send it with nothing open, then note what became of it.

A claim is a lease: the letter's next try is moved on, so that no other worker sends it meanwhile. A worker killed
before it could note what happened leaves the lease behind, and the letter goes out when that has passed: late rather
than never, and, if it had been handed over already, once more under the same Message-ID, which mail programs show once.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.gateways.mail.letter import MailboxRefused, MailRefused, one_line
from portal.gateways.texts.sending import TextRefused
from portal.ordinance.texting import is_decent
from portal.schema.outbox import Channel, OutgoingMessage
from portal.services.messages.dead_mailboxes import mark_dead
from portal.services.messages.queue_message import REMINDER_TEXT

# Longer than a mail server can keep a worker waiting in all.
LEASE = timedelta(minutes=5)
# After the last of these it is given up, two days after the first try.
GAPS = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=4),
    timedelta(hours=8),
    timedelta(hours=10),
    timedelta(hours=12),
    timedelta(hours=12),
)
# A code to sign in is of no use any more after half an hour. A link works for days, so its letter is tried like others.
CODES = frozenset({"sign_in", "staff_code"})
GAPS_OF_CODES = GAPS[:3]
LONGEST_ERROR = 200
# Letters that carry what a finder wrote to an animal's people. It is kept with their talk, and goes when that goes.
BETWEEN_PEOPLE = frozenset({"tag_found", "keepers_to_call", "notice_sighting", "notice_words"})


@dataclass(frozen=True)
class ClaimedMessage:
    """A message this worker alone may send until its lease is over."""

    id: UUID
    channel: Channel
    recipient: str
    template: str
    context: dict[str, Any]
    attempt: int


def claim_message(session: Session, *, city: City, clock: Clock) -> ClaimedMessage | None:
    """The next message that is due, codes to sign in first, then links; None when there is none. Commit before sending.

    A text that nobody waits for is not sent at night, also when it is tried again (64.1200(c)(1)).
    """
    now = clock.now()
    may_text = is_decent(now.astimezone(city.time_zone).time())
    waits_for_day = [] if may_text else [OutgoingMessage.template != REMINDER_TEXT]
    due = (
        select(OutgoingMessage)
        .where(
            OutgoingMessage.sent_at.is_(None),
            OutgoingMessage.failed_at.is_(None),
            OutgoingMessage.not_before <= now,
            *waits_for_day,
        )
        .order_by(
            OutgoingMessage.template.in_(CODES).desc(), OutgoingMessage.is_secret.desc(), OutgoingMessage.not_before
        )
        .limit(1)
    )
    message = session.scalar(due.with_for_update(skip_locked=True))
    if message is None:
        return None
    message.attempts += 1
    message.not_before = now + LEASE
    session.flush()
    return ClaimedMessage(
        message.id, message.channel, message.recipient, message.template, message.context, message.attempts
    )


def note_sent(session: Session, claimed: ClaimedMessage, *, clock: Clock) -> None:
    """The mail server took it. A secret is not kept."""
    message = _locked(session, claimed)
    message.sent_at = clock.now()
    message.last_error = None
    _forget(message)
    session.flush()


def note_failure(session: Session, claimed: ClaimedMessage, failure: Exception, *, clock: Clock) -> None:
    """It did not go out: try again later, or give up when it was refused for good or tried for long enough.

    Never sent back to `due` by a worker whose lease another has taken over meanwhile.
    """
    message = _locked(session, claimed)
    if message.sent_at or message.attempts != claimed.attempt:
        return
    gaps = GAPS_OF_CODES if message.template in CODES else GAPS
    if isinstance(failure, MailRefused | TextRefused) or claimed.attempt > len(gaps):
        give_up(message, failure, clock=clock)
        if isinstance(failure, MailboxRefused) and failure.is_dead:
            mark_dead(session, message, clock=clock)
    else:
        message.not_before = clock.now() + gaps[claimed.attempt - 1]
        message.last_error = _said(failure, is_kept=_is_kept(message))
    session.flush()


def give_up(message: OutgoingMessage, failure: Exception, *, clock: Clock) -> None:
    """It will not arrive. The desk is shown it and deals with it, unless it is none that the desk may know of."""
    message.failed_at = clock.now()
    message.handled_at = None if _is_for_the_desk(message) else message.failed_at
    message.last_error = _said(failure, is_kept=_is_kept(message))
    _forget(message)


def _locked(session: Session, claimed: ClaimedMessage) -> OutgoingMessage:
    return session.get_one(OutgoingMessage, claimed.id, with_for_update=True, populate_existing=True)


def _is_for_the_desk(message: OutgoingMessage) -> bool:
    """As `portal.failed_letters` shows them: a letter of no report, with no code and no link that signs in."""
    is_open = not message.is_secret or message.asked_by is not None
    return message.channel is Channel.EMAIL and is_open and not message.is_confidential


def _is_kept(message: OutgoingMessage) -> bool:
    return not message.is_secret and message.template not in BETWEEN_PEOPLE


def _forget(message: OutgoingMessage) -> None:
    """A secret is not kept once it went out, and neither is what people wrote to each other."""
    if not _is_kept(message):
        message.context = {}


def _said(failure: Exception, *, is_kept: bool) -> str:
    """What staff may read: a mail server can quote the letter, so of some only the kind of failure is kept."""
    kind = type(failure).__name__
    return one_line(f"{kind}: {failure}")[:LONGEST_ERROR] if is_kept else kind
