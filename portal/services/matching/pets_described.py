"""Notices and animals at the pound as descriptions that can be compared. Only the worker and the desk read so much."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.schema.animals import Animal
from portal.schema.impoundments import Impoundment
from portal.schema.notices import NoticeSpecies, PetNotice
from portal.schema.notices_private import NoticePrivate
from portal.services.folding import folded
from portal.services.matching.likeness import Described


@dataclass(frozen=True)
class Noticed:
    """A notice, and what is said in it and withheld of it."""

    id: UUID
    reference: str
    name: str
    animal_id: UUID | None
    said: Described


def noticed() -> Select[*tuple[Any, ...]]:
    """Notices with their chip, their tag, and the chip of the registered animal they are about; for `read_noticed`.

    Columns and no objects: thousands of them are read for one comparison.
    """
    return (
        select(
            PetNotice.id,
            PetNotice.reference,
            PetNotice.name,
            PetNotice.animal_id,
            PetNotice.species,
            PetNotice.species_text,
            PetNotice.happened_on,
            PetNotice.breed,
            PetNotice.color,
            PetNotice.marks,
            PetNotice.wears,
            PetNotice.sex,
            PetNotice.size,
            PetNotice.place_text,
            PetNotice.latitude,
            PetNotice.longitude,
            NoticePrivate.chip,
            NoticePrivate.tag,
            Animal.microchip,
        )
        .outerjoin(NoticePrivate, NoticePrivate.notice_id == PetNotice.id)
        .outerjoin(Animal, Animal.id == PetNotice.animal_id)
    )


def read_noticed(session: Session, wanted: Select[*tuple[Any, ...]], *, city: City) -> list[Noticed]:
    """The notices that a statement made of `noticed()` finds."""
    return [
        Noticed(row.id, row.reference, row.name, row.animal_id, _described(row, city))
        for row in session.execute(wanted)
    ]


def stay_described(stay: Impoundment, city: City) -> Described:
    """One animal at the pound. The city's software may call its species by any word."""
    species = species_of(stay.species)
    return Described(
        species=species.value,
        on=stay.seized_on,
        breed=f"{stay.breed} {stay.species}" if species is NoticeSpecies.OTHER else stay.breed,
        color=stay.color,
        marks=stay.marks,
        sex=stay.sex.value if stay.sex else None,
        size=stay.size.value if stay.size else None,
        chip=stay.microchip,
        tag=stay.tag_text,
        place=stay.place,
        besides=folded(city.short_name),
        latitude=stay.latitude,
        longitude=stay.longitude,
    )


def species_of(word: str) -> NoticeSpecies:
    """The species as notices name it; other for any that they have no word for."""
    known = {one.value: one for one in NoticeSpecies}
    return known.get(word, NoticeSpecies.OTHER)


def _described(row: Row[*tuple[Any, ...]], city: City) -> Described:
    return Described(
        species=row.species.value,
        on=row.happened_on,
        breed=f"{row.breed} {row.species_text}" if row.species_text else row.breed,
        color=row.color,
        marks=row.marks,
        wears=row.wears,
        sex=row.sex.value if row.sex else None,
        size=row.size.value if row.size else None,
        chip=row.microchip or row.chip,
        tag=row.tag,
        place=row.place_text,
        besides=folded(city.short_name),
        latitude=row.latitude,
        longitude=row.longitude,
    )
