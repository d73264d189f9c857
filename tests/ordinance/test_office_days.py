"""The days the city promises, counted over weekends, holidays and closures (645.15, 645.44)."""

from datetime import date

import pytest

from portal.ordinance.days import office_day_after
from tests.ordinance.calendars import CLOSED_ON_FRIDAY, STATE


@pytest.mark.parametrize(
    ("day", "count", "calendar", "expected"),
    [
        pytest.param("2026-11-30", 4, STATE, "2026-12-04", id="645.15 Monday to Friday"),
        pytest.param("2026-12-04", 4, STATE, "2026-12-10", id="645.15 a weekend is left out"),
        pytest.param("2026-12-05", 1, STATE, "2026-12-07", id="645.15 from a Saturday"),
        pytest.param("2026-11-25", 1, STATE, "2026-11-27", id="645.44 Thanksgiving"),
        pytest.param("2026-11-25", 1, CLOSED_ON_FRIDAY, "2026-11-30", id="a closure of the city's own"),
        pytest.param("2026-12-31", 4, STATE, "2027-01-07", id="645.44 New Year's Day and a weekend"),
        pytest.param("2026-12-25", 0, STATE, "2026-12-25", id="no days at all"),
    ],
)
def test_the_day_by_which_the_city_acts(day, count, calendar, expected):
    assert office_day_after(date.fromisoformat(day), count, calendar) == date.fromisoformat(expected)
