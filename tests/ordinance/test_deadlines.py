"""The clocks of chapter 90, each counted as 645.14, 645.15 and 346.47 say; ids are sections and worked examples."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from portal.ordinance import periods
from portal.ordinance.deadlines import (
    Deadline,
    Kind,
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
from tests.ordinance.calendars import (
    CLOSED_ON_FRIDAY,
    STATE,
    STATE_AND_FRIDAY,
    PlainCalendar,
    opening,
    weekdays,
)

CHICAGO = ZoneInfo("America/Chicago")


def on(day: str) -> date:
    return date.fromisoformat(day)


def from_(day: str) -> Trigger:
    return Trigger(on(day), "the date on the paper")


def days_of(deadline: Deadline) -> tuple[str, str, str]:
    return deadline.raw_date.isoformat(), deadline.legal_last_day.isoformat(), deadline.show_by.isoformat()


@pytest.mark.parametrize(
    ("period", "trigger", "calendar", "raw", "legal", "show"),
    [
        pytest.param(
            periods.PRESENT_CERTIFICATE,
            "2026-12-18",
            STATE,
            "2026-12-25",
            "2026-12-28",
            "2026-12-24",
            id="90.04(D)(2) example 31: Christmas",
        ),
        pytest.param(
            periods.REQUEST_HEARING,
            "2026-11-12",
            STATE,
            "2026-11-26",
            "2026-11-27",
            "2026-11-25",
            id="90.13(E)(3) example 51: Thanksgiving",
        ),
        pytest.param(
            periods.REQUEST_HEARING,
            "2026-11-12",
            STATE_AND_FRIDAY,
            "2026-11-26",
            "2026-11-30",
            "2026-11-25",
            id="90.13(E)(3) example 51: the city keeps the Friday",
        ),
        pytest.param(
            periods.REQUEST_HEARING,
            "2026-06-19",
            STATE,
            "2026-07-03",
            "2026-07-06",
            "2026-07-02",
            id="90.13(E)(3) example 52: the 4th kept on the 3rd",
        ),
        pytest.param(
            periods.HOLD_HEARING,
            "2026-12-11",
            STATE,
            "2026-12-25",
            "2026-12-28",
            "2026-12-24",
            id="90.13(E)(1) example 53: the hearing",
        ),
        pytest.param(
            periods.DECIDE_HEARING,
            "2026-12-28",
            STATE,
            "2027-01-07",
            "2027-01-07",
            "2027-01-07",
            id="90.13(E)(1) example 53: the decision",
        ),
        pytest.param(
            periods.REPORT_DEATH_OR_TRANSFER,
            "2026-11-24",
            STATE,
            "2026-12-24",
            "2026-12-24",
            "2026-12-24",
            id="90.13(H)(12) example 56",
        ),
        pytest.param(
            periods.STERILIZE,
            "2027-03-01",
            STATE,
            "2027-03-31",
            "2027-03-31",
            "2027-03-31",
            id="90.13(H)(15) example 57",
        ),
        pytest.param(
            periods.PRESENT_CERTIFICATE,
            "2026-11-20",
            CLOSED_ON_FRIDAY,
            "2026-11-27",
            "2026-11-27",
            "2026-11-25",
            id="645.15: a closure is no legal holiday, but nobody is there",
        ),
    ],
)
def test_a_person_is_shown_the_earliest_day_and_the_law_counts_the_latest(period, trigger, calendar, raw, legal, show):
    assert days_of(act_by(period, from_(trigger), calendar)) == (raw, legal, show)


@pytest.mark.parametrize(
    ("day", "is_late"),
    [
        pytest.param("2026-12-27", False, id="90.04(D)(2) example 31: the 27th still counts as presented"),
        pytest.param("2026-12-28", False, id="90.04(D)(2) example 31: the last day"),
        pytest.param("2026-12-30", True, id="90.04(D)(2) example 31: accepted and flagged"),
    ],
)
def test_only_the_day_after_the_legal_last_day_is_late(day, is_late):
    assert act_by(periods.PRESENT_CERTIFICATE, from_("2026-12-18"), STATE).is_late(on(day)) is is_late


def test_security_is_due_on_the_seventh_day_with_the_day_of_seizure_as_the_first():
    """90.13(E)(2), example 54."""
    found = act_by_inclusive(periods.POST_SECURITY, from_("2026-11-24"), STATE)
    assert days_of(found) == ("2026-11-30", "2026-11-30", "2026-11-30")


def test_security_whose_last_day_is_a_sunday_is_shown_for_friday():
    """90.13(E)(2), 645.15."""
    found = act_by_inclusive(periods.POST_SECURITY, from_("2026-11-16"), STATE)
    assert days_of(found) == ("2026-11-22", "2026-11-23", "2026-11-20")


def test_notice_of_a_move_never_rolls_to_the_monday():
    """90.13(N), example 55: Presidents Day is the 15th, so nothing after the 14th counts."""
    found = notice_before(periods.ANNOUNCE_RELOCATION, from_("2027-02-28"), STATE)
    assert days_of(found) == ("2027-02-14", "2027-02-14", "2027-02-12")


@pytest.mark.parametrize(
    ("impounded", "hours", "calendar", "through"),
    [
        pytest.param("2026-11-25", weekdays(), STATE, "2026-12-03", id="90.07(C) example 40"),
        pytest.param(
            "2026-11-25", weekdays(), STATE_AND_FRIDAY, "2026-12-04", id="90.07(C) example 40: holiday Friday"
        ),
        pytest.param("2026-11-25", weekdays(), CLOSED_ON_FRIDAY, "2026-12-04", id="90.07(C) example 40: closed Friday"),
        pytest.param("2026-07-02", weekdays(), STATE, "2026-07-10", id="90.07(C) example 41: 3 July observed"),
        pytest.param("2027-07-02", weekdays(), STATE, "2027-07-12", id="90.07(C) example 42: 5 July observed"),
        pytest.param(
            "2026-11-16",
            {**weekdays(), 5: (opening("08:00", "12:00"),)},
            STATE,
            "2026-11-21",
            id="346.47 example 43: a Saturday from 8 to 12 counts",
        ),
        pytest.param(
            "2026-11-16",
            {**weekdays(), 5: (opening("09:00", "12:00"),)},
            STATE,
            "2026-11-23",
            id="346.47 example 43: a Saturday from 9 to 12 does not",
        ),
        pytest.param(
            "2026-11-16",
            {0: (opening("08:00", "10:00"), opening("10:00", "12:00")), 1: (opening("06:00", "11:00"),)},
            STATE,
            "2026-12-21",
            id="346.47: touching openings join; the hours before 8 do not count",
        ),
        pytest.param(
            "2026-11-16",
            {0: (opening("08:00", "11:00"), opening("12:00", "15:00")), 3: (opening("15:00", "22:00"),)},
            STATE,
            "2026-12-24",
            id="346.47: a lunch break breaks the four hours; evenings end at 7",
        ),
    ],
)
def test_an_impounded_animal_is_held_for_five_days_of_the_pounds_own_opening(impounded, hours, calendar, through):
    assert min_hold(periods.IMPOUND_HOLD, from_(impounded), hours, calendar).last_day == on(through)


def test_a_pound_that_is_never_open_cannot_have_its_hold_counted():
    with pytest.raises(ValueError, match="no regular business day"):
        min_hold(periods.IMPOUND_HOLD, from_("2026-11-16"), {}, STATE)


def test_a_biting_dog_is_confined_ten_days_and_until_a_written_release():
    """90.08(A)(1), example 50: bitten on Monday the 16th, not before Thursday the 26th, a holiday or not."""
    found = min_confinement(periods.QUARANTINE, from_("2026-11-16"))
    assert found.last_day == on("2026-11-26")
    assert found.needs_written_release


@pytest.mark.parametrize(
    ("period", "started", "due"),
    [
        pytest.param(
            periods.REPORT_FOUND_ANIMAL,
            datetime(2026, 11, 1, 0, 30, tzinfo=CHICAGO),
            "2026-11-01 01:30 CST",
            id="90.11(B) example 44: the hour that comes twice",
        ),
        pytest.param(
            periods.REPORT_FOUND_ANIMAL,
            datetime(2027, 3, 14, 1, 15, tzinfo=CHICAGO),
            "2027-03-14 04:15 CDT",
            id="90.11(B) example 44: the hour that is skipped",
        ),
        pytest.param(
            periods.REMOVE_DEAD_ANIMAL,
            datetime(2026, 12, 24, 20, 0, tzinfo=CHICAGO),
            "2026-12-25 08:00 CST",
            id="90.12(E): Christmas does not stop twelve hours",
        ),
    ],
)
def test_hours_run_through_nights_holidays_and_the_change_of_the_clocks(period, started, due):
    found = within_hours(period, started)
    assert f"{found.due_at.astimezone(CHICAGO):%Y-%m-%d %H:%M %Z}" == due
    assert (found.started_at.tzinfo, found.due_at.tzinfo) == (UTC, UTC)


def test_an_hour_limit_refuses_a_time_without_its_zone():
    with pytest.raises(ValueError, match="time zone"):
        within_hours(periods.REPORT_FOUND_ANIMAL, datetime(2026, 11, 1, 0, 30))  # noqa: DTZ001 - the fault under test


@pytest.mark.parametrize(
    ("period", "start", "last_day"),
    [
        pytest.param(periods.FIRST_REVIEW, "2026-08-31", "2027-02-28", id="90.13(P) example 61: a Sunday, not rolled"),
        pytest.param(periods.NEXT_REVIEW, "2027-02-28", "2028-02-28", id="90.13(P) example 61: a year after the last"),
        pytest.param(periods.LITTER, "2026-11-30", "2027-02-28", id="90.09(A) example 15"),
        pytest.param(periods.VACCINATION, "2024-02-29", "2027-02-28", id="90.04(D)(1) example 23"),
        pytest.param(periods.PUPPY, "2027-08-31", "2028-02-29", id="90.04(B)(1) example 2"),
    ],
)
def test_months_and_years_end_on_the_same_numbered_day_or_the_last_of_a_shorter_month(period, start, last_day):
    assert term(period, from_(start)).last_day == on(last_day)


def test_a_period_is_never_counted_as_another_kind():
    with pytest.raises(ValueError, match="is counted as notice_before"):
        act_by(periods.ANNOUNCE_RELOCATION, from_("2027-02-28"), STATE)
    with pytest.raises(ValueError, match="is counted as act_by"):
        term(periods.STERILIZE, from_("2027-02-28"))


def test_a_deadline_says_what_it_rests_on():
    found = act_by(periods.PRESENT_CERTIFICATE, from_("2026-12-18"), STATE)
    assert found.basis == (
        "7 days from the officer's demand; the first day is left out and the last one counts; "
        "the last day is a weekend or a holiday, so the next business day is the last"
    )
    assert found.trigger.evidence == "the date on the paper"


def test_a_week_of_holidays_is_walked_through():
    week = frozenset(on("2026-12-21") + timedelta(days=offset) for offset in range(7))
    period = Period("90.04(D)(2)", Kind.ACT_BY, 7, "the demand", "show it")
    found = act_by(period, from_("2026-12-16"), PlainCalendar(week))
    assert days_of(found) == ("2026-12-23", "2026-12-28", "2026-12-18")
