"""Entries of a barking log as they come in: tapped on a phone, which may be late and its clock wrong, or typed.

Nothing here judges an entry. What a log shows is read by the ordinance (90.10(A)).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from portal.ordinance.finding import Refusal
from portal.ordinance.wall_clock import SKIPPED, stretch
from portal.schema.reports import EpisodeSource
from portal.services.plain_values import plain_values
from portal.services.refusal import Refused
from portal.services.reports.answers import MOST_EPISODES, TOO_MANY_EPISODES, EpisodeAnswers

ENTERED_LATE = timedelta(minutes=15)
"""An entry that comes in later than this after its end is marked as entered after the fact."""
CLOCKS_DIFFER = timedelta(minutes=1)
"""A phone whose clock is further off than this is read by the difference, which it tells when it sends."""

STILL_TO_COME = "This is still to come. Check the day and the times"


@dataclass(frozen=True)
class Tapped:
    """Barking noted by a phone: instants of its own clock, and an id that it made."""

    id: UUID
    started_at: datetime
    ended_at: datetime


def timed(taps: Iterable[Tapped], *, phone_says: datetime, now: datetime) -> tuple[EpisodeAnswers, ...]:
    """What a phone tapped, by our clock; `phone_says` is what its clock showed when it sent."""
    difference = now - phone_says
    correction = difference if abs(difference) > CLOCKS_DIFFER else timedelta(0)
    return tuple(
        EpisodeAnswers(
            id=one.id,
            started_at=one.started_at + correction,
            ended_at=max(one.started_at, one.ended_at) + correction,
            source=EpisodeSource.TIMER,
            is_backdated=now - (one.ended_at + correction) > ENTERED_LATE,
        )
        for one in taps
    )


def typed(
    day: date, start: time, end: time, *, key: UUID, heard_from: str | None, zone: ZoneInfo, now: datetime
) -> EpisodeAnswers:
    """What a person typed: an end before the start is after midnight.

    Raises Refused for what is still to come, and for a time that the clock skipped in spring.
    """
    started_at, ended_at = stretch(day, start, end, zone)
    if started_at is None:
        raise Refused([Refusal("report", SKIPPED, "started")])
    if ended_at is None:
        raise Refused([Refusal("report", SKIPPED, "ended")])
    if ended_at > now + CLOCKS_DIFFER:
        raise Refused([Refusal("report", STILL_TO_COME, "ended")])
    return EpisodeAnswers(
        id=key,
        started_at=started_at,
        ended_at=ended_at,
        source=EpisodeSource.TYPED,
        is_backdated=now - ended_at > ENTERED_LATE,
        heard_from=heard_from,
    )


def with_more(kept: Iterable[EpisodeAnswers], more: Iterable[EpisodeAnswers]) -> tuple[EpisodeAnswers, ...]:
    """A log that is not sent yet with more in it; the same entry again adds nothing. Raises Refused for too many."""
    found = {one.id: one for one in (*more, *kept)}
    if len(found) > MOST_EPISODES:
        raise Refused([Refusal("report", TOO_MANY_EPISODES.format(most=MOST_EPISODES))])
    return tuple(sorted(found.values(), key=lambda one: (one.started_at, str(one.id))))


def plain_episodes(episodes: Iterable[EpisodeAnswers]) -> list[dict[str, Any]]:
    """Entries as a draft keeps them."""
    found: list[dict[str, Any]] = plain_values().unstructure(list(episodes))
    return found


def episodes_of(stored: Iterable[Mapping[str, Any]]) -> tuple[EpisodeAnswers, ...]:
    """Entries as a draft kept them."""
    return tuple(plain_values().structure(list(stored), list[EpisodeAnswers]))
