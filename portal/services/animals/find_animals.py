"""Find the animal that a clinic's filing is about: by microchip, by rabies tag and surname, by owner, home and name.

The strongest of these that finds anything decides; weaker ones are not asked. Each is one look-up over an index.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Exists, Select, exists, func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.clinics import ClinicFiling
from portal.schema.people import Person, Premises
from portal.schema.vaccinations import Vaccination
from portal.services.folding import chip, folded

Find = Callable[[Session, ClinicFiling, City], list[Animal]]

BY_CHIP = "the microchip"
BY_TAG = "the rabies tag and the owner’s surname"
BY_HOME = "the owner’s surname, the address and the animal’s name"
BY_NAMES = "the owner’s surname and the animal’s name, at another address"

_fold = func.animal_control


@dataclass(frozen=True)
class Likely:
    """An animal a filing may be about: what agrees, and what speaks against it."""

    animal: Animal
    agrees: str
    contradicts: tuple[str, ...]

    @property
    def why(self) -> str:
        """Both in words, for the officer."""
        return "; but ".join((f"{self.agrees} agree" if " and " in self.agrees else f"{self.agrees} agrees", *self.but))

    @property
    def but(self) -> tuple[str, ...]:
        return (" and ".join(self.contradicts),) if self.contradicts else ()


@dataclass(frozen=True)
class Found:
    """Every animal a filing may be about."""

    likely: tuple[Likely, ...] = ()

    @property
    def sure(self) -> Animal | None:
        """The one animal it is about, when there is no doubt."""
        if len(self.likely) != 1 or self.likely[0].agrees == BY_NAMES or self.likely[0].contradicts:
            return None
        return self.likely[0].animal


def find_animals(session: Session, filing: ClinicFiling, *, city: City) -> Found:
    """The animals a filing may be about, found by the strongest sign that finds any."""
    for agrees, find in SIGNS:
        if animals := find(session, filing, city):
            return Found(
                tuple(
                    Likely(animal, agrees, tuple(_contradictions(session, filing, animal, agrees)))
                    for animal in animals
                )
            )
    return Found()


def _by_chip(session: Session, filing: ClinicFiling, _: City) -> list[Animal]:
    number = chip(filing.microchip)
    if number is None:
        return []
    return _animals(session, select(Animal).where(_fold.mark(Animal.microchip) == number))


def _by_tag(session: Session, filing: ClinicFiling, _: City) -> list[Animal]:
    number = chip(filing.rabies_tag)
    if number is None or not filing.owner_key:
        return []
    tagged = select(Vaccination.animal_id).where(_fold.mark(Vaccination.rabies_tag) == number)
    return _animals(session, select(Animal).where(Animal.id.in_(tagged), _kept_by(filing.owner_key)))


def _by_home(session: Session, filing: ClinicFiling, city: City) -> list[Animal]:
    name = folded(filing.animal_name)
    if not name or not filing.owner_key or not filing.address_key:
        return []
    there = select(Premises.id).where(Premises.match_key.in_(address_keys(filing.address_key, city)))
    named = _fold.folded(Animal.name) == name
    return _animals(session, select(Animal).where(Animal.premises_id.in_(there), named, _kept_by(filing.owner_key)))


def _by_names(session: Session, filing: ClinicFiling, _: City) -> list[Animal]:
    name = folded(filing.animal_name)
    if not name or not filing.owner_key:
        return []
    theirs = (
        select(Keeper.animal_id)
        .join(Person, Person.id == Keeper.person_id)
        .where(_fold.surname(Person.name) == filing.owner_key, Keeper.until.is_(None))
    )
    same = select(Animal).where(
        Animal.id.in_(theirs), _fold.folded(Animal.name) == name, Animal.species == filing.species
    )
    return _animals(session, same)


SIGNS: tuple[tuple[str, Find], ...] = (
    (BY_CHIP, _by_chip),
    (BY_TAG, _by_tag),
    (BY_HOME, _by_home),
    (BY_NAMES, _by_names),
)


def address_keys(address_key: str, city: City) -> list[str]:
    """A folded address as homes are kept, also where the sender left the city, the state or the ZIP code out."""
    here, state = folded(city.short_name), f" {folded(city.state)}"
    stateless = address_key.removesuffix(state)
    return [address_key, f"{stateless} {city.zip_code}", f"{stateless} {here} {city.zip_code}"]


def _kept_by(surname_key: str) -> ColumnElement[bool]:
    kept: Exists = exists().where(
        Keeper.animal_id == Animal.id,
        Keeper.person_id == Person.id,
        Keeper.until.is_(None),
        _fold.surname(Person.name) == surname_key,
    )
    return kept


def _animals(session: Session, found: Select[Animal]) -> list[Animal]:
    return list(session.scalars(found.order_by(Animal.created_at, Animal.id).limit(20)))


def _contradictions(session: Session, filing: ClinicFiling, animal: Animal, agrees: str) -> Iterator[str]:
    """What speaks against it. One that died or left is for the officer: the record may be wrong, or the chip."""
    if animal.state is not AnimalState.KEPT:
        yield f"it is not kept here any more ({animal.state.value.replace('_', ' ')})"
    if animal.species is not filing.species:
        yield f"it is a {animal.species.value}"
    if filing.sex and filing.sex is not animal.sex:
        yield f"it is {animal.sex.value}"
    if filing.given_on and animal.born_on and filing.given_on < animal.born_on:
        yield "it was born after the vaccination"
    if agrees == BY_CHIP:
        is_named = folded(animal.name) == folded(filing.animal_name)
        if not is_named and not session.scalar(select(_kept_by(filing.owner_key)).where(Animal.id == animal.id)):
            yield "it has another name and another owner"
    elif chip(filing.microchip) and chip(animal.microchip) and chip(filing.microchip) != chip(animal.microchip):
        yield "its microchip is another"
