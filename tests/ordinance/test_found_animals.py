"""Two hours to tell the police of an animal that was taken in (90.11(B))."""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest

from portal.ordinance.found_animals import report_by, taken_in_at

CHICAGO = ZoneInfo("America/Chicago")


def local(written: str) -> str:
    """An instant as the clock on the wall shows it."""
    return datetime.fromisoformat(written).astimezone(CHICAGO).strftime("%Y-%m-%d %H:%M %Z")


@pytest.mark.parametrize(
    ("clock_time", "now", "since", "report"),
    [
        pytest.param(
            "00:30",
            "2026-11-01T00:45-05:00",
            "2026-11-01 00:30 CDT",
            "2026-11-01 01:30 CST",
            id="90.11(B) example 44: the hour that comes twice",
        ),
        pytest.param(
            "01:15",
            "2027-03-14T03:20-05:00",
            "2027-03-14 01:15 CST",
            "2027-03-14 04:15 CDT",
            id="90.11(B) example 44: the hour that is skipped",
        ),
        pytest.param(
            "01:30",
            "2026-11-01T01:45-06:00",
            "2026-11-01 01:30 CDT",
            "2026-11-01 02:30 CST",
            id="90.11(B): of two equal times the earlier",
        ),
        pytest.param(
            "01:30",
            "2026-11-01T01:45-05:00",
            "2026-11-01 01:30 CDT",
            "2026-11-01 02:30 CST",
            id="90.11(B): the later of the two is still to come",
        ),
        pytest.param(
            "23:50",
            "2026-11-30T00:10-06:00",
            "2026-11-29 23:50 CST",
            "2026-11-30 01:50 CST",
            id="90.11(B): before midnight",
        ),
        pytest.param(
            "00:10",
            "2026-11-30T00:10-06:00",
            "2026-11-30 00:10 CST",
            "2026-11-30 02:10 CST",
            id="90.11(B): this very minute",
        ),
    ],
)
def test_two_hours_run_from_when_the_animal_was_taken_in(clock_time, now, since, report):
    at = taken_in_at(time.fromisoformat(clock_time), now=datetime.fromisoformat(now).astimezone(UTC), zone=CHICAGO)
    assert local(at.isoformat()) == since
    assert local(report_by(at).due_at.isoformat()) == report


@pytest.mark.parametrize("now", ["2027-03-14T03:20-05:00", "2027-03-15T01:00-05:00"])
def test_a_time_that_the_clock_skipped_is_no_instant(now):
    assert taken_in_at(time(2, 30), now=datetime.fromisoformat(now).astimezone(UTC), zone=CHICAGO) is None


def test_before_the_clock_is_put_forward_the_time_was_yesterday():
    at = taken_in_at(time(2, 30), now=datetime.fromisoformat("2027-03-14T01:00-06:00").astimezone(UTC), zone=CHICAGO)
    assert local(at.isoformat()) == "2027-03-13 02:30 CST"
