"""Whoever takes in an animal at large tells the police within two hours (90.11(B))."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from portal.ordinance.deadlines import HourLimit, within_hours
from portal.ordinance.periods import REPORT_FOUND_ANIMAL
from portal.ordinance.wall_clock import instants


def taken_in_at(clock_time: time, *, now: datetime, zone: ZoneInfo) -> datetime | None:
    """The last time the clock on the wall showed this, as an instant; None where it skipped it meanwhile.

    In the night in which an hour comes twice it is the first of the two: the earlier limit is the one to keep to.
    """
    here = now.astimezone(zone)
    today = here.date()
    for day in (today, today - timedelta(days=1)):
        shown = instants(day, clock_time, zone)
        if not shown and (day, clock_time) < (today, here.time()):
            return None
        if shown and shown[0] <= now:
            return shown[0]
    raise ValueError("Yesterday is always over")


def report_by(confined_at: datetime) -> HourLimit:
    """90.11(B): two elapsed hours from the confining, whatever the clock on the wall does meanwhile."""
    return within_hours(REPORT_FOUND_ANIMAL, confined_at)
