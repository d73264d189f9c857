"""Animals a keeper told us are gone."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.schema.animals import Animal, Keeper
from portal.schema.departures import Departure
from portal.services.refusal import NotTheirs

_PAST = (
    select(Animal, Departure)
    .join(Departure, Departure.animal_id == Animal.id)
    .join(Keeper, Keeper.animal_id == Animal.id)
    .where(Departure.undone_at.is_(None), Keeper.until.is_(None))
    .order_by(Departure.created_at.desc())
)


def past_animals(session: Session, *, person_id: UUID | None) -> list[tuple[Animal, Departure]]:
    """All of them, the latest first."""
    return [(animal, departure) for animal, departure in session.execute(_PAST.where(Keeper.person_id == person_id))]


def past_animal_of(session: Session, *, person_id: UUID | None, animal_id: UUID) -> tuple[Animal, Departure]:
    """One of them; raises NotTheirs."""
    found = session.execute(_PAST.where(Keeper.person_id == person_id, Animal.id == animal_id)).first()
    if found is None:
        raise NotTheirs("No such animal")
    animal, departure = found
    return animal, departure
