"""Somebody saw a missing pet, or has it; or thinks that a found one is theirs. The notice's filer is told at once.

The two then talk through the city: neither learns who the other is. What is said begins with a button; opening a page
is never taken for it.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.notices import AbuseKind, Holding, NoticeAbuse, NoticeKind, NoticeState, PetNotice, Sighting
from portal.schema.relays import Relay, RelayMessage, RelaySender
from portal.services.add_once import add_once
from portal.services.notices.letters import spoken_position, tell_holder, tell_holder_seen
from portal.services.notices.relay_letters import add_link, send_finder_the_link
from portal.services.notices.relay_matter import Matter
from portal.services.notices.rows import held_detail
from portal.services.notices.tell_found import FINDER
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs


@dataclass(frozen=True, kw_only=True)
class Words:
    """What somebody writes about a notice. A phone is here only if it is to be passed on."""

    text: str
    phone: str | None = None
    email: str | None = None
    is_suspicious: bool = False


# What they chose, where they wrote no words of their own.
IN_WORDS = {
    Holding.SIGHTED: "I saw it, and it went on.",
    Holding.FOLLOWING: "I see it now, and stay near.",
    Holding.HELD: "It is with me.",
}


@dataclass(frozen=True, kw_only=True)
class Seen:
    """Where and when it was seen, and whether they have it."""

    words: Words
    holding: Holding
    place: str
    latitude: float | None = None
    longitude: float | None = None
    seen_at: datetime
    confined_at: datetime | None = None


def tell_seen(session: Session, seen: Seen, *, reference: str, key: UUID, token: str, city: City, clock: Clock) -> None:
    """Put it on the owner's list and open the talk to whoever has `token`. The same form again tells nobody twice.

    Raises NotTheirs for a notice that is not shown.
    """
    notice = _shown(session, NoticeKind.LOST, reference)
    relay = _begun(session, notice, seen.words, key=key, token=token, confined_at=seen.confined_at, clock=clock)
    if relay is None:
        return
    words = replace(seen.words, text=seen.words.text or IN_WORDS[seen.holding])
    message = _first(session, relay, words, place=_where(seen), clock=clock)
    sighting = _sighted(session, notice, relay, seen, clock=clock)
    record_event(
        session,
        "notice.sighted",
        notice,
        actor=FINDER,
        reference=notice.reference,
        sighting=str(sighting.id),
        is_suspicious=sighting.is_suspicious,
        **held_detail(sighting),
    )
    tell_holder_seen(session, notice, sighting, message, city=city, clock=clock)
    send_finder_the_link(session, relay, Matter(notice=notice), clock=clock)


def write_about_found(session: Session, words: Words, *, reference: str, key: UUID, token: str, clock: Clock) -> None:
    """Somebody thinks that a found animal is theirs. Raises NotTheirs for a notice that is not shown."""
    notice = _shown(session, NoticeKind.FOUND, reference)
    relay = _begun(session, notice, words, key=key, token=token, confined_at=None, clock=clock)
    if relay is None:
        return
    message = _first(session, relay, words, place=None, clock=clock)
    record_event(
        session,
        "notice.claimed",
        notice,
        actor="somebody",
        reference=notice.reference,
        is_suspicious=words.is_suspicious,
    )
    tell_holder(session, notice, relay, message, clock=clock)
    send_finder_the_link(session, relay, Matter(notice=notice), clock=clock)


def complain_of_notice(
    session: Session, *, kind: NoticeKind, reference: str, what: AbuseKind, text: str, key: UUID, clock: Clock
) -> None:
    """Somebody says that it should not be there; the city looks. Raises NotTheirs for one that is not shown."""
    notice = _shown(session, kind, reference)
    told = insert(NoticeAbuse).values(id=key, notice_id=notice.id, kind=what, text=text, created_at=clock.now())
    added = session.connection().execute(
        told.on_conflict_do_nothing().inline().execution_options(preserve_rowcount=True)
    )
    if added.rowcount == 1:
        record_event(session, "notice.complained_of", notice, actor="somebody", reference=reference, what=what.value)


def _shown(session: Session, kind: NoticeKind, reference: str) -> PetNotice:
    wanted = select(PetNotice).where(
        PetNotice.reference == reference, PetNotice.kind == kind, PetNotice.state == NoticeState.SHOWN
    )
    notice = session.scalar(wanted)
    if notice is None:
        raise NotTheirs("No such notice")
    return notice


def _sighted(session: Session, notice: PetNotice, relay: Relay, seen: Seen, *, clock: Clock) -> Sighting:
    """On the owner's list, under the key of the talk."""
    sighting = Sighting(
        id=relay.id,
        notice_id=notice.id,
        holding=seen.holding,
        confined_at=seen.confined_at,
        seen_at=seen.seen_at,
        place_text=seen.place,
        latitude=seen.latitude,
        longitude=seen.longitude,
        is_suspicious=seen.words.is_suspicious,
        created_at=clock.now(),
    )
    session.add(sighting)
    session.flush()
    return sighting


def _begun(
    session: Session,
    notice: PetNotice,
    words: Words,
    *,
    key: UUID,
    token: str,
    confined_at: datetime | None,
    clock: Clock,
) -> Relay | None:
    """The talk; None when the same form began it before."""
    relay = add_once(
        session,
        Relay,
        id=key,
        notice_id=notice.id,
        finder_email=words.email,
        confined_at=confined_at,
        created_at=clock.now(),
    )
    if relay is not None:
        add_link(session, key, token)
    return relay


def _where(seen: Seen) -> str:
    """As typed, and where their phone was."""
    position = spoken_position(seen.latitude, seen.longitude)
    return f"{seen.place} ({position})" if position else seen.place


def _first(session: Session, relay: Relay, words: Words, *, place: str | None, clock: Clock) -> RelayMessage:
    message = RelayMessage(
        relay_id=relay.id,
        sender=RelaySender.FINDER,
        text=words.text,
        place=place,
        phone=words.phone,
        created_at=clock.now(),
    )
    session.add(message)
    session.flush()
    return message
