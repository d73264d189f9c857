"""The legal holidays of the city's state, from the `holidays` package, and the city's own choices (645.44 subd. 5)."""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

import holidays as almanac

NOVEMBER, OCTOBER = 11, 10
MONDAY, THURSDAY = 0, 3


@dataclass(frozen=True)
class BusinessCalendar:
    """The `HolidayCalendar` of one city. Fixed holidays on a Saturday are kept on Friday, on a Sunday on Monday."""

    state: str
    keeps_friday_after_thanksgiving: bool = False
    keeps_indigenous_peoples_day: bool = False
    closure_days: frozenset[date] = frozenset()

    def is_legal_holiday(self, day: date) -> bool:
        """645.44 subd. 5: the state's holidays and the two that a city may add."""
        return self.holiday_name(day) is not None

    def is_closed(self, day: date) -> bool:
        """A holiday, or a day the city closes for reasons of its own."""
        return day in self.closure_days or self.is_legal_holiday(day)

    def holiday_name(self, day: date) -> str | None:
        """What the holiday is called, if the day is one."""
        if self.keeps_friday_after_thanksgiving and day == friday_after_thanksgiving(day.year):
            return "Day after Thanksgiving"
        if self.keeps_indigenous_peoples_day and day == indigenous_peoples_day(day.year):
            return "Indigenous Peoples Day"
        return _state_holidays(self.state, day.year).get(day)


def friday_after_thanksgiving(year: int) -> date:
    """645.44 subd. 5: the Friday after the fourth Thursday of November, each local government's choice."""
    return _nth_weekday(year, NOVEMBER, THURSDAY, 4) + timedelta(days=1)


def indigenous_peoples_day(year: int) -> date:
    """645.44 subd. 5: the second Monday of October, formerly Columbus Day."""
    return _nth_weekday(year, OCTOBER, MONDAY, 2)


def _nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))


@lru_cache(maxsize=256)
def _state_holidays(state: str, year: int) -> dict[date, str]:
    """One year's holidays. A fresh calendar each time: the package's own, shared by threads, grows while it is read."""
    return dict(almanac.country_holidays("US", subdiv=state, years=year, expand=False))


def is_known_state(state: str) -> bool:
    """Whether the almanac knows the holidays of a state, by its two letters."""
    return state in almanac.country_holidays("US").subdivisions
