"""License years: which may be applied for on a day, and how long a license runs.

90.04(B)(5) speaks of "the year for which it is issued" and of "the license period" without dates, so the city says on
which day a license year begins, for how many years a license is issued, and how early it may be renewed. "License year"
is what a license is issued for, also where that is two years or three.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from portal.ordinance.days import ONE_DAY


@dataclass(frozen=True, slots=True)
class YearStart:
    """The month and day on which every license year begins; 29 February is not one.

    From the license year `since` on, each runs for so many `years`, one after the other; each before it runs for one.
    """

    month: int = 1
    day: int = 1
    years: int = 1
    since: int = 0


CALENDAR_YEAR = YearStart()


@dataclass(frozen=True, slots=True)
class LicenseYear:
    """One license year, both days included. `number` is what the tag is stamped with (90.04(B)(5))."""

    number: int
    starts_on: date
    ends_on: date

    @property
    def label(self) -> str:
        """How the year is spoken of: 2027, or 2026-2027 when it is not a calendar year."""
        if self.starts_on.year == self.ends_on.year:
            return str(self.number)
        return f"{self.starts_on.year}-{self.ends_on.year}"


class Validity(StrEnum):
    """Where a license stands on a day."""

    NOT_BEGUN = "not_begun"
    IN_FORCE = "in_force"
    EXPIRED = "expired"


def license_year(number: int, start: YearStart = CALENDAR_YEAR) -> LicenseYear:
    """90.04(B)(5): the license year that begins in the calendar year `number`, or has the one that would."""
    runs_for = 1 if number < start.since else start.years
    first = number - (number - start.since) % runs_for
    ends_before = date(first + runs_for, start.month, start.day)
    return LicenseYear(first, date(first, start.month, start.day), ends_before - ONE_DAY)


def license_year_of(day: date, start: YearStart = CALENDAR_YEAR) -> LicenseYear:
    """90.04(B)(5): the license year that `day` lies in."""
    has_begun = date(day.year, start.month, start.day) <= day
    return license_year(day.year if has_begun else day.year - 1, start)


def following(year: LicenseYear, start: YearStart = CALENDAR_YEAR) -> LicenseYear:
    """The license year after this one."""
    return license_year_of(year.ends_on + ONE_DAY, start)


def preceding(year: LicenseYear, start: YearStart = CALENDAR_YEAR) -> LicenseYear:
    """The license year before this one."""
    return license_year_of(year.starts_on - ONE_DAY, start)


def years_open(on: date, start: YearStart = CALENDAR_YEAR, *, renewal_window_days: int) -> tuple[LicenseYear, ...]:
    """90.04(B)(5): the years that may be applied for on a day: this one, and the next once its window is open.

    The window opens so many days before the next year begins. The owner chooses when there are two.
    """
    this = license_year_of(on, start)
    coming = following(this, start)
    if on < coming.starts_on - timedelta(days=renewal_window_days):
        return (this,)
    return (this, coming)


def valid_from(year: LicenseYear, *, issued_on: date) -> date:
    """90.04(B)(5): a license runs from its issue, or from the first day of its year if it was issued before.

    One that is issued when its year is over counts for the last day of it.
    """
    return min(max(year.starts_on, issued_on), year.ends_on)


def validity(year: LicenseYear, *, issued_on: date, on: date) -> Validity:
    """90.04(B)(5): in force to the end of its year. A rabies certificate that lapses meanwhile does not shorten it."""
    if on > year.ends_on:
        return Validity.EXPIRED
    if on < valid_from(year, issued_on=issued_on):
        return Validity.NOT_BEGUN
    return Validity.IN_FORCE
