"""Find a dog, a person or an address by whatever somebody says at the counter or on the phone.

`echo` finds Écho, `0100` a phone that ends so however it was typed, four digits any microchip that has them beside
each other. Each way to find something is one look-up over an index, and only what the words may mean is tried.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import CTE, ColumnElement, CompoundSelect, Select, Text, and_, cast, func, select, true, union_all
from sqlalchemy.dialects.postgresql import ARRAY, TSQUERY
from sqlalchemy.orm import Session

from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.licenses import License, LicenseCounter
from portal.schema.orders import Order
from portal.schema.people import Person, Premises
from portal.schema.vaccinations import Vaccination
from portal.services.animals.find_tag import read_tag_number
from portal.services.folding import chip, folded, folded_address
from portal.services.secrets import read_spoken_code

# Of each kind so many are shown: whoever finds more adds a word.
SHOWN = 50
# A part of a microchip or a phone of fewer characters fits too many.
SHORTEST_PART = 4
# One letter begins a tenth of all names.
SHORTEST_BEGINNING = 2
LONGEST = 200
MOST_WORDS = 8
MOST_WORDS_OF_TWO = 5
# From so many on, dogs or people of a name are simply many.
MANY = 3_000
NUMBER_SIGNS = re.compile(r"[+\d\s().\-/x#*]+", re.IGNORECASE)
REFERENCE_LENGTH = 9  # with its dash

# A record that was joined to another is found by that one.
IS_OWN = Person.joined_to_id.is_(None)
_fold = func.animal_control


@dataclass(frozen=True)
class DogFound:
    """An animal, whose it is, where, and by what it was found."""

    id: UUID
    name: str
    looks: str
    state: AnimalState
    keeper: str
    home: str
    by: str


@dataclass(frozen=True)
class PersonFound:
    id: UUID
    name: str
    home: str
    phone: str
    by: str


@dataclass(frozen=True)
class PlaceFound:
    id: UUID
    address: str
    dogs: int


@dataclass(frozen=True)
class Found:
    """What was found, of each kind those that fit best first."""

    dogs: tuple[DogFound, ...] = ()
    people: tuple[PersonFound, ...] = ()
    places: tuple[PlaceFound, ...] = ()
    has_more: bool = False

    @property
    def count(self) -> int:
        return len(self.dogs) + len(self.people) + len(self.places)


def search(session: Session, typed: str) -> Found:
    """Everything that may be meant."""
    said = typed[:LONGEST]
    dogs = _keys(session, _dog_ways(said))
    if not dogs:
        dogs = _keys(session, _name_and_keeper(said))
    people = _keys(session, _people_ways(said))
    places = _keys(session, _place_ways(said))
    return Found(
        dogs=tuple(sorted(_dogs(session, dogs), key=lambda dog: _dog_order(dog, said))),
        people=tuple(sorted(_people(session, people), key=lambda person: folded(person.name) != folded(said))),
        places=tuple(_places(session, places)),
        has_more=any(len(keys) > SHOWN for keys in (dogs, people, places)),
    )


Way = tuple[str, Select[Any] | CompoundSelect[Any]]


def _dog_ways(said: str) -> Iterator[Way]:
    """By microchip, tag, rabies tag and name, each with its word."""
    mark = chip(said) or ""
    if len(mark) >= SHORTEST_PART and any(sign.isdigit() for sign in mark):
        yield "microchip", select(Animal.id).where(*_has_part(mark))
        yield "rabies tag", select(Vaccination.animal_id).where(_fold.mark(Vaccination.rabies_tag) == mark)
    if tag := read_tag_number(said):
        years = [tag.year] if tag.year else select(LicenseCounter.year)
        yield "tag", select(License.animal_id).where(License.year.in_(years), License.number == tag.number)
    if words := _words(folded(said)):
        yield "", select(Animal.id).where(_fold.words(Animal.name).op("@@")(_query(words)))


def _people_ways(said: str) -> Iterator[Way]:
    """By name, phone, e-mail, and what they owe or paid."""
    if words := _words(folded(said)):
        yield "", select(Person.id).where(_fold.words(Person.name).op("@@")(_query(words)), IS_OWN)
    digits = re.sub(r"\D", "", said)
    if len(digits) >= SHORTEST_PART and NUMBER_SIGNS.fullmatch(said):
        written = func.coalesce(Person.phone_e164, Person.phone)
        yield "phone", select(Person.id).where(_begins(_fold.phone_end(written), digits[::-1]), IS_OWN)
    if "@" in said:
        yield "e-mail", select(Person.id).where(_begins(func.lower(Person.email), said.strip().lower()), IS_OWN)
    reference = read_spoken_code(said)
    if len(reference) == REFERENCE_LENGTH:
        yield "order", select(Order.person_id).where(Order.reference == reference)


def _place_ways(said: str) -> Iterator[Way]:
    """By the words of the address; a Safe at Home address has no words and is never found."""
    if words := _words(folded_address(said)):
        yield "", select(Premises.id).where(_fold.words(Premises.match_key).op("@@")(_query(words)))


def _name_and_keeper(said: str) -> Iterator[Way]:
    """`pepper larson`: some of the words are the dog's and the others its keeper's. No name has a house number.

    It begins with whichever are fewer, dogs or people of that name, and goes from each to what it belongs to: `lateral`
    and `offset` keep the planner from reading all keepers instead. Where both are many, so are those that fit, and it
    ends with the first of them.
    """
    words = _words(folded(said))
    if not 2 <= len(words) <= MOST_WORDS_OF_TWO or any(sign.isdigit() for sign in said):
        return
    some, all_of_it = _query(words, " | "), _query(words)
    dogs = select(Animal.id, Animal.name).where(_fold.words(Animal.name).op("@@")(some))
    people = select(Person.id, Person.name).where(_fold.words(Person.name).op("@@")(some), IS_OWN)
    fewer = select((_counted(dogs) < _counted(people)).label("dogs")).cte("fewer")
    has_fewer_dogs = select(fewer.c.dogs).scalar_subquery()
    yield (
        "",
        union_all(
            _from_dogs(dogs.cte("dogs"), some, all_of_it).where(has_fewer_dogs),
            _from_people(people.cte("people"), some, all_of_it).where(~has_fewer_dogs),
        ),
    )


def _from_dogs(dogs: CTE, some: ColumnElement[Any], all_of_it: ColumnElement[Any]) -> Select[Any]:
    """The dogs of a few, with whoever keeps them."""
    is_theirs = (Keeper.animal_id == dogs.c.id, Keeper.until.is_(None), _fold.words(Person.name).op("@@")(some))
    theirs = select(Person.name).join(Keeper, Keeper.person_id == Person.id).where(*is_theirs)
    keeper = theirs.offset(0).lateral()
    return select(dogs.c.id).join(keeper, true()).where(_said_together(dogs.c.name, keeper.c.name, all_of_it))


def _from_people(people: CTE, some: ColumnElement[Any], all_of_it: ColumnElement[Any]) -> Select[Any]:
    """The people of a few, with what they keep."""
    is_theirs = (Keeper.person_id == people.c.id, Keeper.until.is_(None), _fold.words(Animal.name).op("@@")(some))
    theirs = select(Animal.id, Animal.name).join(Keeper, Keeper.animal_id == Animal.id).where(*is_theirs)
    dog = theirs.offset(0).lateral()
    return select(dog.c.id).join_from(people, dog, true()).where(_said_together(dog.c.name, people.c.name, all_of_it))


def _said_together(
    dog: ColumnElement[str], keeper: ColumnElement[str], said: ColumnElement[Any]
) -> ColumnElement[bool]:
    return _fold.words(dog.concat(" ").concat(keeper)).op("@@")(said)


def _counted(found: Select[UUID, str]) -> ColumnElement[int]:
    """How many, as far as it matters on which side to begin."""
    return select(func.count()).select_from(found.limit(MANY).subquery()).scalar_subquery()


def _keys(session: Session, ways: Iterable[Way]) -> dict[UUID, str]:
    """The keys found, each with the first way that found it; one more than is shown, if there are more."""
    found: dict[UUID, str] = {}
    for by, wanted in ways:
        for key in session.scalars(wanted.limit(SHOWN + 1)):
            found.setdefault(key, by)
    return found


def _has_part(mark: str) -> Sequence[ColumnElement[bool]]:
    parts = sorted({mark[at : at + SHORTEST_PART] for at in range(len(mark) - SHORTEST_PART + 1)})
    has_each = _fold.parts(Animal.microchip).op("@>")(cast(parts, ARRAY(Text)))
    if len(parts) == 1:
        return (has_each,)
    return (has_each, _fold.mark(Animal.microchip).contains(mark, autoescape=True))


def _begins(column: ColumnElement[str], typed: str) -> ColumnElement[bool]:
    return column.startswith(typed, autoescape=True)


def _words(words: str) -> list[str]:
    return words.split()[:MOST_WORDS]


def _query(words: Sequence[str], by: str = " & ") -> ColumnElement[Any]:
    """All of the words, the last of them perhaps not typed to its end. They are folded: no sign is left in them."""
    beginning = ":*" if len(words[-1]) >= SHORTEST_BEGINNING else ""
    return cast(by.join(f"'{word}'" for word in words) + beginning, TSQUERY)


def _dog_order(dog: DogFound, said: str) -> tuple[bool, bool, str]:
    return dog.state is not AnimalState.KEPT, not dog.by and folded(dog.name) != folded(said), folded(dog.name)


def _dogs(session: Session, found: dict[UUID, str]) -> Iterator[DogFound]:
    wanted = (
        select(Animal, Premises, func.string_agg(Person.name, ", "))
        .join(Premises, Premises.id == Animal.premises_id)
        .outerjoin(Keeper, and_(Keeper.animal_id == Animal.id, Keeper.until.is_(None)))
        .outerjoin(Person, Person.id == Keeper.person_id)
        .where(Animal.id.in_(list(found)[:SHOWN]))
        .group_by(Animal.id, Premises.id)
    )
    for animal, home, keepers in _executed(session, wanted, found):
        looks = ", ".join(filter(None, (animal.species.value, animal.breed, animal.color)))
        yield DogFound(animal.id, animal.name, looks, animal.state, keepers or "", address(home), found[animal.id])


def _people(session: Session, found: dict[UUID, str]) -> Iterator[PersonFound]:
    wanted = (
        select(Person, Premises)
        .outerjoin(Premises, Premises.id == Person.home_premises_id)
        .where(Person.id.in_(list(found)[:SHOWN]))
        .order_by(Person.name, Person.id)
    )
    for person, home in _executed(session, wanted, found):
        yield PersonFound(person.id, person.name, address(home) if home else "", person.phone or "", found[person.id])


def _places(session: Session, found: dict[UUID, str]) -> Iterator[PlaceFound]:
    is_kept = and_(Animal.premises_id == Premises.id, Animal.state == AnimalState.KEPT)
    wanted = (
        select(Premises, func.count(Animal.id))
        .outerjoin(Animal, is_kept)
        .where(Premises.id.in_(list(found)[:SHOWN]))
        .group_by(Premises.id)
        .order_by(Premises.match_key)
    )
    for home, dogs in _executed(session, wanted, found):
        yield PlaceFound(home.id, address(home), dogs)


def _executed(session: Session, wanted: Select[*tuple[Any, ...]], found: dict[UUID, str]) -> Iterable[Any]:
    return session.execute(wanted) if found else ()


def address(home: Premises) -> str:
    """1310 Idaho Ave, apt 2, Benson"""
    return ", ".join(filter(None, (home.line1, home.unit, home.city)))
