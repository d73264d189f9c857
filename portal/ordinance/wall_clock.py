"""The clock on the wall, in the two nights in which it is changed too: it skips an hour, and shows one twice."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

SKIPPED = "That night the clock was put forward, and this time was skipped. Enter the time before it or after it"


def instants(day: date, clock: time, zone: ZoneInfo) -> tuple[datetime, ...]:
    """When the clock showed this on that day, the first time first: once, twice in fall, in spring perhaps never."""
    shown = datetime.combine(day, clock)
    found = {shown.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return tuple(sorted(at for at in found if at.astimezone(zone).replace(tzinfo=None, fold=0) == shown))
