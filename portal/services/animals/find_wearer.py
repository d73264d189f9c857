"""From the chip or the tag that an animal wears to the registered animal it is: the one, or nobody."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.animals import Animal, AnimalState
from portal.services.animals.find_tag import TagNumber, animal_of_tag, read_tag_number
from portal.services.folding import chip
from portal.services.refusal import Refused

BY_CHIP, BY_TAG = "same microchip", "same tag"


def find_wearer(
    session: Session, *, species: str, microchip: str | None, tag: str | None, clock: Clock
) -> tuple[Animal, str] | None:
    """The one animal kept here with this chip, else with this tag, and which of them it was.

    Where there is any doubt it is nobody: an officer finds out.
    """
    number, read = chip(microchip), read_tag_number(tag or "")
    by_chip = animal_with_chip(session, number) if number else None
    animal = by_chip or (animal_with_tag(session, read, clock=clock) if read else None)
    if animal is None or animal.state is not AnimalState.KEPT or animal.species.value != species:
        return None
    return animal, BY_CHIP if by_chip else BY_TAG


def animal_with_chip(session: Session, number: str) -> Animal | None:
    """The one that lives and has this chip, its number folded; None also where two records claim it."""
    alive = Animal.state != AnimalState.DIED
    has_it = func.animal_control.mark(Animal.microchip) == number
    found = session.scalars(select(Animal).where(has_it, alive).limit(2)).all()
    return found[0] if len(found) == 1 else None


def animal_with_tag(session: Session, tag: TagNumber, *, clock: Clock) -> Animal | None:
    """The one that wears this tag; None where no dog does, or more than one may."""
    try:
        return animal_of_tag(session, tag, clock=clock)
    except Refused:
        return None
