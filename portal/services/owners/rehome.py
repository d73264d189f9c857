"""Animals come to live at their keeper's home; where the dogs make three, an officer looks (90.09)."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.finding import Finding
from portal.ordinance.kennels import DogKept, kennel_finding
from portal.schema.animals import Animal, AnimalState, Keeper, Species
from portal.schema.people import Person, Premises, PremisesKind
from portal.services.owners.ask_to_look import ask_about_kennel
from portal.services.record_event import record_event


def bring_home(
    session: Session, animals: Sequence[Animal], person: Person, *, actor: str, clock: Clock
) -> Finding | None:
    """They live at this person's home from now on, if it is known; what 90.09 says to the dogs there now."""
    if person.home_premises_id is None:
        return None
    for animal in animals:
        if animal.premises_id != person.home_premises_id:
            animal.premises_id = person.home_premises_id
            record_event(session, "animal.moved", animal, actor=actor)
    session.flush()
    home = session.get_one(Premises, person.home_premises_id)
    dogs = own_dogs_at(session, home, person)
    return flag_kennel(session, home, dogs, person=person, actor=actor, clock=clock)


def flag_kennel(
    session: Session, home: Premises, stated: Sequence[DogKept], *, person: Person, actor: str, clock: Clock
) -> Finding | None:
    """90.09: flag the home for an officer once the dogs make three, with those that other people registered there.

    Not behind a Safe at Home address, which is where mail goes: nobody looks for who lives where (5B.05).
    """
    if home.kind is PremisesKind.SAFE_AT_HOME:
        return None
    others = dogs_of_others(session, home, person)
    finding = kennel_finding(stated, on=clock.today(), known_from_others=others)
    if finding:
        ask_about_kennel(session, home, actor=actor)
    return finding


def dogs_of_others(session: Session, home: Premises, person: Person) -> int:
    """Dogs that other people keep there. A number for staff: nothing about them reaches the person."""
    if home.match_key is None:
        return 0
    theirs = select(func.count()).where(*_dogs_kept_at(home.id), Animal.id.not_in(_kept_by(person.id)))
    return session.scalars(theirs).one()


def own_dogs_at(session: Session, home: Premises, person: Person) -> list[DogKept]:
    """The dogs this person registered there, as 90.09 counts them."""
    own = select(Animal.born_on).where(*_dogs_kept_at(home.id), Animal.id.in_(_kept_by(person.id)))
    return [DogKept(born_on) for born_on in session.scalars(own)]


def _dogs_kept_at(premises_id: UUID) -> tuple[ColumnElement[bool], ...]:
    return (
        Animal.premises_id == premises_id,
        Animal.species == Species.DOG,
        Animal.state == AnimalState.KEPT,
    )


def _kept_by(person_id: UUID) -> Select[UUID]:
    return select(Keeper.animal_id).where(Keeper.person_id == person_id, Keeper.until.is_(None))
