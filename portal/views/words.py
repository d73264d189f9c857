"""How values are written on a page: dates, money, rules."""

import json
from calendar import day_name, month_name
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path

from flask import Flask, g, request
from sqlalchemy.exc import OperationalError

from portal.city.city import City
from portal.gateways.payments.processor import sum_in
from portal.ordinance.wall_clock import spoken_time
from portal.views.identity import current_resident
from portal.views.work import gateways

BUILT = Path(__file__).parent.parent / "static" / "built"

# Asked for once: the calendar module formats a date each time, which takes longer than the rest of a line.
MONTHS, WEEKDAYS = tuple(month_name), tuple(day_name)


def day(value: date | datetime | None) -> str:
    """December 4, 2026; an instant is shown on the city's day."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        value = value.astimezone(gateways().city.time_zone).date()
    return f"{MONTHS[value.month]} {value.day}, {value.year}"


def weekday(value: date) -> str:
    """Friday, December 4, 2026"""
    return f"{WEEKDAYS[value.weekday()]}, {day(value)}"


def moment(value: datetime) -> str:
    """December 4, 2026 at 3:05 p.m., on the city's clock."""
    return f"{day(value)} at {clock_time(value)}"


def clock_time(value: datetime) -> str:
    """3:05 p.m., on the city's clock."""
    return spoken_time(value.astimezone(gateways().city.time_zone).time())


def from_to(began: datetime, ended: datetime) -> str:
    """9:30 p.m. to 9:42 p.m.; what ends in the minute it began, with that minute alone."""
    first, last = clock_time(began), clock_time(ended)
    # In fall the clock shows a minute again an hour later.
    return first if first == last and ended - began < timedelta(minutes=1) else f"{first} to {last}"


def money(cents: int) -> str:
    """$10.00, -$2.50"""
    sign, whole = "-" if cents < 0 else "", abs(cents)
    return f"{sign}${whole // 100:,}.{whole % 100:02d}"


@cache
def manifest() -> dict[str, str]:
    """The built files by their plain names."""
    return dict(json.loads((BUILT / "manifest.json").read_text()))


def asset(name: str) -> str:
    """The address of a built file; its name changes with its content, so it can be cached for a year."""
    return f"/static/{manifest()[name]}"


def largest_file_bytes() -> int:
    """What a page says of a file that is too large, before it is sent."""
    return gateways().city.uploads.max_file_bytes


def _context() -> dict[str, object]:
    city: City = gateways().city
    return {"city": city, "signed_in": _is_signed_in()}


def _is_signed_in() -> bool:
    """For the corner of the page. An address that is none says so too while the database is away."""
    try:
        return current_resident() is not None
    except OperationalError:
        if request.endpoint is not None:
            raise
        g.resident = None
        return False


def init_app(app: Flask) -> None:
    app.jinja_env.filters.update(day=day, weekday=weekday, moment=moment, clock_time=clock_time)
    app.jinja_env.filters.update(money=money, sum_in=sum_in)
    app.jinja_env.globals.update(asset=asset, from_to=from_to, largest_file_bytes=largest_file_bytes)
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.context_processor(_context)
