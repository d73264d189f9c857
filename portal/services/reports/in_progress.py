"""A report being written: the questions in their order, and the answers so far as a draft keeps them (F1).

Nothing of it is checked here against the law: what happened may be told in any words, and everything but the kind and
the place may be left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from portal.ordinance.nuisances import Nuisance
from portal.services.plain_values import plain_values
from portal.services.reports.answers import (
    EpisodeAnswers,
    FileAnswers,
    Identity,
    ReportAnswers,
    details_of,
)
from portal.services.reports.draft import ReportDraft


class Step(StrEnum):
    """A page of the report."""

    WHERE = "where"
    WHEN = "when"
    LOG = "log"
    DETAILS = "details"
    ANIMAL = "animal"
    WORDS = "words"
    FILES = "files"
    WHO = "who"
    CONTACT = "contact"
    CHECK = "check"


class When(StrEnum):
    """How exactly somebody knows when it happened."""

    NOW = "now"
    ON_A_DAY = "on_a_day"
    UNSURE = "unsure"


@dataclass(frozen=True, kw_only=True)
class WhereAnswers:
    place: str
    latitude: float | None = None
    longitude: float | None = None
    may_be_outside: bool = False


@dataclass(frozen=True, kw_only=True)
class WhenAnswers:
    """`said_at` is when they said so; `clock` is the time of day, like 21:30, if they know it."""

    is_when: When
    said_at: datetime
    day: date | None = None
    clock: str = ""
    words: str = ""

    @property
    def on(self) -> date | None:
        """The civil day it happened on, if they know it."""
        return self.day if self.is_when is When.ON_A_DAY else None

    def at(self, zone: ZoneInfo) -> datetime | None:
        """The instant, where a day and a time are known; of an hour that comes twice, the first."""
        if self.is_when is When.NOW:
            return self.said_at
        if self.on is None or not self.clock:
            return None
        return datetime.combine(self.on, time.fromisoformat(self.clock), tzinfo=zone).astimezone(UTC)

    def said(self) -> str:
        """What an instant does not tell: the day without its time, and their own words."""
        is_day_alone = self.on is not None and not self.clock
        day = f"{self.on:%B} {self.on.day}, {self.on.year}" if self.on and is_day_alone else ""
        return ". ".join(part for part in (day, self.words) if part)


@dataclass(frozen=True, kw_only=True)
class AnimalAnswers:
    animal: str = ""
    whose: str = ""
    is_again: bool | None = None


@dataclass(frozen=True, kw_only=True)
class ContactAnswers:
    """Who they are, where they say so; `email` alone is where somebody without a name wishes to be written to."""

    name: str = ""
    email: str = ""
    phone: str = ""
    address: str = ""
    asks_not_public: bool = False


@dataclass(frozen=True, kw_only=True)
class BegunReport:
    """The answers so far. `key` makes sending it twice one report; `sent` is its reference once it was sent (R1)."""

    kind: Nuisance
    key: UUID = field(default_factory=uuid4)
    answered: tuple[Step, ...] = ()
    where: WhereAnswers | None = None
    when: WhenAnswers | None = None
    episodes: tuple[EpisodeAnswers, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    animal: AnimalAnswers = AnimalAnswers()
    narrative: str = ""
    is_named: bool | None = None
    contact: ContactAnswers = ContactAnswers()
    is_suspicious: bool = False
    sent: str | None = None
    is_mailed: bool = False

    @property
    def steps(self) -> tuple[Step, ...]:
        """The pages of this kind, in their order."""
        left_out = set()
        if self.kind is not Nuisance.BARKING:
            left_out.add(Step.LOG)
        if self.kind is Nuisance.OTHER:
            left_out.add(Step.DETAILS)  # everything is in their words
        return tuple(step for step in Step if step not in left_out)

    @property
    def next_step(self) -> Step:
        """The first page that was not answered; the check once all were."""
        return next(step for step in self.steps if step not in self.answered)

    def with_answer(self, step: Step, **changes: Any) -> "BegunReport":
        """One page answered, perhaps anew."""
        answered = self.answered if step in self.answered else (*self.answered, step)
        return replace(self, answered=answered, **changes)

    def as_kind(self, kind: Nuisance) -> "BegunReport":
        """About something else after all: what is asked of every report stays, and the log waits for its own."""
        if kind is self.kind:
            return self
        answered = tuple(step for step in self.answered if step not in (Step.DETAILS, Step.LOG))
        return replace(self, kind=kind, answered=answered, details={})

    def once_sent(self, reference: str, *, is_mailed: bool) -> "BegunReport":
        """What stays, so that the same form again leads to the same place; of a bite also the day, which counts.

        So does a log that was not sent with it: it is for a report about barking.
        """
        when = replace(self.when, words="") if self.when and self.kind is Nuisance.BITE else None
        return BegunReport(
            kind=self.kind,
            key=self.key,
            is_named=self.is_named,
            when=when,
            episodes=() if self.kind is Nuisance.BARKING else self.episodes,
            sent=reference,
            is_mailed=is_mailed,
        )

    def report(self, files: tuple[FileAnswers, ...], *, zone: ZoneInfo) -> ReportAnswers:
        """As it is sent."""
        if self.where is None:
            raise LookupError("A report without a place is not sent")
        when = self.when
        return ReportAnswers(
            kind=self.kind,
            place=self.where.place,
            latitude=self.where.latitude,
            longitude=self.where.longitude,
            is_outside_city=self.where.may_be_outside,
            happened_at=when.at(zone) if when else None,
            happened_text=(when.said() or None) if when else None,
            is_going_on=None if when is None or when.is_when is When.UNSURE else when.is_when is When.NOW,
            animal=self.animal.animal,
            whose=self.animal.whose,
            is_again=self.animal.is_again,
            narrative=self.narrative,
            details=details_of(self.kind, self.details),
            episodes=self.episodes if self.kind is Nuisance.BARKING else (),
            files=files,
            is_suspicious=self.is_suspicious,
        )

    def identity(self) -> Identity | None:
        """Who sends it, if they say so."""
        if not self.is_named:
            return None
        said = self.contact
        return Identity(
            name=said.name, email=said.email or None, phone=said.phone or None, address=said.address or None
        )


def drafted(begun: BegunReport, files: tuple[FileAnswers, ...]) -> ReportDraft:
    """As a draft keeps it."""
    return ReportDraft(plain_values().unstructure(begun), files)


def begun_in(draft: ReportDraft) -> BegunReport:
    """As a draft kept it."""
    return plain_values().structure(dict(draft.answers), BegunReport)
