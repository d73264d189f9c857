"""The microchips of somebody's animals, so that one number in two of them is noticed where it is typed."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.schema.animals import Animal, AnimalState, Keeper
from portal.services.folding import chip


def chips_of(session: Session, *, person_id: UUID | None, besides: UUID | None = None) -> dict[str, str]:
    """The numbers of the animals this person keeps, folded, each with its animal's name; without the one `besides`."""
    theirs = (
        select(Animal.microchip, Animal.name)
        .join(Keeper, Keeper.animal_id == Animal.id)
        .where(Keeper.person_id == person_id, Keeper.until.is_(None))
        .where(Animal.state == AnimalState.KEPT, Animal.microchip.is_not(None), Animal.id != besides)
        .order_by(Animal.created_at)
    )
    return {number: name for typed, name in session.execute(theirs) if (number := chip(typed))}
