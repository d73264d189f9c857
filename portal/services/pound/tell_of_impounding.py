"""Write to the keepers of an animal that is at the pound, once, and as soon as it is known whose it is (90.07(B)).

The law's notice is personal or by mail, and an officer gives it; this is a courtesy that comes sooner. City software
may have written the row, so its chip and tag are looked up here.
"""

from datetime import date
from uuid import UUID

from sqlalchemy import exists, select, tuple_
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.animals import Animal
from portal.schema.impoundments import Impoundment
from portal.services.animals.find_wearer import find_wearer
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.pound.at_the_pound import ON_SHOW
from portal.services.pound.reclaiming import reclaiming
from portal.services.record_event import SYSTEM, record_event

Turn = tuple[date, UUID]


def stays_to_tell_of(session: Session, *, after: Turn | None = None, limit: int = 100) -> list[Turn]:
    """Stays whose keepers were not written to, also those that nobody knows the keepers of yet."""
    waiting = (
        select(Impoundment.seized_on, Impoundment.id)
        .where(
            *ON_SHOW,
            Impoundment.keepers_written_at.is_(None),
        )
        .order_by(Impoundment.seized_on, Impoundment.id)
        .limit(limit)
    )
    if after:
        waiting = waiting.where(tuple_(Impoundment.seized_on, Impoundment.id) > after)
    return [(seized_on, key) for seized_on, key in session.execute(waiting)]


def tell_of_stay(session: Session, impoundment_id: UUID, *, city: City, clock: Clock) -> None:
    """Write to the keepers if it is known whose it is. A second time changes nothing."""
    stay = session.get_one(Impoundment, impoundment_id, with_for_update=True)
    if stay.keepers_written_at is not None or stay.left_on is not None:
        return
    if stay.animal_id is None and (found := _wearer(session, stay, clock=clock)):
        stay.animal_id = found.id
        session.flush()
        record_event(session, "impoundment.identified", stay, actor=SYSTEM, animal_id=str(found.id))
    if stay.animal_id is None:
        return
    kept_through = reclaiming(stay.seized_on, needs_license=False, city=city, on=clock.today()).kept_through
    animal = session.get_one(Animal, stay.animal_id)
    context = {
        "species": animal.species.value,
        "kept_through": kept_through.isoformat() if kept_through else None,
        "path": f"/dogs/{animal.id}/pound",
    }
    tell_keepers(session, animal, template="at_the_pound", context=context, clock=clock)
    stay.keepers_written_at = clock.now()
    session.flush()


def _wearer(session: Session, stay: Impoundment, *, clock: Clock) -> Animal | None:
    """The one animal with this chip, else with this tag, unless it is at the pound already by another record."""
    found = find_wearer(session, species=stay.species, microchip=stay.microchip, tag=stay.tag_text, clock=clock)
    if found is None:
        return None
    animal, _ = found
    is_there = exists().where(Impoundment.animal_id == animal.id, Impoundment.left_on.is_(None))
    return None if session.scalar(select(is_there)) else animal
