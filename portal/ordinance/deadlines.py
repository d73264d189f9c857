"""The deadline engine: the kinds of clock in chapter 90 and how each counts its days.

The earliest defensible day is the one to show; whatever comes later is accepted and marked, never refused.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from portal.ordinance.days import (
    ONE_DAY,
    HolidayCalendar,
    OpeningHours,
    add_months,
    add_years,
    is_regular_business_day,
    office_day_on_or_before,
    rolled_forward,
)

# How far a hold is looked for before the opening hours are called empty (no rule sets it).
SEARCHED = timedelta(days=366)


class Kind(StrEnum):
    """How a period is counted."""

    ACT_BY = "act_by"
    ACT_BY_INCLUSIVE = "act_by_inclusive"
    NOTICE_BEFORE = "notice_before"
    MIN_HOLD = "min_hold"
    MIN_CONFINEMENT = "min_confinement"
    HOURS = "hours"
    MONTHS = "months"
    YEARS = "years"


@dataclass(frozen=True, slots=True)
class Period:
    """A length of time set by a rule: `length` is in days, business days, hours, months or years, as `kind` says."""

    rule: str
    kind: Kind
    length: int
    trigger: str
    """What starts the clock, in words."""
    deed: str
    """What has to be done, or may be done, in words."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """What started a clock and how we know: the date on a notice, when it was sent, when it was received."""

    on: date
    evidence: str


@dataclass(frozen=True, slots=True)
class Deadline:
    """A day by which to act. `show_by` is what a person is told; `legal_last_day` is what counts as late."""

    period: Period
    trigger: Trigger
    raw_date: date
    legal_last_day: date
    show_by: date
    basis: str

    def is_late(self, on: date) -> bool:
        """645.15: only the day after the legal last day is late."""
        return on > self.legal_last_day


@dataclass(frozen=True, slots=True)
class Term:
    """A stretch of time that ends with `last_day`, without rolling: a hold, a confinement, months or years."""

    period: Period
    trigger: Trigger
    last_day: date
    basis: str
    needs_written_release: bool = False


@dataclass(frozen=True, slots=True)
class HourLimit:
    """An instant by which to act. Both instants are UTC."""

    period: Period
    started_at: datetime
    due_at: datetime
    basis: str


def act_by(period: Period, trigger: Trigger, calendar: HolidayCalendar) -> Deadline:
    """645.15: leave out the first day, count the last; a last day on a weekend or holiday rolls forward."""
    _check(period, Kind.ACT_BY)
    raw = trigger.on + timedelta(days=period.length)
    return _rolling(period, trigger, raw, calendar, "the first day is left out and the last one counts")


def act_by_inclusive(period: Period, trigger: Trigger, calendar: HolidayCalendar) -> Deadline:
    """90.13(E)(2): the day of the trigger is day one. A last day on a weekend or holiday still rolls (645.15)."""
    _check(period, Kind.ACT_BY_INCLUSIVE)
    raw = trigger.on + timedelta(days=period.length - 1)
    return _rolling(period, trigger, raw, calendar, "the first day counts")


def notice_before(period: Period, trigger: Trigger, calendar: HolidayCalendar) -> Deadline:
    """90.13(N): at least so many days before the event. Counted back, it never rolls forward."""
    _check(period, Kind.NOTICE_BEFORE)
    raw = trigger.on - timedelta(days=period.length)
    basis = f"{period.length} days counted back from {period.trigger}; the day never rolls forward"
    return Deadline(period, trigger, raw, raw, office_day_on_or_before(raw, calendar), basis)


def min_hold(period: Period, trigger: Trigger, hours: OpeningHours, calendar: HolidayCalendar) -> Term:
    """90.07(C), 346.47: through so many regular business days of whoever has custody, the first day left out.

    Raises ValueError when the custodian's opening hours hold no regular business day at all.
    """
    _check(period, Kind.MIN_HOLD)
    day, counted = trigger.on, 0
    while counted < period.length:
        day += ONE_DAY
        counted += is_regular_business_day(day, hours, calendar)
        if day > trigger.on + SEARCHED:
            raise ValueError("These opening hours hold no regular business day within a year")
    basis = f"{period.length} regular business days of the pound, the day of {period.trigger} left out"
    return Term(period, trigger, day, basis)


def min_confinement(period: Period, trigger: Trigger) -> Term:
    """90.08(A)(1): not less than so many days; `last_day` is the first day on which a written release can end it."""
    _check(period, Kind.MIN_CONFINEMENT)
    last_day = trigger.on + timedelta(days=period.length)
    basis = f"not less than {period.length} days from {period.trigger}, and only by written release"
    return Term(period, trigger, last_day, basis, needs_written_release=True)


def within_hours(period: Period, started_at: datetime) -> HourLimit:
    """90.11(B), 90.12(E): elapsed hours. Nights, weekends, holidays and the change of the clocks do not stop them."""
    _check(period, Kind.HOURS)
    if started_at.utcoffset() is None:
        raise ValueError("An hour limit starts at an instant with its time zone")
    start = started_at.astimezone(UTC)
    basis = f"{period.length} elapsed hours from {period.trigger}"
    return HourLimit(period, start, start + timedelta(hours=period.length), basis)


def term(period: Period, trigger: Trigger) -> Term:
    """645.14: months or years to the same-numbered day, or the last day of a shorter month; no weekend roll."""
    if period.kind is Kind.MONTHS:
        last_day = add_months(trigger.on, period.length)
    else:
        _check(period, Kind.YEARS)
        last_day = add_years(trigger.on, period.length)
    basis = f"{period.length} {period.kind} from {period.trigger}, to the same-numbered day; it does not roll"
    return Term(period, trigger, last_day, basis)


def _rolling(period: Period, trigger: Trigger, raw: date, calendar: HolidayCalendar, counting: str) -> Deadline:
    legal = rolled_forward(raw, calendar)
    basis = f"{period.length} days from {period.trigger}; {counting}"
    if legal != raw:
        basis += "; the last day is a weekend or a holiday, so the next business day is the last"
    return Deadline(period, trigger, raw, legal, office_day_on_or_before(raw, calendar), basis)


def _check(period: Period, kind: Kind) -> None:
    if period.kind is not kind:
        raise ValueError(f"{period.rule} is counted as {period.kind}, not as {kind}")
