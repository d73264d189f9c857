"""A barking log day by day, to list and to draw. What counts, and on which day, the ordinance says (90.10(A))."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from portal.ordinance.barking import Episode, is_counted, read_log, shown, spoken_length
from portal.ordinance.finding import Finding

MINUTES_A_DAY = 24 * 60
NARROWEST = 1  # minutes: a shorter bar would not be seen
LEAST_HOURS = 2


@dataclass(frozen=True)
class Bar:
    """A part of the day's line, in minutes after midnight by the city's clock."""

    begins: int
    width: int
    is_counted: bool


@dataclass(frozen=True)
class Interval:
    """An interval as it is listed."""

    started_at: datetime
    ended_at: datetime
    length: str
    is_counted: bool


@dataclass
class LogDay:
    """One day of a log."""

    day: date
    intervals: list[Interval] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)

    @property
    def hours(self) -> tuple[int, int]:
        """The hours that are drawn: those in which something was heard, and two at least."""
        first = min(bar.begins for bar in self.bars) // 60
        last = -(-max(bar.begins + bar.width for bar in self.bars) // 60)
        return min(first, 24 - LEAST_HOURS), max(last, min(first, 24 - LEAST_HOURS) + LEAST_HOURS)


@dataclass(frozen=True)
class ShownLog:
    """What a log shows so far, and its days, the newest first."""

    finding: Finding
    days: list[LogDay]
    counted: int
    days_counted: int


def shown_log(episodes: Iterable[Episode], *, zone: ZoneInfo) -> ShownLog:
    """The log as a page shows it."""
    reading = read_log(episodes, zone=zone)
    days: dict[date, LogDay] = {}
    for one in reading.intervals:
        counts = is_counted(one)
        began = one.started_at.astimezone(zone)
        on = days.setdefault(began.date(), LogDay(began.date()))
        on.intervals.append(Interval(one.started_at, one.ended_at, spoken_length(one.length), counts))
        for day, bar in _bars(began, one.ended_at.astimezone(zone), is_counted=counts):
            days.setdefault(day, LogDay(day)).bars.append(bar)
    return ShownLog(
        finding=shown(reading),
        days=sorted(days.values(), key=lambda one: one.day, reverse=True),
        counted=len(reading.counted),
        days_counted=len(reading.counted_by_day),
    )


def _bars(began: datetime, ended: datetime, *, is_counted: bool) -> Iterable[tuple[date, Bar]]:
    """What goes past midnight is drawn on each of its days."""
    day = began.date()
    while day <= ended.date():
        first = _minute(began) if day == began.date() else 0
        last = _minute(ended) if day == ended.date() else MINUTES_A_DAY
        begins = min(first, MINUTES_A_DAY - NARROWEST)
        yield day, Bar(begins, max(last - begins, NARROWEST), is_counted)
        day += timedelta(days=1)


def _minute(moment: datetime) -> int:
    return moment.hour * 60 + moment.minute
