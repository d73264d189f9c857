"""90.04(B)(5): the year for which a license is issued."""

from datetime import UTC, date, datetime, timedelta

import pytest

from portal.gateways.clock import FixedClock
from portal.ordinance.license_years import (
    Validity,
    YearStart,
    following,
    license_year,
    license_year_of,
    preceding,
    valid_from,
    validity,
    years_open,
)

OCTOBER = YearStart(10, 1)
TWO_YEARS = YearStart(years=2, since=2027)


@pytest.mark.parametrize(
    ("on", "start", "window", "open_years"),
    [
        pytest.param("2026-10-31", YearStart(), 60, ["2026"], id="before the window"),
        pytest.param("2026-11-02", YearStart(), 60, ["2026", "2027"], id="the first day of the window"),
        pytest.param("2026-11-01", YearStart(), 60, ["2026"], id="the day before it"),
        pytest.param("2026-12-31", YearStart(), 60, ["2026", "2027"], id="example 37: 31 December, the owner chooses"),
        pytest.param("2027-01-01", YearStart(), 60, ["2027"], id="example 37: after midnight"),
        pytest.param("2026-12-31", YearStart(), 0, ["2026"], id="a city without a window"),
        pytest.param("2026-09-15", OCTOBER, 60, ["2025-2026", "2026-2027"], id="a year from October"),
        pytest.param("2026-12-15", TWO_YEARS, 60, ["2026", "2027-2028"], id="T15: the first of two years comes"),
        pytest.param("2027-12-15", TWO_YEARS, 60, ["2027-2028"], id="T15: in the middle of two years"),
        pytest.param("2028-12-15", TWO_YEARS, 60, ["2027-2028", "2029-2030"], id="T15: two years end"),
    ],
)
def test_the_years_that_may_be_applied_for(on, start, window, open_years):
    found = years_open(date.fromisoformat(on), start, renewal_window_days=window)
    assert [year.label for year in found] == open_years


@pytest.mark.parametrize(
    ("day", "start", "number", "starts_on", "ends_on"),
    [
        pytest.param("2026-12-31", YearStart(), 2026, "2026-01-01", "2026-12-31", id="calendar year, last day"),
        pytest.param("2027-01-01", YearStart(), 2027, "2027-01-01", "2027-12-31", id="calendar year, first day"),
        pytest.param("2026-09-30", OCTOBER, 2025, "2025-10-01", "2026-09-30", id="October year, last day"),
        pytest.param("2026-10-01", OCTOBER, 2026, "2026-10-01", "2027-09-30", id="October year, first day"),
        pytest.param("2028-02-29", YearStart(3, 1), 2027, "2027-03-01", "2028-02-29", id="ends on a leap day"),
        pytest.param("2026-12-31", TWO_YEARS, 2026, "2026-01-01", "2026-12-31", id="T15: before two years"),
        pytest.param("2027-01-01", TWO_YEARS, 2027, "2027-01-01", "2028-12-31", id="T15: two years, first day"),
        pytest.param("2028-12-31", TWO_YEARS, 2027, "2027-01-01", "2028-12-31", id="T15: two years, last day"),
        pytest.param(
            "2030-09-30",
            YearStart(10, 1, years=3, since=2027),
            2027,
            "2027-10-01",
            "2030-09-30",
            id="T15: three years from October, last day",
        ),
    ],
)
def test_every_day_lies_in_one_license_year(day, start, number, starts_on, ends_on):
    found = license_year_of(date.fromisoformat(day), start)
    assert (found.number, found.starts_on.isoformat(), found.ends_on.isoformat()) == (number, starts_on, ends_on)


@pytest.mark.parametrize("start", [YearStart(), OCTOBER, TWO_YEARS, YearStart(3, 1, years=3, since=2028)])
def test_license_years_follow_each_other_without_a_gap(start):
    year = license_year(2024, start)
    for _ in range(6):
        after = following(year, start)
        assert after.starts_on - year.ends_on == timedelta(days=1)
        assert preceding(after, start) == year
        year = after


@pytest.mark.parametrize(
    ("issued_on", "on", "standing"),
    [
        pytest.param("2026-12-10", "2026-12-31", Validity.NOT_BEGUN, id="renewed early: not before its year"),
        pytest.param("2026-12-10", "2027-01-01", Validity.IN_FORCE, id="renewed early: its first day"),
        pytest.param("2027-03-01", "2027-02-28", Validity.NOT_BEGUN, id="not before it is issued"),
        pytest.param("2027-03-01", "2027-12-31", Validity.IN_FORCE, id="example 24: to the end of its year"),
        pytest.param("2027-03-01", "2028-01-01", Validity.EXPIRED, id="D1: expired on the civil day after"),
    ],
)
def test_a_license_runs_to_the_end_of_its_year(issued_on, on, standing):
    found = validity(license_year(2027), issued_on=date.fromisoformat(issued_on), on=date.fromisoformat(on))
    assert found is standing


def test_a_license_issued_within_its_year_runs_from_its_issue():
    assert valid_from(license_year(2027), issued_on=date(2027, 3, 1)) == date(2027, 3, 1)
    assert valid_from(license_year(2027), issued_on=date(2026, 12, 1)) == date(2027, 1, 1)
    assert valid_from(license_year(2027), issued_on=date(2028, 1, 5)) == date(2027, 12, 31)  # its year is over


def test_on_new_years_eve_in_chicago_it_is_still_the_old_license_year():
    """Case D1: 31 December 18:30 in Chicago is 00:30 UTC on 1 January."""
    clock = FixedClock(datetime(2027, 1, 1, 0, 30, tzinfo=UTC))
    assert license_year_of(clock.today()).number == 2026
    assert validity(license_year(2026), issued_on=date(2026, 3, 1), on=clock.today()) is Validity.IN_FORCE
