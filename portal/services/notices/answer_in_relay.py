"""Write in a talk, or end it, as either of its sides."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.notices import PetNotice
from portal.schema.relays import Relay, RelayMessage, RelaySender
from portal.services.add_once import add_once
from portal.services.notices.letters import HOLDER, tell_holder
from portal.services.notices.relay_letters import tell_finder, tell_finder_it_is_home, tell_keepers_found
from portal.services.notices.relay_matter import Matter
from portal.services.notices.relay_talk import finders_relay, keepers_relays, notice_relays
from portal.services.notices.tell_found import FINDER
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused

IS_OVER = "This talk has ended, so nothing more can be written in it"


@dataclass(frozen=True, kw_only=True)
class Words:
    """What one side writes. A phone is here only if it is to be passed on."""

    text: str
    phone: str | None = None
    photo_key: str | None = None


def answer_as_finder(session: Session, words: Words, *, token: str, key: UUID, city: City, clock: Clock) -> None:
    """Write to the keepers; raises NotTheirs, or Refused when the talk is over."""
    relay, matter = _finders(session, token, clock)
    message = _added(session, relay, words, sender=RelaySender.FINDER, key=key, clock=clock)
    if message and matter.animal:
        tell_keepers_found(session, relay, matter.animal, message, tag=None, city=city, clock=clock)
    elif message and matter.notice:
        tell_holder(session, matter.notice, relay, message, clock=clock)


def answer_as_keeper(
    session: Session,
    words: Words,
    *,
    person_id: UUID | None,
    animal_id: UUID,
    relay_id: UUID,
    key: UUID,
    clock: Clock,
) -> None:
    """Write to the finder; raises NotTheirs, or Refused when the talk is over."""
    relay, matter = _keepers(session, person_id, animal_id, relay_id, clock)
    _answer(session, relay, matter, words, key=key, clock=clock)


def answer_as_holder(
    session: Session, words: Words, *, notice: PetNotice, relay_id: UUID, key: UUID, clock: Clock
) -> None:
    """Write back, as whoever filed the notice; raises NotTheirs, or Refused when the talk is over."""
    relay, matter = _holders(session, notice, relay_id, clock)
    _answer(session, relay, matter, words, key=key, clock=clock)


def end_as_finder(session: Session, *, token: str, clock: Clock) -> None:
    """The finder wants no more of it; raises NotTheirs."""
    relay, matter = _finders(session, token, clock)
    _end(session, relay, matter, actor=FINDER, clock=clock)


def end_as_keeper(
    session: Session, *, person_id: UUID | None, animal_id: UUID, relay_id: UUID, is_home: bool, clock: Clock
) -> None:
    """The animal is home, and the finder is thanked; or it was a nuisance, and nobody is. Raises NotTheirs."""
    relay, matter = _keepers(session, person_id, animal_id, relay_id, clock)
    if _end(session, relay, matter, actor=keeper(person_id), clock=clock) and is_home:
        tell_finder_it_is_home(session, relay, matter, clock=clock)


def end_as_holder(session: Session, *, notice: PetNotice, relay_id: UUID, clock: Clock) -> None:
    """Whoever filed the notice wants no more of it, and nobody is written to; raises NotTheirs."""
    relay, matter = _holders(session, notice, relay_id, clock)
    _end(session, relay, matter, actor=HOLDER, clock=clock)


def end_all(session: Session, notice: PetNotice, *, is_home: bool, clock: Clock) -> None:
    """The notice is over: so is each of its talks, and who helped is thanked once it is home."""
    matter = Matter(notice=notice)
    for relay in session.scalars(notice_relays(notice.id, clock).order_by(Relay.id).with_for_update()).all():
        if _end(session, relay, matter, actor=HOLDER, clock=clock) and is_home:
            tell_finder_it_is_home(session, relay, matter, clock=clock)


def _answer(session: Session, relay: Relay, matter: Matter, words: Words, *, key: UUID, clock: Clock) -> None:
    if message := _added(session, relay, words, sender=RelaySender.KEEPER, key=key, clock=clock):
        tell_finder(session, relay, matter, message, clock=clock)


def _finders(session: Session, token: str, clock: Clock) -> tuple[Relay, Matter]:
    found = session.execute(finders_relay(token, clock).with_for_update(of=Relay)).first()
    if found is None:
        raise NotTheirs("No such talk")
    return found[0], Matter(found[1], found[2])


def _keepers(
    session: Session, person_id: UUID | None, animal_id: UUID, relay_id: UUID, clock: Clock
) -> tuple[Relay, Matter]:
    mine = keepers_relays(person_id, animal_id, clock).where(Relay.id == relay_id)
    found = session.execute(mine.with_for_update(of=Relay)).first()
    if found is None:
        raise NotTheirs("No such talk")
    return found[0], Matter(found[1])


def _holders(session: Session, notice: PetNotice, relay_id: UUID, clock: Clock) -> tuple[Relay, Matter]:
    relay = session.scalar(notice_relays(notice.id, clock).where(Relay.id == relay_id).with_for_update())
    if relay is None:
        raise NotTheirs("No such talk")
    return relay, Matter(notice=notice)


def _added(
    session: Session, relay: Relay, words: Words, *, sender: RelaySender, key: UUID, clock: Clock
) -> RelayMessage | None:
    """The message; None when the same form was sent before, though the talk may have ended since."""
    if (earlier := session.get(RelayMessage, key)) is not None and earlier.relay_id == relay.id:
        return None
    if relay.closed_at:
        raise Refused([Refusal(Rule.FOUND_ANIMAL, IS_OVER)])
    return add_once(
        session,
        RelayMessage,
        id=key,
        relay_id=relay.id,
        sender=sender,
        text=words.text,
        phone=words.phone,
        photo_upload_key=words.photo_key,
        created_at=clock.now(),
    )


def _end(session: Session, relay: Relay, matter: Matter, *, actor: str, clock: Clock) -> bool:
    """Whether it ended now; ending it twice ends it once."""
    if relay.closed_at:
        return False
    relay.closed_at = clock.now()
    what = "tag.talk_ended" if matter.animal else "notice.talk_ended"
    record_event(session, what, matter.row, actor=actor, relay=str(relay.id))
    session.flush()
    return True
