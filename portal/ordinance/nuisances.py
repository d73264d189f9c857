"""What people report about animals: which section speaks of it, and what helps an officer (90.10, 90.11).

Nothing here is a verdict. A report is kept whatever it says; whether a section was broken is for an officer and a
court.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from types import MappingProxyType

from portal.ordinance.citation import Rule
from portal.ordinance.deadlines import Term, Trigger, min_confinement
from portal.ordinance.finding import Finding
from portal.ordinance.periods import QUARANTINE


class Nuisance(StrEnum):
    """What happened, in the reporter's words."""

    BARKING = "barking"
    DAMAGE = "damage"
    CHASING = "chasing"
    BITE = "bite"
    LITTER = "litter"
    AT_LARGE = "at_large"
    NEGLECT = "neglect"
    DEAD_ANIMAL = "dead_animal"
    STRAY = "stray"
    OTHER = "other"


ACCUSES_NOBODY = frozenset({Nuisance.DEAD_ANIMAL, Nuisance.STRAY})
"""A report of these says nothing against anybody: only these may ever stand in a public list (13.44, 13.82)."""
URGENT = frozenset({Nuisance.BITE})
"""90.08(A)(1): potential exposure to rabies is reported to the Animal Control Officer promptly."""


@dataclass(frozen=True, slots=True)
class Section:
    """The section that speaks of it, in plain words, and what an officer can act on."""

    rule: str | None
    """None where no one section speaks of it."""
    says: str
    helps: tuple[str, ...]


_WHOSE = "Whose animal it may be, and where it lives"
_LOOKS = "What the animal looks like"
_PHOTOS = "Photos"

_SECTIONS = {
    Nuisance.BARKING: Section(
        Rule.BARKING,
        "A dog must not bark or cry habitually: for repeated intervals of at least three minutes, with less than one "
        "minute of interruption, so that it is heard off the premises where the dog is kept",
        ("A log of when the barking began and when you last heard it", "Where you heard it from", _WHOSE),
    ),
    Nuisance.DAMAGE: Section(
        Rule.DAMAGE,
        "A dog or other animal must not damage a lawn, a garden or other property, whether or not its owner knows",
        ("What was damaged and whose it is", "What it may cost to mend", _PHOTOS, _LOOKS),
    ),
    Nuisance.CHASING: Section(
        Rule.CHASING,
        "An animal must not chase or aggressively approach pedestrians, bicycles, vehicles or other animals on a "
        "street, roadway, bridle path, park or parkway",
        ("Who or what was chased", "On which street, path or park", "Whether it touched or hurt anybody", _LOOKS),
    ),
    Nuisance.BITE: Section(
        Rule.QUARANTINE,
        "A bite is reported to the Animal Control Officer promptly. The animal is kept apart for at least ten days, "
        "and is released only by written permission of the city",
        ("Who was bitten, and when", "Where the animal is now", _WHOSE, _LOOKS),
    ),
    Nuisance.LITTER: Section(
        Rule.LITTER_CLEANUP,
        "Whoever has an animal cleans up its feces, on their own property, on that of others and on public property",
        ("Where it lies", "When you saw it", _WHOSE, _PHOTOS),
    ),
    Nuisance.AT_LARGE: Section(
        Rule.AT_LARGE,
        "A dog or cat must not run at large: off its owner's premises and not under anybody's control",
        ("Where you saw it, and which way it went", "When", _LOOKS, _WHOSE),
    ),
    Nuisance.NEGLECT: Section(
        Rule.BASIC_CARE,
        "Whoever keeps an animal gives it the basic care that the section lists, such as food, water and shelter",
        ("What the animal lacks", "Since when", "Where it can be seen from", _PHOTOS),
    ),
    Nuisance.DEAD_ANIMAL: Section(
        Rule.DEAD_ANIMAL,
        "A dead animal is taken away within twelve hours, and is not buried or left in the city",
        ("Where it lies", "What animal it is", "Whether it wears a tag"),
    ),
    Nuisance.STRAY: Section(
        Rule.FOUND_ANIMAL,
        "Whoever takes in an animal at large tells the police within two hours",
        ("Where it is now", "When it was taken in", "What it looks like, and whether it wears a tag"),
    ),
    Nuisance.OTHER: Section(
        None,
        "An officer reads every report and sees which section speaks of it",
        ("What happened, where and when", _LOOKS, _WHOSE),
    ),
}
SECTIONS: Mapping[Nuisance, Section] = MappingProxyType(_SECTIONS)


def anonymous() -> Finding:
    """90.11(A)(1): an officer may seize an animal on private property only where an identified person complained."""
    return Finding(
        Rule.SEIZURE,
        "Your report is kept and an officer reads it. Without a name it can't alone support taking an animal from "
        "private property. You can add your name later",
    )


def quarantine(bitten_on: date) -> Term:
    """90.08(A)(1): at least ten days from the bite; the day it ends is not by itself a release."""
    return min_confinement(QUARANTINE, Trigger(bitten_on, "the day of the bite, as reported"))


def bite(bitten_on: date) -> Finding:
    """90.08(A)(1): what follows a bite, in words for whoever reports it."""
    last = quarantine(bitten_on).last_day
    return Finding(
        Rule.QUARANTINE,
        f"The animal is kept apart at least until {last:%A}, {last:%B} {last.day}, {last.year}, and is released only "
        "by written permission of the city",
    )
