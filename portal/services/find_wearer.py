"""From the chip or the tag that an animal wears to the registered animal it is: the one, or nobody."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.animals import Animal, AnimalState
from portal.services.find_tag import animal_of_tag, read_tag_number
from portal.services.folding import chip
from portal.services.refusal import Refused

BY_CHIP, BY_TAG = "same microchip", "same tag"


def find_wearer(
    session: Session, *, species: str, microchip: str | None, tag: str | None, clock: Clock
) -> tuple[Animal, str] | None:
    """The one animal kept here with this chip, else with this tag, and which of them it was.

    Where there is any doubt it is nobody: an officer finds out.
    """
    by_chip = _with_chip(session, chip(microchip))
    animal = by_chip or _with_tag(session, tag, clock=clock)
    if animal is None or animal.state is not AnimalState.KEPT or animal.species.value != species:
        return None
    return animal, BY_CHIP if by_chip else BY_TAG


def _with_chip(session: Session, number: str | None) -> Animal | None:
    if number is None:
        return None
    found = session.scalars(select(Animal).where(func.animal_control.mark(Animal.microchip) == number).limit(2)).all()
    return found[0] if len(found) == 1 else None


def _with_tag(session: Session, typed: str | None, *, clock: Clock) -> Animal | None:
    tag = read_tag_number(typed or "")
    try:
        return animal_of_tag(session, tag, clock=clock) if tag else None
    except Refused:  # no dog wears it, or more than one may
        return None
