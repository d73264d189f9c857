"""Notices and animals at the pound as descriptions that can be compared. Only the worker and the desk read so much."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.schema.animals import Animal
from portal.schema.impoundments import Impoundment
from portal.schema.notices import NoticeSpecies, PetNotice
from portal.schema.notices_private import NoticePrivate
from portal.services.folding import folded
from portal.services.likeness import Described


@dataclass(frozen=True)
class Noticed:
    """A notice, and what is said in it and withheld of it."""

    notice: PetNotice
    said: Described


def noticed() -> Select[*tuple[Any, ...]]:
    """Notices with their chip, their tag, and the chip of the registered animal they are about; for `read_noticed`."""
    return (
        select(PetNotice, NoticePrivate.chip, NoticePrivate.tag, Animal.microchip)
        .outerjoin(NoticePrivate, NoticePrivate.notice_id == PetNotice.id)
        .outerjoin(Animal, Animal.id == PetNotice.animal_id)
    )


def read_noticed(session: Session, wanted: Select[*tuple[Any, ...]], *, city: City) -> list[Noticed]:
    """The notices that a statement made of `noticed()` finds."""
    return [
        Noticed(notice, _described(notice, own or typed, tag, city))
        for notice, typed, tag, own in session.execute(wanted)
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
        place=without_city(stay.place, city),
        latitude=stay.latitude,
        longitude=stay.longitude,
    )


def species_of(word: str) -> NoticeSpecies:
    """The species as notices name it; other for any that they have no word for."""
    known = {one.value: one for one in NoticeSpecies}
    return known.get(word, NoticeSpecies.OTHER)


def without_city(place: str, city: City) -> str:
    """A place without the city's own name, which every place in it shares."""
    own = folded(city.short_name).split()
    return " ".join(word for word in folded(place).split() if word not in own)


def _described(notice: PetNotice, microchip: str | None, tag: str | None, city: City) -> Described:
    return Described(
        species=notice.species.value,
        on=notice.happened_on,
        breed=f"{notice.breed} {notice.species_text}",
        color=notice.color,
        marks=notice.marks,
        wears=notice.wears,
        sex=notice.sex.value if notice.sex else None,
        size=notice.size.value if notice.size else None,
        chip=microchip,
        tag=tag,
        place=without_city(notice.place_text, city),
        latitude=notice.latitude,
        longitude=notice.longitude,
    )
