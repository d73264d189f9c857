"""Which missing pets a report of a loose, stray or dead animal may be about. For an officer, and for nobody else.

That there is a report never reaches an owner by the portal (13.82, decision 12): only the desk's role reads reports.
"""

from collections.abc import Iterator
from dataclasses import replace

from sqlalchemy.orm import Session

from portal.city import City
from portal.ordinance.nuisances import Nuisance
from portal.schema.notices import NoticeKind, NoticeSpecies, NoticeState, PetNotice
from portal.schema.reports import Report
from portal.services.folding import folded
from portal.services.matching.likeness import EARLIER, LONGEST_APART, Described, Likeness, likeness
from portal.services.matching.match_pets import COMPARED_AT_MOST, PAIRS_AT_ONCE, TOLD_FROM
from portal.services.matching.pets_described import Noticed, noticed, read_noticed

OF_AN_ANIMAL = frozenset({Nuisance.AT_LARGE, Nuisance.STRAY, Nuisance.DEAD_ANIMAL})
# What a report does not ask, its reader may guess wrong: it is compared with both.
SPECIES = (NoticeSpecies.DOG, NoticeSpecies.CAT)


def missing_for_report(session: Session, report: Report, *, city: City) -> list[tuple[Noticed, Likeness]]:
    """The likeliest notices, with the reasons."""
    if report.kind not in OF_AN_ANIMAL:
        return []
    said = _described(report, city)
    found = sorted(_likely(session, said, city), key=lambda one: -one[1].score)
    return found[:PAIRS_AT_ONCE]


def _likely(session: Session, said: Described, city: City) -> Iterator[tuple[Noticed, Likeness]]:
    near = noticed().where(
        PetNotice.state == NoticeState.SHOWN,
        PetNotice.kind == NoticeKind.LOST,
        PetNotice.species.in_(SPECIES),
        PetNotice.happened_on.between(said.on - LONGEST_APART, said.on + EARLIER),
    )
    nearest = near.order_by(PetNotice.happened_on.desc()).limit(COMPARED_AT_MOST)
    for lost in read_noticed(session, nearest, city=city):
        # What shares no breed may name none: so it is not held against it.
        breed = said.breed if said.breeds & lost.said.breeds else ""
        how = likeness(lost.said, replace(said, species=lost.said.species, breed=breed))
        if how and how.score >= TOLD_FROM:
            yield lost, how


def _described(report: Report, city: City) -> Described:
    """The words about the animal hold its breed, its color and its marks in any order."""
    day = (report.happened_at or report.created_at).astimezone(city.time_zone).date()
    words = report.animal_description
    return Described(
        species="",
        on=day,
        breed=words,
        color=words,
        marks=words,
        tag=report.details.get("tag"),
        place=report.place_text,
        besides=folded(city.short_name),
        latitude=report.latitude,
        longitude=report.longitude,
    )
