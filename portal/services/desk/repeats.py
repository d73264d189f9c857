"""What was reported before at an address and near it, over time and by kind (90.11(A)(3)). Never who reported it.

Reports that an officer merged are one matter. A place stands on the map where the phones were when they were asked,
taken together and to a block: a dot tells no more of where a reporter lives than the address that is complained of.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from statistics import fmean

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.nuisances import Nuisance
from portal.schema.reports import Report

MOST = 500
# Older complaints are in the report itself; a picture of what repeats looks back so far.
LOOKS_BACK = timedelta(days=3 * 365)
LATELY, THIS_YEAR = timedelta(days=30), timedelta(days=365)
# Three hundred house numbers: the block, and one to each side.
BLOCK = 100
# About a quarter of a mile, in degrees.
NEAR_LATITUDE, NEAR_LONGITUDE = 0.0036, 0.0052
HOUSE = re.compile(r"(\d{1,6}) (.+)")
UNIT = re.compile(r" (?:apt|unit|lot|ste|suite) \S+$")
TO_A_BLOCK = 3


@dataclass(frozen=True)
class Matter:
    """One thing that was reported, by one or by several."""

    report: Report
    count: int
    since: datetime
    is_named: bool
    """At least one of its reporters gave a name (90.11(A)(1))."""


@dataclass(frozen=True)
class KindOverTime:
    """How often a kind was reported at the address."""

    kind: Nuisance
    lately: int
    this_year: int
    all: int


@dataclass(frozen=True)
class Place:
    """An address with what was reported of it; where it is, if a phone was asked, to a block."""

    key: str
    text: str
    matters: tuple[Matter, ...]
    position: tuple[float, float] | None

    @property
    def kinds(self) -> tuple[tuple[Nuisance, int], ...]:
        """Which kinds and how often, the most frequent first."""
        return tuple(Counter(one.report.kind for one in self.matters).most_common())

    @property
    def last(self) -> datetime:
        return max(one.since for one in self.matters)


@dataclass(frozen=True)
class Repeats:
    """What repeats at an address, and at those near it, the ones with the most first."""

    here: Place | None
    by_kind: tuple[KindOverTime, ...]
    earlier: tuple[Matter, ...]
    """At this address and on an earlier day than the one that was asked about."""
    near: tuple[Place, ...]


def house_of(place_key: str) -> str:
    """The key of the house, without the apartment."""
    return UNIT.sub("", place_key)


def repeats(session: Session, keys: Collection[str], *, before: datetime, city: City, clock: Clock) -> Repeats:
    """What was reported of the place with these keys, and near it. Ask why it is read before, where that is asked."""
    here_keys = {*keys, *map(house_of, keys)}
    here = _place(_found(session, Report.place_key.in_(here_keys)))
    position = here.position if here else None
    wanted: list[ColumnElement[bool]] = [Report.place_key.in_(_same_block(here_keys))]
    if position:
        latitude, longitude = position
        is_close = Report.latitude.between(latitude - NEAR_LATITUDE, latitude + NEAR_LATITUDE)
        wanted.append(is_close & Report.longitude.between(longitude - NEAR_LONGITUDE, longitude + NEAR_LONGITUDE))
    since = clock.now() - LOOKS_BACK
    around = _found(session, or_(*wanted), Report.created_at > since, Report.place_key.not_in(here_keys))
    day = _day(before, city)
    return Repeats(
        here=here,
        by_kind=_by_kind(here.matters if here else (), clock.now()),
        earlier=tuple(one for one in (here.matters if here else ()) if _day(one.since, city) < day),
        near=tuple(_places(around)),
    )


def _found(session: Session, *is_wanted: ColumnElement[bool]) -> Sequence[Report]:
    wanted = select(Report).where(*is_wanted).order_by(Report.created_at.desc(), Report.id).limit(MOST)
    return session.scalars(wanted).all()


def _same_block(keys: Iterable[str]) -> list[str]:
    """The keys of the houses of the block and of one to each side; none for a place without a house number."""
    found: set[str] = set()
    for house in filter(None, (HOUSE.fullmatch(house_of(key)) for key in keys)):
        first = max(int(house[1]) // BLOCK - 1, 0) * BLOCK
        found.update(f"{number} {house[2]}" for number in range(first, first + 3 * BLOCK))
    return sorted(found)


def _places(reports: Sequence[Report]) -> list[Place]:
    by_house: dict[str, list[Report]] = {}
    for report in reports:
        by_house.setdefault(house_of(report.place_key), []).append(report)
    places = [place for place in map(_place, by_house.values()) if place]
    return sorted(places, key=lambda place: (-len(place.matters), place.key))


def _place(reports: Sequence[Report]) -> Place | None:
    if not reports:
        return None
    positions = [
        (one.latitude, one.longitude) for one in reports if one.latitude is not None and one.longitude is not None
    ]
    latitudes, longitudes = zip(*positions, strict=True) if positions else ((), ())
    middle = (round(fmean(latitudes), TO_A_BLOCK), round(fmean(longitudes), TO_A_BLOCK)) if positions else None
    return Place(house_of(reports[0].place_key), reports[0].place_text, tuple(_matters(reports)), middle)


def _matters(reports: Sequence[Report]) -> Iterable[Matter]:
    """Those that were merged are one; the newest first, as they come."""
    together: dict[object, list[Report]] = {}
    for report in reports:
        together.setdefault(report.merged_into_id or report.id, []).append(report)
    for key, same in together.items():
        main = next((one for one in same if one.id == key), same[0])
        since = min(one.created_at for one in same)
        yield Matter(main, len(same), since, any(one.has_identity for one in same))


def _by_kind(matters: Sequence[Matter], now: datetime) -> tuple[KindOverTime, ...]:
    counts: dict[Nuisance, list[datetime]] = {}
    for one in matters:
        counts.setdefault(one.report.kind, []).append(one.since)
    rows = (
        KindOverTime(
            kind,
            lately=sum(at > now - LATELY for at in times),
            this_year=sum(at > now - THIS_YEAR for at in times),
            all=len(times),
        )
        for kind, times in counts.items()
    )
    return tuple(sorted(rows, key=lambda row: (-row.all, row.kind)))


def _day(at: datetime, city: City) -> date:
    return at.astimezone(city.time_zone).date()
