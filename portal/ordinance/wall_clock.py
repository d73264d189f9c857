"""The clock on the wall, in the two nights in which it is changed too: it skips an hour, and shows one twice."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

SKIPPED = "That night the clock was put forward, and this time was skipped. Enter the time before it or after it"


def instants(day: date, clock: time, zone: ZoneInfo) -> tuple[datetime, ...]:
    """When the clock showed this on that day, the first time first: once, twice in fall, in spring perhaps never."""
    shown = datetime.combine(day, clock)
    found = {shown.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return tuple(sorted(at for at in found if at.astimezone(zone).replace(tzinfo=None, fold=0) == shown))


def stretch(day: date, start: time, end: time, zone: ZoneInfo) -> tuple[datetime | None, datetime | None]:
    """From when the clock showed the one until it next showed the other, that day or after midnight.

    None for each that it skipped. In the hour that comes twice an end before the start is its second time.
    """
    next_day = day + timedelta(days=1)
    began = next(iter(instants(day, start, zone)), None)
    ends = instants(day if end >= start else next_day, end, zone)
    if began and ends:
        ends = (*instants(day, end, zone), *instants(next_day, end, zone))
    return began, next((one for one in ends if began is None or one >= began), None)


def spoken_time(shown: time, *, seconds: bool = False) -> str:
    """`9:30 p.m.`: how every page, letter and sheet says a time; with its seconds where a deadline hangs on it."""
    second = f":{shown:%S}" if seconds else ""
    return f"{shown.hour % 12 or 12}:{shown:%M}{second} {'a.m.' if shown.hour < 12 else 'p.m.'}"
