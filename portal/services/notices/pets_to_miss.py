"""The registered animals that somebody may miss, and what their record says that a notice may begin with."""

from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.notices import NoticeKind, NoticeSpecies
from portal.services.notices.in_progress import BegunNotice, MoreAnswers, PetAnswers


def pets_to_miss(session: Session, *, person_id: UUID | None) -> list[Animal]:
    """Those this person keeps."""
    mine = (
        select(Animal)
        .join(Keeper, Keeper.animal_id == Animal.id)
        .where(Keeper.person_id == person_id, Keeper.until.is_(None), Animal.state == AnimalState.KEPT)
        .order_by(func.lower(Animal.name), Animal.id)
    )
    return list(session.scalars(mine))


def begun_for(pet: Animal) -> BegunNotice:
    """A notice with what the record says; all of it can be changed."""
    return BegunNotice(
        kind=NoticeKind.LOST,
        animal_id=pet.id,
        pet=PetAnswers(
            species=NoticeSpecies(pet.species.value), name=pet.name, breed=pet.breed, color=pet.color, sex=pet.sex
        ),
        more=MoreAnswers(chip=pet.microchip or ""),
    )
