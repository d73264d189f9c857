"""Minn. Stat. 645.44 subd. 5: the days a city in Minnesota keeps."""

from datetime import date

import pytest

from portal.city.holidays import BusinessCalendar, friday_after_thanksgiving, indigenous_peoples_day

PLAIN = BusinessCalendar("MN")


@pytest.mark.parametrize(
    "day",
    [
        pytest.param("2026-01-01", id="New Year's Day"),
        pytest.param("2026-01-19", id="Martin Luther King Day"),
        pytest.param("2026-02-16", id="Presidents Day"),
        pytest.param("2026-05-25", id="Memorial Day"),
        pytest.param("2026-06-19", id="Juneteenth"),
        pytest.param("2026-07-03", id="4 July on a Saturday, kept on Friday"),
        pytest.param("2027-07-05", id="4 July on a Sunday, kept on Monday"),
        pytest.param("2026-09-07", id="Labor Day"),
        pytest.param("2028-11-10", id="Veterans Day on a Saturday, kept on Friday"),
        pytest.param("2026-11-26", id="Thanksgiving"),
        pytest.param("2026-12-25", id="Christmas"),
        pytest.param("2027-12-24", id="Christmas on a Saturday, kept on Friday"),
        pytest.param("2027-12-31", id="the next New Year's Day on a Saturday, kept in the old year"),
    ],
)
def test_the_states_holidays_are_kept(day):
    assert PLAIN.is_legal_holiday(date.fromisoformat(day))
    assert PLAIN.is_closed(date.fromisoformat(day))


@pytest.mark.parametrize(
    "day",
    [
        pytest.param("2026-10-12", id="Indigenous Peoples Day, a city's choice"),
        pytest.param("2026-11-27", id="the Friday after Thanksgiving, a city's choice"),
        pytest.param("2026-12-24", id="Christmas Eve"),
        pytest.param("2026-02-12", id="Lincoln's birthday, not in Minnesota"),
        pytest.param("2026-11-28", id="a plain Saturday"),
    ],
)
def test_no_other_day_is_a_holiday_by_itself(day):
    assert not PLAIN.is_legal_holiday(date.fromisoformat(day))


def test_a_city_may_keep_the_friday_after_thanksgiving():
    city = BusinessCalendar("MN", keeps_friday_after_thanksgiving=True)
    assert city.holiday_name(date(2026, 11, 27)) == "Day after Thanksgiving"
    assert city.is_legal_holiday(friday_after_thanksgiving(2029))
    assert friday_after_thanksgiving(2029) == date(2029, 11, 23)


def test_a_city_may_keep_the_second_monday_of_october():
    city = BusinessCalendar("MN", keeps_indigenous_peoples_day=True)
    assert city.holiday_name(date(2026, 10, 12)) == "Indigenous Peoples Day"
    assert indigenous_peoples_day(2029) == date(2029, 10, 8)


def test_a_closure_of_the_citys_own_is_no_legal_holiday():
    city = BusinessCalendar("MN", closure_days=frozenset({date(2026, 12, 24)}))
    assert city.is_closed(date(2026, 12, 24))
    assert not city.is_legal_holiday(date(2026, 12, 24))


def test_another_state_keeps_its_own_holidays():
    assert BusinessCalendar("SD").is_legal_holiday(date(2026, 10, 12))
