"""What a look at one part of the installation found, and how it is put right."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from portal.settings import Settings


class Weight(StrEnum):
    """Whether something has to be done."""

    WELL = "ok"
    ADVICE = "advice"
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. `fix` is a sentence for whoever can put it right."""

    about: str
    weight: Weight
    said: str
    fix: str = ""


@dataclass(frozen=True)
class Installation:
    """What is looked at: the settings, and the database where one answers to them (PostgreSQL itself, no pooler)."""

    settings: Settings
    database_url: str | None


Look = Callable[[Installation], Iterator[Finding]]


def well(about: str, said: str) -> Finding:
    return Finding(about, Weight.WELL, said)


def advice(about: str, said: str, fix: str) -> Finding:
    return Finding(about, Weight.ADVICE, said, fix)


def wrong(about: str, said: str, fix: str) -> Finding:
    return Finding(about, Weight.WRONG, said, fix)
