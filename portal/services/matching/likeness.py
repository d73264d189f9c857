"""How likely a missing animal and one that was found are the same, with the reasons in words for people.

Each thing that is known of both speaks for or against it. The weights are added up as record linkage does (Fellegi and
Sunter, 1969): each is about the logarithm, to the base of two, of how much oftener it is so with the same animal than
with any two. A chip or a tag decides; what is not known of either says nothing. `bench/matching.py` measures it.

Pictures are not compared: see decision 19.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from math import asin, cos, hypot, inf, radians, sin, sqrt

from portal.services.folding import chip
from portal.services.matching.likeness_words import (
    BROAD_BREEDS,
    COMMON_BREEDS,
    alike,
    breeds,
    gear_colors,
    joined,
    mark_words,
    place_words,
    shades,
)

# A found animal may be the missing one of so many about as likely.
BEFOREHAND = -7.0
SURE = 100
ALMOST_SURE = 97
LONGEST_APART = timedelta(days=60)
# People mistake the day.
EARLIER = timedelta(days=1)
SIZES = ("small", "medium", "large")
EARTH_MILES = 3959.0

SEX_IS_SAME, SEX_DIFFERS = 0.9, -3.0
SIZE_IS_SAME, SIZE_DIFFERS, SIZE_IS_FAR_OFF = 0.9, -1.0, -5.0
COLOR_IS_SAME, COLOR_IS_NEAR, COLOR_IS_PARTLY, COLOR_DIFFERS = 2.8, 0.7, -0.7, -4.5
BREED_IS_SAME, COMMON_BREED_IS_SAME, BREED_IS_BROADLY, BREED_DIFFERS = 3.3, 2.3, 0.8, -2.3
COLLAR_IS_SAME, COLLAR_DIFFERS = 3.0, -2.5
MARK_IS_SAME, MARKS_AT_MOST = 1.5, 3.0
PLACE_IS_SAME = 1.8
# Within so many miles, within so many days.
BY_MILES = ((0.25, 2.5), (0.5, 1.6), (1.0, 0.0), (2.0, -1.5), (5.0, -2.3), (15.0, -4.5), (inf, -7.0))
BY_DAYS = ((-1, -3.0), (1, 2.8), (3, 1.9), (7, 0.4), (14, -1.5), (30, -3.0), (60, -4.0))


@dataclass(frozen=True, kw_only=True)
class Described:
    """An animal as one person described it; empty is what they did not say."""

    species: str
    on: date
    """The day it was last seen, found or seized."""
    breed: str = ""
    color: str = ""
    marks: str = ""
    wears: str = ""
    sex: str | None = None
    size: str | None = None
    chip: str | None = None
    tag: str | None = None
    place: str = ""
    besides: str = ""
    """A word in it that tells nothing: the city's own name, folded."""
    latitude: float | None = None
    longitude: float | None = None

    @cached_property
    def shades(self) -> frozenset[str]:
        """Of its coat; a breed may name them too."""
        return shades(self.color) or shades(self.breed)

    @cached_property
    def breeds(self) -> frozenset[str]:
        return breeds(self.breed)

    @cached_property
    def gear(self) -> frozenset[str]:
        return gear_colors(self.wears, self.marks)

    @cached_property
    def mark_words(self) -> frozenset[str]:
        return mark_words(self.marks)

    @cached_property
    def place_words(self) -> frozenset[str]:
        return place_words(self.place, self.besides)

    @cached_property
    def chip_mark(self) -> str | None:
        return chip(self.chip)

    @cached_property
    def tag_mark(self) -> str | None:
        return chip(self.tag)


@dataclass(frozen=True)
class Likeness:
    """A score of a hundred, and why, in words."""

    score: int
    reasons: tuple[str, ...]

    @property
    def explained(self) -> str:
        """same color and collar, 0.4 miles, next day"""
        return ", ".join(self.reasons)


@dataclass
class _Tally:
    """What spoke for and against so far."""

    weight: float = BEFOREHAND
    same: tuple[str, ...] = ()
    other: tuple[str, ...] = ()

    def add(self, weight: float, *, same: str = "", other: str = "") -> None:
        self.weight += weight
        self.same += (same,) if same else ()
        self.other += (other,) if other else ()


def likeness(missing: Described, found: Described) -> Likeness | None:
    """How likely they are the same; None where they can hardly be: another species or chip, too early or late."""
    if missing.species != found.species:
        return None
    apart = found.on - missing.on
    if missing.chip_mark and found.chip_mark:
        same_chip = missing.chip_mark == found.chip_mark
        return Likeness(SURE, ("same microchip", *_where_and_when(missing, found))) if same_chip else None
    if missing.tag_mark and missing.tag_mark == found.tag_mark:
        return Likeness(ALMOST_SURE, ("same tag", *_where_and_when(missing, found)))
    if not -EARLIER <= apart <= LONGEST_APART:
        return None
    tally = _Tally()
    for look in (_breed, _color, _collar, _marks, _sex, _size):
        look(missing, found, tally)
    tally.add(_by_place(missing, found) + _first(BY_DAYS, apart.days))
    score = min(round(100 / (1 + 2**-tally.weight)), ALMOST_SURE - 1)
    if score == 0:
        return None
    same = (f"same {joined(tally.same)}",) if tally.same else ()
    other = (f"but another {joined(tally.other)}",) if tally.other else ()
    return Likeness(score, (*same, *_where_and_when(missing, found), *other))


def miles_between(one: Described, other: Described) -> float | None:
    """As the crow flies; None unless both positions are known."""
    if one.latitude is None or one.longitude is None or other.latitude is None or other.longitude is None:
        return None
    north, north_too = radians(one.latitude), radians(other.latitude)
    height, width = (north_too - north) / 2, radians(other.longitude - one.longitude) / 2
    return 2 * EARTH_MILES * asin(min(1.0, hypot(sin(height), sqrt(cos(north) * cos(north_too)) * sin(width))))


def _breed(missing: Described, found: Described, tally: _Tally) -> None:
    if not missing.breeds or not found.breeds:
        return
    shared = missing.breeds & found.breeds
    if shared - BROAD_BREEDS - COMMON_BREEDS:
        tally.add(BREED_IS_SAME, same="breed")
    elif shared - BROAD_BREEDS:
        tally.add(COMMON_BREED_IS_SAME, same="breed")
    elif shared:
        tally.add(BREED_IS_BROADLY, same="kind of breed")
    else:
        tally.add(BREED_DIFFERS)  # two people seldom name the same breed: it is not held against it in words


def _color(missing: Described, found: Described, tally: _Tally) -> None:
    if not missing.shades or not found.shades:
        return
    agreement = alike(missing.shades, found.shades)
    if agreement == 1:
        tally.add(COLOR_IS_SAME, same="color")
    elif agreement >= 0.7:
        tally.add(COLOR_IS_NEAR, same="color, nearly")
    elif agreement >= 0.4:
        tally.add(COLOR_IS_PARTLY)
    else:
        tally.add(COLOR_DIFFERS, other="color")


def _collar(missing: Described, found: Described, tally: _Tally) -> None:
    if not missing.gear or not found.gear:
        return  # a collar comes off
    if missing.gear & found.gear:
        tally.add(COLLAR_IS_SAME, same="collar")
    else:
        tally.add(COLLAR_DIFFERS, other="collar")


def _marks(missing: Described, found: Described, tally: _Tally) -> None:
    if shared := missing.mark_words & found.mark_words:
        tally.add(min(MARK_IS_SAME * len(shared), MARKS_AT_MOST), same="marks")


def _sex(missing: Described, found: Described, tally: _Tally) -> None:
    if missing.sex and found.sex:
        if missing.sex == found.sex:
            tally.add(SEX_IS_SAME, same="sex")
        else:
            tally.add(SEX_DIFFERS, other="sex")


def _size(missing: Described, found: Described, tally: _Tally) -> None:
    if missing.size not in SIZES or found.size not in SIZES:
        return
    steps = abs(SIZES.index(missing.size) - SIZES.index(found.size))
    if steps == 0:
        tally.add(SIZE_IS_SAME, same="size")
    else:
        tally.add(SIZE_DIFFERS if steps == 1 else SIZE_IS_FAR_OFF, other="size")


def _by_place(missing: Described, found: Described) -> float:
    miles = miles_between(missing, found)
    if miles is not None:
        return _first(BY_MILES, miles)
    return PLACE_IS_SAME if missing.place_words & found.place_words else 0.0


def _where_and_when(missing: Described, found: Described) -> list[str]:
    miles = miles_between(missing, found)
    days = (found.on - missing.on).days
    where = f"{miles:.1f} miles" if miles is not None else ""
    if miles is None and missing.place_words & found.place_words:
        where = "same place by its name"
    when = {0: "same day", 1: "next day", -1: "a day earlier"}.get(days, f"{days} days later" if days > 0 else "")
    return [one for one in (where, when) if one]


def _first(steps: tuple[tuple[float, float], ...], value: float) -> float:
    """The weight of the first step that the value does not pass."""
    return next(weight for bound, weight in steps if value <= bound)
