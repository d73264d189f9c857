"""Habitual barking: what a log of it shows beside the words of 90.10(A). It never says that the section was broken.

"Barking for repeated intervals of at least three minutes with less than one minute of interruption." A log holds
episodes, each from when barking began to when it was last heard. Episodes that are less than a minute apart are one
interval; an interval of three minutes or more is one of those the section speaks of. Whether they are repeated, and
whether the section was broken, is for an officer and a court.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from portal.ordinance.citation import Rule
from portal.ordinance.finding import Finding

LONGEST_INTERRUPTION = timedelta(minutes=1)
"""90.10(A): an interruption shorter than this does not end an interval."""
SHORTEST_INTERVAL = timedelta(minutes=3)
"""90.10(A): an interval at least this long counts."""


@dataclass(frozen=True, slots=True, order=True)
class Episode:
    """Barking that somebody heard: instants, the end not before the start."""

    started_at: datetime
    ended_at: datetime

    def __post_init__(self) -> None:
        """Raises ValueError for an end before the start, which no log can hold."""
        if self.ended_at < self.started_at:
            raise ValueError("Barking can't end before it begins")

    @property
    def length(self) -> timedelta:
        return self.ended_at - self.started_at


@dataclass(frozen=True, slots=True)
class LogReading:
    """What a log shows: its intervals in order, and how many of three minutes or more began on each civil day."""

    intervals: tuple[Episode, ...]
    counted_by_day: Mapping[date, int]

    @property
    def counted(self) -> tuple[Episode, ...]:
        """90.10(A): the intervals of three minutes or more."""
        return tuple(interval for interval in self.intervals if is_counted(interval))

    @property
    def is_repeated(self) -> bool:
        """90.10(A) speaks of repeated intervals: two or more."""
        return len(self.counted) > 1


def joined(episodes: Iterable[Episode]) -> tuple[Episode, ...]:
    """90.10(A): the intervals of a log, episodes with less than a minute between them joined; overlaps too."""
    intervals: list[Episode] = []
    for episode in sorted(episodes):
        last = intervals[-1] if intervals else None
        if last and episode.started_at - last.ended_at < LONGEST_INTERRUPTION:
            intervals[-1] = Episode(last.started_at, max(last.ended_at, episode.ended_at))
        else:
            intervals.append(episode)
    return tuple(intervals)


def is_counted(interval: Episode) -> bool:
    """90.10(A): three minutes or more."""
    return interval.length >= SHORTEST_INTERVAL


def read_log(episodes: Iterable[Episode], *, zone: tzinfo) -> LogReading:
    """90.10(A): what a log shows so far. An interval belongs to the day it began on, by the city's clock `zone`."""
    intervals = joined(episodes)
    days = Counter(interval.started_at.astimezone(zone).date() for interval in intervals if is_counted(interval))
    return LogReading(intervals, dict(sorted(days.items())))


def shown(reading: LogReading) -> Finding:
    """90.10(A): the log beside the section, in words for the person who keeps it. A log is never refused."""
    if not reading.intervals:
        return Finding(Rule.BARKING, "Nothing is in the log yet")
    count = len(reading.counted)
    if not count:
        longest = max(interval.length for interval in reading.intervals)
        return Finding(
            Rule.BARKING,
            f"The longest barking in the log is {spoken_length(longest)}. The rule speaks of repeated intervals of at "
            "least three minutes. You can send the log all the same: an officer looks at every one",
        )
    if not reading.is_repeated:
        return Finding(
            Rule.BARKING,
            "The log shows one interval of at least three minutes. The rule speaks of repeated ones. You can send the "
            "log now and add to it",
        )
    days = len(reading.counted_by_day)
    on = "on one day" if days == 1 else f"on {days} days"
    return Finding(Rule.BARKING, f"The log shows {count} intervals of at least three minutes, {on}")


def heard_together(one: Iterable[Episode], other: Iterable[Episode]) -> tuple[Episode, ...]:
    """When two households heard barking at the same time, for the officer alone (90.11(A)).

    What both logs hold, joined as 90.10(A) joins: each part begins when the later of the two began and ends when the
    earlier one ended.
    """
    parts = [
        Episode(max(mine.started_at, theirs.started_at), min(mine.ended_at, theirs.ended_at))
        for mine in joined(one)
        for theirs in joined(other)
        if mine.started_at <= theirs.ended_at and theirs.started_at <= mine.ended_at
    ]
    return tuple(sorted(parts))


def spoken_length(length: timedelta) -> str:
    """`2 minutes 5 seconds`: how a length is said to people, whole seconds, nothing left out.

    Typed times are whole minutes: what ends in the minute it began lasted less than one.
    """
    seconds = int(length.total_seconds())
    hours, minutes, seconds = seconds // 3600, seconds % 3600 // 60, seconds % 60
    parts = [(hours, "hour"), (minutes, "minute"), (seconds, "second")]
    said = [f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in parts if count]
    return " ".join(said) or "less than a minute"
