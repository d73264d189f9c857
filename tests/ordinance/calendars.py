"""A calendar for law tests: 645.44's holidays as plain dates, so that these tests need nothing installed."""

from dataclasses import dataclass
from datetime import date, time

from portal.ordinance.days import Opening, OpeningHours

HOLIDAYS = frozenset(
    date.fromisoformat(day)
    for day in (
        "2026-06-19",
        "2026-07-03",
        "2026-11-11",
        "2026-11-26",
        "2026-12-25",
        "2027-01-01",
        "2027-01-18",
        "2027-02-15",
        "2027-05-31",
        "2027-06-18",
        "2027-07-05",
    )
)
FRIDAY_AFTER_THANKSGIVING = date(2026, 11, 27)


@dataclass(frozen=True)
class PlainCalendar:
    """The two questions the law asks, answered from two sets."""

    holidays: frozenset[date] = HOLIDAYS
    closures: frozenset[date] = frozenset()

    def is_legal_holiday(self, day: date) -> bool:
        return day in self.holidays

    def is_closed(self, day: date) -> bool:
        return day in self.holidays or day in self.closures


STATE = PlainCalendar()
STATE_AND_FRIDAY = PlainCalendar(HOLIDAYS | {FRIDAY_AFTER_THANKSGIVING})
CLOSED_ON_FRIDAY = PlainCalendar(closures=frozenset({FRIDAY_AFTER_THANKSGIVING}))


def weekdays(opens: str = "08:00", closes: str = "16:30") -> OpeningHours:
    """The same opening from Monday to Friday."""
    return dict.fromkeys(range(5), (opening(opens, closes),))


def opening(opens: str, closes: str) -> Opening:
    """One opening, from two times in words."""
    return Opening(time.fromisoformat(opens), time.fromisoformat(closes))
