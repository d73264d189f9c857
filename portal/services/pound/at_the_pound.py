"""What anybody may read of the pound: the animals it holds now, and the records of the last months (346.47).

Columns are named one by one: the portal's role reads no others, so neither who brought an animal nor where it went.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import Integer, Row, bindparam, literal_column, select, true
from sqlalchemy.orm import Session

from portal.gateways.database.connections import rows
from portal.ordinance.impounding import records_since
from portal.schema.animals import Animal, AnimalState, Keeper, Sex
from portal.schema.documents import Document, DocumentPage
from portal.schema.impoundments import PUBLIC_BASES, Impoundment
from portal.schema.notices import Size
from portal.services.files.kept_pictures import PictureKeys
from portal.services.refusal import NotTheirs

A_PAGE = 30


class Kind(StrEnum):
    """What people look for."""

    DOG = "dog"
    CAT = "cat"
    OTHER = "other"


@dataclass(frozen=True)
class PoundAnimal:
    """An animal at the pound as everyone reads of it."""

    id: UUID
    species: str
    breed: str
    color: str
    sex: Sex | None
    size: Size | None
    age_text: str
    marks: str
    area: str
    seized_on: date
    photo_id: UUID | None
    left_on: date | None

    @property
    def is_dog(self) -> bool:
        return self.species == Kind.DOG

    @property
    def title(self) -> str:
        """Black and white Border Collie; Orange cat; Rabbit."""
        looks = " ".join(filter(None, (self.color, self.breed or self.species)))
        return looks[:1].upper() + looks[1:]


@dataclass(frozen=True)
class Listing:
    """One page of a list, and whether another follows."""

    animals: tuple[PoundAnimal, ...]
    has_more: bool


_COLUMNS = (
    Impoundment.id,
    Impoundment.species,
    Impoundment.breed,
    Impoundment.color,
    Impoundment.sex,
    Impoundment.size,
    Impoundment.age_text,
    Impoundment.marks,
    Impoundment.area,
    Impoundment.seized_on,
    Impoundment.photo_id,
    Impoundment.left_on,
)
# Written out, so that the statement reads as the rule does.
_PUBLIC = Impoundment.basis.in_([literal_column(f"'{basis.value}'") for basis in PUBLIC_BASES])
_NEWEST_FIRST = (Impoundment.seized_on.desc(), Impoundment.id)
_HERE = Impoundment.left_on.is_(None)
# An animal that everybody can look at on the page of the pound now.
ON_SHOW = (_HERE, _PUBLIC)
_KINDS = {
    None: true(),
    Kind.DOG: Impoundment.species == Kind.DOG,
    Kind.CAT: Impoundment.species == Kind.CAT,
    Kind.OTHER: Impoundment.species.not_in((Kind.DOG, Kind.CAT)),
}
_PAGE = (bindparam("limit", type_=Integer), bindparam("offset", type_=Integer))

ALL = select(*_COLUMNS).where(_PUBLIC)
HELD = {
    kind: ALL.where(_HERE, is_kind).order_by(*_NEWEST_FIRST).limit(_PAGE[0]).offset(_PAGE[1])
    for kind, is_kind in _KINDS.items()
}
RECORDS = (
    ALL.where(Impoundment.seized_on >= bindparam("since")).order_by(*_NEWEST_FIRST).limit(_PAGE[0]).offset(_PAGE[1])
)
ONE = ALL.where(Impoundment.id == bindparam("id"))
MINE = (
    ALL.join(Animal, Animal.id == Impoundment.animal_id)
    .join(Keeper, Keeper.animal_id == Animal.id)
    .where(
        _HERE,
        Animal.id == bindparam("animal_id"),
        Animal.state == AnimalState.KEPT,
        Keeper.person_id == bindparam("person_id"),
        Keeper.until.is_(None),
    )
)
PHOTO = (
    select(Document.thumbnail_key, DocumentPage.key)
    .join(Impoundment, Impoundment.photo_id == Document.id)
    .join(DocumentPage, DocumentPage.document_id == Document.id)
    .where(*ON_SHOW, Impoundment.id == bindparam("id"))
    .order_by(DocumentPage.number)
)


def held(session: Session, *, kind: Kind | None = None, page: int = 1) -> Listing:
    """The animals that are there now, the latest first."""
    return _listing(rows(session, HELD[kind], _page(page)))


def records(session: Session, *, on: date, page: int = 1) -> Listing:
    """346.47: what came in during the last six months, whether or not it is still there (90.07(E))."""
    return _listing(rows(session, RECORDS, _page(page) | {"since": records_since(on)}))


def animal_at_the_pound(session: Session, impoundment_id: UUID) -> PoundAnimal:
    """One animal, whether or not it is still there; raises NotTheirs."""
    return _one(rows(session, ONE, {"id": impoundment_id}))


def stay_of_mine(session: Session, *, person_id: UUID | None, animal_id: UUID) -> PoundAnimal:
    """The stay of an animal that this person keeps; raises NotTheirs, also when it is not at the pound."""
    return _one(rows(session, MINE, {"person_id": person_id, "animal_id": animal_id}))


def picture_at_the_pound(session: Session, impoundment_id: UUID) -> PictureKeys:
    """Where its picture lies, while it is there; raises NotTheirs."""
    found = rows(session, PHOTO, {"id": impoundment_id})
    if not found:
        raise NotTheirs("No such picture")
    return PictureKeys(found[0].thumbnail_key, tuple(row.key for row in found))


def _page(number: int) -> dict[str, Any]:
    return {"limit": A_PAGE + 1, "offset": A_PAGE * (number - 1)}


def _listing(found: Sequence[Row[Any]]) -> Listing:
    return Listing(tuple(PoundAnimal(*tuple(row)) for row in found[:A_PAGE]), has_more=len(found) > A_PAGE)


def _one(found: Sequence[Row[Any]]) -> PoundAnimal:
    if not found:
        raise NotTheirs("No such animal at the pound")
    return PoundAnimal(*tuple(found[0]))
