"""A designated dog that somebody gave away and that another keeps by now, as its giver still has to do with it.

The law asks whoever transfers it for a notice (90.13(H)(12), (14), (N)), and that notice is theirs to write and to read
on any day after. Nothing else of the dog is: neither who keeps it, nor what was found of it since.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Select, and_, exists, select
from sqlalchemy.orm import Session, aliased

from portal.schema.animals import Animal, Keeper
from portal.schema.dangerous import DangerousDesignation
from portal.schema.dangerous_notices import DangerousNotice
from portal.schema.departures import Departure, DepartureKind
from portal.services.dangerous.designate_dog import OPEN
from portal.services.refusal import NotTheirs


@dataclass(frozen=True)
class HandedOver:
    """The dog, what was told when it was given away, what it was designated as by then, and what its givers wrote."""

    animal: Animal
    departure: Departure
    designation: DangerousDesignation
    notices: tuple[DangerousNotice, ...]


def handed_over(session: Session, *, person_id: UUID | None, animal_id: UUID) -> HandedOver:
    """One that this person gave away; raises NotTheirs for any other, and for one that was not designated by then."""
    found = session.execute(_given_by(person_id).where(Animal.id == animal_id)).first()
    if found is None:
        raise NotTheirs("No such animal")
    animal, departure, designation = found
    givers = select(Keeper.person_id).where(Keeper.animal_id == animal.id, Keeper.until == departure.undone_at)
    notices = (
        select(DangerousNotice)
        .where(DangerousNotice.designation_id == designation.id, DangerousNotice.told_by.in_(givers))
        .order_by(DangerousNotice.created_at.desc())
    )
    return HandedOver(animal, departure, designation, tuple(session.scalars(notices)))


def dogs_handed_over(session: Session, *, person_id: UUID | None) -> list[tuple[Animal, Departure]]:
    """All of them, the latest first, each with the last time that this person gave it away."""
    latest: dict[UUID, tuple[Animal, Departure]] = {}
    for animal, departure, _ in session.execute(_given_by(person_id)):
        latest.setdefault(animal.id, (animal, departure))
    return list(latest.values())


def last_handed_over(session: Session, animal_id: UUID) -> Departure | None:
    """How the dog came to whoever keeps it now, for an officer; None where it was never given away."""
    given = _IS_GIVEN.where(Departure.animal_id == animal_id).order_by(Departure.created_at.desc()).limit(1)
    return session.scalar(given)


# What was told of it stops to count at the moment until which its givers kept it: `accept_claim` writes both at once.
_UNTIL_THEN = and_(Keeper.animal_id == Departure.animal_id, Keeper.until == Departure.undone_at)
_IS_GIVEN = select(Departure).where(Departure.kind == DepartureKind.GIVEN_AWAY, exists().where(_UNTIL_THEN))


def _given_by(person_id: UUID | None) -> Select[Animal, Departure, DangerousDesignation]:
    """What they gave away and do not keep again, the latest first; of two designations the dangerous one, as ever."""
    now = aliased(Keeper)
    keeps_it_again = exists().where(now.animal_id == Animal.id, now.person_id == person_id, now.until.is_(None))
    return (
        select(Animal, Departure, DangerousDesignation)
        .join(Departure, Departure.animal_id == Animal.id)
        .join(Keeper, _UNTIL_THEN)
        .join(DangerousDesignation, DangerousDesignation.animal_id == Animal.id)
        .where(
            Keeper.person_id == person_id,
            Departure.kind == DepartureKind.GIVEN_AWAY,
            DangerousDesignation.state.in_(OPEN),
            DangerousDesignation.created_at <= Departure.created_at,
            ~keeps_it_again,
        )
        .order_by(Departure.created_at.desc(), DangerousDesignation.kind, DangerousDesignation.created_at.desc())
    )
