"""Who keeps an animal now (90.03 OWNER): one of theirs, locked; and whoever has kept it longest."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.schema.animals import Animal, Keeper
from portal.schema.people import Person
from portal.services.refusal import NotTheirs


def locked_animal(session: Session, animal_id: UUID, *, person_id: UUID | None) -> Animal:
    """An animal this person keeps, whatever became of it; what changes its keepers takes turns. Raises NotTheirs."""
    mine = (
        select(Animal)
        .join(Keeper, Keeper.animal_id == Animal.id)
        .where(Animal.id == animal_id, Keeper.person_id == person_id, Keeper.until.is_(None))
        .with_for_update(of=Animal)
    )
    animal = session.scalar(mine, execution_options={"populate_existing": True})
    if animal is None:
        raise NotTheirs("No such animal")
    return animal


def keepings(session: Session, animal_id: UUID) -> list[Keeper]:
    """Everyone's who keeps it now, the longest first."""
    now = select(Keeper).where(Keeper.animal_id == animal_id, Keeper.until.is_(None))
    return list(session.scalars(now.order_by(Keeper.since, Keeper.id)))


def first_keeper(session: Session, animal_id: UUID) -> Person | None:
    """Whoever has kept it longest; None when nobody keeps it."""
    keepers = (
        select(Person)
        .join(Keeper, Keeper.person_id == Person.id)
        .where(Keeper.animal_id == animal_id, Keeper.until.is_(None))
        .order_by(Keeper.since, Keeper.id)
        .limit(1)
    )
    return session.scalar(keepers)
