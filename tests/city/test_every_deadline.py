"""Every clock of chapter 90, from every day of 2026, 2027 and 2028, against one counted by hand on a wall calendar.

The figures below are typed from the ordinance, not read from `portal.ordinance.periods`.
"""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from portal.city.holidays import BusinessCalendar
from portal.ordinance import periods
from portal.ordinance.deadlines import (
    Period,
    Trigger,
    act_by,
    act_by_inclusive,
    min_confinement,
    min_hold,
    notice_before,
    term,
    within_hours,
)
from tests.ordinance import wall_calendar as wall
from tests.ordinance.calendars import weekdays
from tests.ordinance.wall_calendar import WallCalendar

CHICAGO = ZoneInfo("America/Chicago")
NOTICE_DATES = [day for day in wall.HANGING if 2026 <= day.year <= 2028]

CLOSURES = frozenset(
    date.fromisoformat(day) for day in ("2026-11-27", "2026-12-24", "2027-12-23", "2027-12-30", "2028-07-03")
)
# The city's calendar as the portal has it, and the same choices marked on the wall.
CHOICES = [
    pytest.param(BusinessCalendar("MN"), WallCalendar(), id="the state's holidays"),
    pytest.param(
        BusinessCalendar("MN", keeps_friday_after_thanksgiving=True),
        WallCalendar(keeps_friday_after_thanksgiving=True),
        id="and the Friday after Thanksgiving",
    ),
    pytest.param(
        BusinessCalendar("MN", True, True, CLOSURES), WallCalendar(True, True, CLOSURES), id="and all a city may choose"
    ),
]

# Acts with a last day that rolls forward: the first day is left out (645.15).
DAYS_AFTER = {
    periods.PRESENT_CERTIFICATE: 7,  # 90.04(D)(2)
    periods.REQUEST_HEARING: 14,  # 90.13(E)(3)(a)(v), from the date of the notice
    periods.HOLD_HEARING: 14,  # 90.13(E)(1), from the request
    periods.DECIDE_HEARING: 10,  # 90.13(E)(1), after the hearing
    periods.COMPLY_AFTER_HEARING: 14,  # 90.13(E)(3)(a)(vii), from receipt of the decision
    periods.MEET_REQUIREMENTS: 14,  # 90.13(I), after the notice is sent
    periods.RECLAIM_DANGEROUS_DOG: 14,  # 90.13(J)
    periods.RECLAIM_BY_STATE_LAW: 7,  # 347.54 subd. 2
    periods.RECLAIM_AFTER_HEARING: 14,  # 90.13(K), after the owner is notified
    periods.REPORT_DEATH_OR_TRANSFER: 30,  # 90.13(H)(12)
    periods.STERILIZE: 30,  # 90.13(H)(15)
}
DAYS_INCLUSIVE = {periods.POST_SECURITY: 7}  # 90.13(E)(2), "inclusive of the date of the seizure"
DAYS_BEFORE = {periods.ANNOUNCE_RELOCATION: 14}  # 90.13(N), "at least fourteen (14) days prior"
DAYS_HELD = {periods.IMPOUND_HOLD: 5}  # 90.07(C), regular business days
DAYS_CONFINED = {periods.QUARANTINE: 10}  # 90.08(A)(1)
HOURS = {periods.REPORT_FOUND_ANIMAL: 2, periods.REMOVE_DEAD_ANIMAL: 12}  # 90.11(B), 90.12(E)
MONTHS = {
    periods.PUPPY: 6,  # 90.04(B)(1)
    periods.LITTER: 3,  # 90.09(A)
    periods.VACCINATION: 36,  # 90.04(D)(1), three years
    periods.FIRST_REVIEW: 6,  # 90.13(P)
    periods.NEXT_REVIEW: 12,  # 90.13(P), annually
    periods.RENEW_REGISTRATION: 12,  # 90.13(H)(11), annually
}


def test_every_clock_of_the_chapter_is_in_this_table():
    known = {period for period in vars(periods).values() if isinstance(period, Period)}
    assert known == {*DAYS_AFTER, *DAYS_INCLUSIVE, *DAYS_BEFORE, *DAYS_HELD, *DAYS_CONFINED, *HOURS, *MONTHS}


@pytest.mark.parametrize(("calendar", "on_the_wall"), CHOICES)
def test_the_calendar_rests_on_the_days_marked_on_the_wall(calendar, on_the_wall):
    for day in wall.HANGING[7:-7]:
        rests = day.weekday() >= 5 or calendar.is_legal_holiday(day)
        assert rests == on_the_wall.is_omitted(day), day
        assert (rests or calendar.is_closed(day)) != on_the_wall.is_anybody_there(day), day


@pytest.mark.parametrize(("calendar", "on_the_wall"), CHOICES)
def test_an_act_is_due_when_the_finger_stops(calendar, on_the_wall):
    for notice in NOTICE_DATES:
        for period, days in DAYS_AFTER.items():
            _check(act_by(period, Trigger(notice, "n"), calendar), wall.after(notice, days), on_the_wall)
        for period, days in DAYS_INCLUSIVE.items():
            _check(act_by_inclusive(period, Trigger(notice, "n"), calendar), wall.inclusive(notice, days), on_the_wall)


@pytest.mark.parametrize(("calendar", "on_the_wall"), CHOICES)
def test_notice_before_a_move_never_rolls_towards_it(calendar, on_the_wall):
    for move in NOTICE_DATES:
        for period, days in DAYS_BEFORE.items():
            found, raw = notice_before(period, Trigger(move, "n"), calendar), wall.before(move, days)
            assert (found.raw_date, found.legal_last_day) == (raw, raw), (period.rule, move)
            assert found.show_by == wall.shown_day(raw, on_the_wall), (period.rule, move)


@pytest.mark.parametrize(("calendar", "on_the_wall"), CHOICES)
def test_a_hold_lasts_until_the_fifth_day_that_the_pound_is_open(calendar, on_the_wall):
    for seized in NOTICE_DATES:
        for period, days in DAYS_HELD.items():
            found = min_hold(period, Trigger(seized, "n"), weekdays(), calendar)
            assert found.last_day == wall.held_through(seized, days, on_the_wall), seized


def test_months_years_and_confinement_end_on_the_wall_without_rolling():
    for start in NOTICE_DATES:
        for period, months in MONTHS.items():
            assert term(period, Trigger(start, "n")).last_day == wall.pages_on(start, months), (period.rule, start)
        for period, days in DAYS_CONFINED.items():
            assert min_confinement(period, Trigger(start, "n")).last_day == wall.after(start, days), start


@pytest.mark.parametrize("clock", ["00:30", "01:15", "01:45", "12:00", "23:50"])
def test_hours_are_counted_a_quarter_at_a_time(clock):
    """Through both changes of the clocks in each year: a quarter of an hour is always fifteen minutes long."""
    for day in NOTICE_DATES:
        started = datetime.fromisoformat(f"{day} {clock}").replace(tzinfo=CHICAGO)
        for period, hours in HOURS.items():
            due = started.astimezone(UTC)
            for _ in range(4 * hours):
                due += timedelta(minutes=15)
            assert within_hours(period, started).due_at == due, (period.rule, started)


def _check(found, raw, on_the_wall):
    expected = raw, wall.last_day(raw, on_the_wall), wall.shown_day(raw, on_the_wall)
    where = (found.period.rule, found.trigger.on)
    assert (found.raw_date, found.legal_last_day, found.show_by) == expected, where
    assert not found.is_late(expected[1]), where
    assert found.is_late(expected[1] + timedelta(days=1)), where
