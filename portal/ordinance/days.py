"""Civil days as Minnesota counts them: months, business days and the opening days of a pound (645.14, 645.15, 346.47).

All days are civil dates where the city is.
"""

from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Protocol

ONE_DAY = timedelta(days=1)
SATURDAY = 5
MONTHS_IN_A_YEAR = 12

# 346.47 subd. 1(2): a regular business day has four consecutive hours of opening between 8 a.m. and 7 p.m.
BUSINESS_OPENS = time(8)
BUSINESS_CLOSES = time(19)
BUSINESS_MINUTES = 4 * 60


class HolidayCalendar(Protocol):
    """The days on which the law or the city rests."""

    def is_legal_holiday(self, day: date) -> bool:
        """645.44 subd. 5: a legal holiday, with what the city has chosen to add to it."""
        ...

    def is_closed(self, day: date) -> bool:
        """Whether the city's offices are closed for a holiday or a closure of their own (weekends aside)."""
        ...


@dataclass(frozen=True, slots=True)
class Opening:
    """One stretch of opening on a day, local time."""

    opens: time
    closes: time


OpeningHours = Mapping[int, tuple[Opening, ...]]
"""Openings by weekday, Monday 0 to Sunday 6; a day that is missing is closed."""


def add_months(day: date, months: int) -> date:
    """645.14: the same-numbered day `months` later (or earlier), or the last day of a shorter month."""
    count = day.year * MONTHS_IN_A_YEAR + day.month - 1 + months
    year, month = count // MONTHS_IN_A_YEAR, count % MONTHS_IN_A_YEAR + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def add_years(day: date, years: int) -> date:
    """645.14: the same day `years` later; 29 February becomes 28 February in a shorter year."""
    return add_months(day, years * MONTHS_IN_A_YEAR)


def spoken(day: date) -> str:
    """A civil date in words, as sentences about the law print it: March 1, 2027 (645.14 counts in civil days)."""
    return f"{day:%B} {day.day}, {day.year}"


def is_legal_business_day(day: date, calendar: HolidayCalendar) -> bool:
    """645.15: neither Saturday, Sunday nor a legal holiday."""
    return day.weekday() < SATURDAY and not calendar.is_legal_holiday(day)


def is_office_day(day: date, calendar: HolidayCalendar) -> bool:
    """A legal business day (645.15) on which the city has not closed its offices."""
    return day.weekday() < SATURDAY and not calendar.is_closed(day)


def rolled_forward(day: date, calendar: HolidayCalendar) -> date:
    """645.15: a last day that falls on a Saturday, a Sunday or a legal holiday is left out."""
    while not is_legal_business_day(day, calendar):
        day += ONE_DAY
    return day


def office_day_on_or_before(day: date, calendar: HolidayCalendar) -> date:
    """The day itself, or the last one before it (645.15) when the city's offices are open: the safe day to name."""
    while not is_office_day(day, calendar):
        day -= ONE_DAY
    return day


def office_day_after(day: date, count: int, calendar: HolidayCalendar) -> date:
    """The `count`-th office day (645.15) after a day, which itself is left out: for what the city promises to do."""
    while count:
        day += ONE_DAY
        count -= is_office_day(day, calendar)
    return day


def is_regular_business_day(day: date, hours: OpeningHours, calendar: HolidayCalendar) -> bool:
    """346.47 subd. 1(2): open to the public four consecutive hours between 8 a.m. and 7 p.m., by its own hours."""
    if calendar.is_closed(day) or calendar.is_legal_holiday(day):
        return False
    return _longest_business_minutes(hours.get(day.weekday(), ())) >= BUSINESS_MINUTES


def _longest_business_minutes(openings: tuple[Opening, ...]) -> int:
    """The longest unbroken opening inside the business hours of 346.47, in minutes; touching openings join."""
    longest = start = end = 0
    for opening in sorted(openings, key=lambda opening: opening.opens):
        opens = _minutes(max(opening.opens, BUSINESS_OPENS))
        closes = _minutes(min(opening.closes, BUSINESS_CLOSES))
        if opens > end:
            start = opens
        end = max(end, closes)
        longest = max(longest, end - start)
    return longest


def _minutes(moment: time) -> int:
    return moment.hour * 60 + moment.minute
