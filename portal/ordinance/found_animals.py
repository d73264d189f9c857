"""Whoever takes in an animal at large tells the police within two hours (90.11(B))."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from portal.ordinance.deadlines import HourLimit, within_hours
from portal.ordinance.periods import REPORT_FOUND_ANIMAL


def taken_in_at(clock_time: time, *, now: datetime, zone: ZoneInfo) -> datetime:
    """The last time the clock on the wall showed this, as an instant.

    In the night in which an hour comes twice it is the first of the two: the earlier limit is the one to keep to.
    """
    today = now.astimezone(zone).date()
    for day in (today, today - timedelta(days=1)):
        # fold=0 is the first of two equal times, and it is said so because the law's arithmetic hangs on it.
        instant = datetime.combine(day, clock_time, tzinfo=zone).replace(fold=0).astimezone(UTC)
        if instant <= now:
            return instant
    raise ValueError("Yesterday is always over")


def report_by(confined_at: datetime) -> HourLimit:
    """90.11(B): two elapsed hours from the confining, whatever the clock on the wall does meanwhile."""
    return within_hours(REPORT_FOUND_ANIMAL, confined_at)
