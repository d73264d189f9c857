"""A talk as each of its two sides sees it. Nothing here joins to a person: what is not read can't be shown."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.animals import Animal, Keeper
from portal.schema.notices import PetNotice
from portal.schema.relays import Relay, RelayLink, RelayMessage, RelaySender
from portal.services.notices.holder import holder_of
from portal.services.notices.relay_letters import reaches
from portal.services.notices.relay_matter import Matter
from portal.services.refusal import NotTheirs
from portal.services.secrets import token_hash

# After that no side opens it; what was said is swept away later.
LASTS = timedelta(days=30)


@dataclass(frozen=True)
class Said:
    """One message of a talk."""

    id: UUID
    sender: RelaySender
    text: str
    place: str | None
    phone: str | None
    photo_key: str | None
    at: datetime


@dataclass(frozen=True)
class Talk:
    """A talk and what was said in it, oldest first."""

    id: UUID
    animal: str
    animal_id: UUID | None
    notice_id: UUID | None
    other: str
    is_found: bool
    confined_at: datetime | None
    closed_at: datetime | None
    begun_at: datetime
    messages: tuple[Said, ...]

    def photo_key(self, message_id: UUID) -> str:
        """Where the picture of a message lies; raises NotTheirs."""
        found = next((said.photo_key for said in self.messages if said.id == message_id), None)
        if found is None:
            raise NotTheirs("No such picture")
        return found


def talk_of_finder(session: Session, *, token: str, clock: Clock) -> Talk | None:
    """The talk a finder's link opens; None for a wrong one and for one that is over: they can't be told apart."""
    found = session.execute(finders_relay(token, clock)).first()
    return _talk(session, found[0], Matter(found[1], found[2])) if found else None


def talk_of_keeper(session: Session, *, person_id: UUID | None, animal_id: UUID, relay_id: UUID, clock: Clock) -> Talk:
    """A talk about an animal this person keeps; raises NotTheirs."""
    found = session.execute(keepers_relays(person_id, animal_id, clock).where(Relay.id == relay_id)).first()
    if found is None:
        raise NotTheirs("No such talk")
    return _talk(session, found[0], Matter(found[1]))


def talk_of_notice(session: Session, *, notice: PetNotice, relay_id: UUID, clock: Clock) -> Talk:
    """A talk that began with this notice, for whoever filed it; raises NotTheirs."""
    relay = session.scalar(notice_relays(notice.id, clock).where(Relay.id == relay_id))
    if relay is None:
        raise NotTheirs("No such talk")
    return _talk(session, relay, Matter(notice=notice))


def talks_of_keeper(session: Session, *, person_id: UUID | None, animal_id: UUID, clock: Clock) -> list[Relay]:
    """The talks about an animal this person keeps, newest first."""
    wanted = keepers_relays(person_id, animal_id, clock).order_by(Relay.created_at.desc(), Relay.id).limit(50)
    return [relay for relay, _ in session.execute(wanted)]


def are_told(session: Session, talk: Talk) -> bool:
    """Whether a letter reaches anybody on the other side."""
    if talk.notice_id:
        return holder_of(session, talk.notice_id).email is not None
    return any(keeper.email for keeper in reaches(session, talk.animal_id, since=talk.begun_at))


def finders_relay(token: str, clock: Clock) -> Select[Relay, Animal, PetNotice]:
    """The talk behind a link; it is about the one or the other."""
    return (
        select(Relay, Animal, PetNotice)
        .outerjoin(Animal, Animal.id == Relay.animal_id)
        .outerjoin(PetNotice, PetNotice.id == Relay.notice_id)
        .join(RelayLink, RelayLink.relay_id == Relay.id)
        .where(RelayLink.token_hash == token_hash(token), Relay.created_at > clock.now() - LASTS)
    )


def keepers_relays(person_id: UUID | None, animal_id: UUID, clock: Clock) -> Select[Relay, Animal]:
    """The talks that began while this person kept the animal; a new owner does not read what was told to the old."""
    return (
        select(Relay, Animal)
        .join(Animal, Animal.id == Relay.animal_id)
        .join(Keeper, Keeper.animal_id == Animal.id)
        .where(
            Animal.id == animal_id,
            Keeper.person_id == person_id,
            Keeper.until.is_(None),
            Keeper.since <= Relay.created_at,
            Relay.created_at > clock.now() - LASTS,
        )
    )


def notice_relays(notice_id: UUID, clock: Clock) -> Select[Relay]:
    """The talks that began with a notice."""
    return select(Relay).where(Relay.notice_id == notice_id, Relay.created_at > clock.now() - LASTS)


def _talk(session: Session, relay: Relay, matter: Matter) -> Talk:
    wanted = (
        select(RelayMessage).where(RelayMessage.relay_id == relay.id).order_by(RelayMessage.created_at, RelayMessage.id)
    )
    messages = tuple(
        Said(one.id, one.sender, one.text, one.place, one.phone, one.photo_upload_key, one.created_at)
        for one in session.scalars(wanted)
    )
    return Talk(
        id=relay.id,
        animal=matter.name,
        animal_id=relay.animal_id,
        notice_id=relay.notice_id,
        other=matter.other,
        is_found=matter.is_found,
        confined_at=relay.confined_at,
        closed_at=relay.closed_at,
        begun_at=relay.created_at,
        messages=messages,
    )
