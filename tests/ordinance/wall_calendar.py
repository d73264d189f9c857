"""Days counted with a finger on a wall calendar: slow, made from the words of the law, sharing nothing with the engine.

Every day of the calendar is a square with its date. A finger moves from square to square; nothing is added up.
"""

from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property

FIRST, LAST = date(2025, 1, 1), date(2033, 12, 31)
HANGING = [FIRST + timedelta(days=square) for square in range((LAST - FIRST).days + 1)]
PLACE = {day: place for place, day in enumerate(HANGING)}

# 645.44 subd. 5, as printed: the fixed ones by month and day, the others by month, weekday and which of them.
FIXED = [(1, 1), (6, 19), (7, 4), (11, 11), (12, 25)]
MOVING = [
    (1, "Monday", 3),  # Martin Luther King
    (2, "Monday", 3),  # Washington and Lincoln
    (5, "Monday", -1),  # Memorial
    (9, "Monday", 1),  # Labor
    (11, "Thursday", 4),  # Thanksgiving
]
INDIGENOUS_PEOPLES_DAY = (10, "Monday", 2)


def tomorrow(day: date) -> date:
    """The next square."""
    return HANGING[PLACE[day] + 1]


def yesterday(day: date) -> date:
    """The square before."""
    return HANGING[PLACE[day] - 1]


def name_of(day: date) -> str:
    """The weekday over the square."""
    return day.strftime("%A")


@dataclass(frozen=True)
class WallCalendar:
    """One city's calendar, with what it has chosen marked in red."""

    keeps_friday_after_thanksgiving: bool = False
    keeps_indigenous_peoples_day: bool = False
    closures: frozenset[date] = field(default=frozenset())

    @cached_property
    def red(self) -> frozenset[date]:
        """Legal holidays, each on the square where it is kept."""
        kept = [self._kept(day) for day in HANGING if (day.month, day.day) in FIXED]
        moving = [*MOVING, INDIGENOUS_PEOPLES_DAY] if self.keeps_indigenous_peoples_day else MOVING
        for year in range(FIRST.year, LAST.year + 1):
            for month, weekday, which in moving:
                named = [day for day in page(year, month) if name_of(day) == weekday]
                kept.append(named[which] if which < 0 else named[which - 1])
            if self.keeps_friday_after_thanksgiving:
                thanksgiving = [day for day in page(year, 11) if name_of(day) == "Thursday"][3]
                kept.append(tomorrow(thanksgiving))
        return frozenset(kept)

    @staticmethod
    def _kept(day: date) -> date:
        """A fixed holiday on a Saturday is kept the day before, on a Sunday the day after."""
        if name_of(day) == "Saturday" and day != FIRST:
            return yesterday(day)
        if name_of(day) == "Sunday" and day != LAST:
            return tomorrow(day)
        return day

    def is_omitted(self, day: date) -> bool:
        """645.15: a last day that is left out."""
        return name_of(day) in ("Saturday", "Sunday") or day in self.red

    def is_anybody_there(self, day: date) -> bool:
        """Whether somebody opens the door of the office."""
        return not self.is_omitted(day) and day not in self.closures


def page(year: int, month: int) -> list[date]:
    """The squares of one page."""
    return PAGES[year, month]


PAGES: dict[tuple[int, int], list[date]] = {}
for _day in HANGING:
    PAGES.setdefault((_day.year, _day.month), []).append(_day)


def after(start: date, days: int) -> date:
    """The last of so many days, the starting one left out."""
    for _ in range(days):
        start = tomorrow(start)
    return start


def inclusive(start: date, days: int) -> date:
    """The last of so many days, the starting one counted as the first."""
    counted = 1
    while counted < days:
        start, counted = tomorrow(start), counted + 1
    return start


def before(event: date, days: int) -> date:
    """So many days back."""
    for _ in range(days):
        event = yesterday(event)
    return event


def pages_on(start: date, months: int) -> date:
    """Turn so many pages: the square with the same number, or the last one of a shorter page."""
    year, month = start.year, start.month
    for _ in range(months):
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    same = [day for day in page(year, month) if day.day == start.day]
    return same[0] if same else page(year, month)[-1]


def last_day(raw: date, calendar: WallCalendar) -> date:
    """645.15: on to the first day that is not left out."""
    while calendar.is_omitted(raw):
        raw = tomorrow(raw)
    return raw


def shown_day(raw: date, calendar: WallCalendar) -> date:
    """The day itself, or the last one before it when somebody is there to take the paper."""
    while not calendar.is_anybody_there(raw):
        raw = yesterday(raw)
    return raw


def held_through(seized: date, days: int, calendar: WallCalendar) -> date:
    """90.07(C): through so many days on which the pound is open; here from Monday to Friday, all day."""
    for _ in range(days):
        seized = tomorrow(seized)
        while not calendar.is_anybody_there(seized):
            seized = tomorrow(seized)
    return seized
