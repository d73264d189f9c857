"""Somebody read a tag and wrote to the people of the animal: the talk between them begins (90.11(B))."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.animals import Animal
from portal.schema.relays import Relay, RelayMessage, RelaySender
from portal.services.add_once import add_once
from portal.services.animals.find_tag import TagNumber, animal_of_tag
from portal.services.notices.relay_letters import add_link, send_finder_the_link, tell_keepers_found
from portal.services.notices.relay_matter import Matter
from portal.services.record_event import record_event

FINDER = "finder"


@dataclass(frozen=True, kw_only=True)
class Found:
    """What the finder says.

    A phone is here only if it is to be passed on; the path of their notice only if there is one that everybody sees.
    """

    text: str
    place: str | None
    phone: str | None
    email: str | None
    confined_at: datetime | None
    photo_key: str | None
    is_suspicious: bool
    notice_path: str | None = None


def tell_found(
    session: Session, found: Found, *, tag: TagNumber, key: UUID, token: str, city: City, clock: Clock
) -> Animal:
    """Tell the animal's people, and open the talk to whoever has `token`. The same form again tells nobody twice.

    Raises Refused for a number that leads to no animal, or to more than one.
    """
    animal = animal_of_tag(session, tag, clock=clock)
    tell_people_of(session, animal, found, label=tag.label, key=key, token=token, city=city, clock=clock)
    return animal


def tell_people_of(
    session: Session, animal: Animal, found: Found, *, label: str, key: UUID, token: str, city: City, clock: Clock
) -> None:
    """The same about an animal that is known already; `label` is the tag they read, empty for a chip."""
    relay = add_once(
        session,
        Relay,
        id=key,
        animal_id=animal.id,
        finder_email=found.email,
        confined_at=found.confined_at,
        created_at=clock.now(),
    )
    if relay is None:
        return
    add_link(session, relay.id, token)
    message = RelayMessage(
        relay_id=relay.id,
        sender=RelaySender.FINDER,
        text=found.text,
        place=found.place,
        phone=found.phone,
        photo_upload_key=found.photo_key,
        created_at=clock.now(),
    )
    session.add(message)
    session.flush()
    record_event(
        session,
        "tag.found",
        animal,
        actor=FINDER,
        relay=str(relay.id),
        tag=label,
        is_confined=found.confined_at is not None,
        is_suspicious=found.is_suspicious,
    )
    tell_keepers_found(
        session,
        relay,
        animal,
        message,
        tag=label,
        notice_path=found.notice_path,
        city=city,
        clock=clock,
    )
    send_finder_the_link(session, relay, Matter(animal), clock=clock)
    session.flush()
