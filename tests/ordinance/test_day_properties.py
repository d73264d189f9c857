"""Months, years and business days against a slow version that is obviously right."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from portal.ordinance import periods
from portal.ordinance.days import add_months, add_years, is_regular_business_day
from portal.ordinance.deadlines import Kind, Period, Trigger, act_by, min_hold, notice_before
from tests.ordinance.calendars import PlainCalendar, weekdays

DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))
HOLIDAYS = st.frozensets(st.dates(date(2026, 1, 1), date(2026, 3, 31)), max_size=40)
THIS_YEAR = st.dates(date(2026, 1, 1), date(2026, 3, 31))
LENGTHS = st.integers(1, 30)
ONE = timedelta(days=1)


def walked_months(day: date, months: int) -> date:
    """Step through the months one at a time, then back from the wanted day until it exists."""
    year, month = day.year, day.month
    for _ in range(abs(months)):
        month += 1 if months > 0 else -1
        if month == 13:
            year, month = year + 1, 1
        if month == 0:
            year, month = year - 1, 12
    for wanted in range(day.day, 0, -1):
        try:
            return date(year, month, wanted)
        except ValueError:
            continue
    raise AssertionError("every month has a first day")


@given(DAYS, st.integers(-240, 240))
def test_months_match_walking_them_one_by_one(day, months):
    assert add_months(day, months) == walked_months(day, months)


@given(DAYS, st.integers(0, 20))
def test_years_are_twelve_months_each(day, years):
    assert add_years(day, years) == walked_months(day, 12 * years)


@given(THIS_YEAR, LENGTHS, HOLIDAYS, HOLIDAYS)
def test_a_deadline_rolls_to_the_first_day_that_is_neither_weekend_nor_holiday(start, length, holidays, closures):
    calendar = PlainCalendar(holidays, closures)
    period = Period("645.15", Kind.ACT_BY, length, "the notice", "answer")
    found = act_by(period, Trigger(start, "a notice"), calendar)
    raw = start + timedelta(days=length)
    business = [
        raw + timedelta(days=ahead)
        for ahead in range(200)
        if (raw + timedelta(days=ahead)).strftime("%a") not in ("Sat", "Sun")
        and raw + timedelta(days=ahead) not in holidays
    ]
    assert (found.raw_date, found.legal_last_day) == (raw, business[0])
    assert found.show_by <= raw <= found.legal_last_day
    assert found.show_by.strftime("%a") not in ("Sat", "Sun")
    assert found.show_by not in holidays | closures


@given(THIS_YEAR, LENGTHS, HOLIDAYS)
def test_notice_before_an_event_never_rolls_towards_it(event, length, holidays):
    period = Period("90.13(N)", Kind.NOTICE_BEFORE, length, "the move", "tell the city")
    found = notice_before(period, Trigger(event, "the owner"), PlainCalendar(holidays))
    assert found.show_by <= found.legal_last_day == event - timedelta(days=length)


@given(THIS_YEAR, HOLIDAYS, HOLIDAYS)
def test_a_hold_ends_with_its_fifth_regular_business_day(start, holidays, closures):
    calendar, hours = PlainCalendar(holidays, closures), weekdays()
    last_day = min_hold(periods.IMPOUND_HOLD, Trigger(start, "seizure"), hours, calendar).last_day
    after = [start + timedelta(days=ahead) for ahead in range(1, (last_day - start).days + 1)]
    counted = [day for day in after if is_regular_business_day(day, hours, calendar)]
    assert len(counted) == 5
    assert counted[-1] == last_day
