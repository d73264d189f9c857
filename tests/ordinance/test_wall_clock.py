"""The two nights in which the clock is changed, and every other."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from portal.ordinance.wall_clock import instants

CHICAGO = ZoneInfo("America/Chicago")
SPRING, FALL = date(2026, 3, 8), date(2026, 11, 1)


@pytest.mark.parametrize(
    ("day", "clock", "hours_utc"),
    [
        pytest.param(SPRING, time(1, 59), [(7, 59)], id="the last minute before it is put forward"),
        pytest.param(SPRING, time(2), [], id="the first that is skipped"),
        pytest.param(SPRING, time(2, 59), [], id="the last that is skipped"),
        pytest.param(SPRING, time(3), [(8, 0)], id="the first after it"),
        pytest.param(FALL, time(0, 59), [(5, 59)], id="before the hour that comes twice"),
        pytest.param(FALL, time(1), [(6, 0), (7, 0)], id="twice"),
        pytest.param(FALL, time(2), [(8, 0)], id="after it"),
        pytest.param(date(2026, 7, 4), time(2, 30), [(7, 30)], id="any other night"),
    ],
)
def test_when_the_clock_showed_it(day, clock, hours_utc):
    assert instants(day, clock, CHICAGO) == tuple(
        datetime.combine(day, time(*shown), tzinfo=UTC) for shown in hours_utc
    )
