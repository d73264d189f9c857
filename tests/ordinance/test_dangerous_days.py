"""The days of a designated dog; ids are sections and worked examples (90.13(E), (H)-(K), (N), (P))."""

from datetime import date

import pytest

from portal.ordinance.dangerous import Designated, Requirement
from portal.ordinance.dangerous_days import (
    Dates,
    announce_by,
    asks_for_notice,
    certificate_until,
    decide_hearing_by,
    hearing_by,
    hold_hearing_by,
    next_year,
    reclaim_again_by,
    reclaim_by,
    renewal_opens_on,
    report_by,
    review_from,
    row_due,
    rows_due,
    security_by,
    tell_by,
    year_of,
)
from tests.ordinance.calendars import STATE, STATE_AND_FRIDAY


def on(day):
    return date.fromisoformat(day)


def shown_and_last(deadline):
    return deadline.show_by.isoformat(), deadline.legal_last_day.isoformat()


def dates(noticed_on="2026-11-12", *, kind=Designated.DANGEROUS, **about):
    return Dates(kind=kind, noticed_on=on(noticed_on), **{name: on(day) for name, day in about.items()})


@pytest.mark.parametrize(
    ("noticed_on", "calendar", "show_by", "last"),
    [
        pytest.param("2026-11-12", STATE, "2026-11-25", "2026-11-27", id="example 51: Thanksgiving"),
        pytest.param("2026-11-12", STATE_AND_FRIDAY, "2026-11-25", "2026-11-30", id="example 51: and the Friday"),
        pytest.param("2026-06-19", STATE, "2026-07-02", "2026-07-06", id="example 52: the 3rd is observed"),
    ],
)
def test_a_hearing_is_asked_for_within_fourteen_days_of_the_date_of_the_notice(noticed_on, calendar, show_by, last):
    """90.13(E)(3)(a)(v)."""
    deadline = hearing_by(on(noticed_on), calendar)
    assert shown_and_last(deadline) == (show_by, last)
    assert not deadline.is_late(on(last))


def test_a_hearing_is_held_and_decided_in_time():
    """90.13(E)(1), example 53."""
    assert hold_hearing_by(on("2026-12-11"), STATE).legal_last_day == on("2026-12-28")
    assert decide_hearing_by(on("2026-12-28"), STATE).legal_last_day == on("2027-01-07")


def test_security_counts_the_day_of_the_seizure():
    """90.13(E)(2), example 54."""
    assert shown_and_last(security_by(on("2026-11-24"), STATE)) == ("2026-11-30", "2026-11-30")


def test_a_move_is_told_fourteen_days_before_and_confirmed_within_thirty_after():
    """90.13(N), (H)(12), examples 55 and 62."""
    assert shown_and_last(announce_by(on("2027-02-28"), STATE)) == ("2027-02-12", "2027-02-14")
    assert shown_and_last(report_by(on("2027-02-28"), STATE)) == ("2027-03-30", "2027-03-30")


@pytest.mark.parametrize(
    ("kind", "happens_on", "is_death", "last", "is_asked_for"),
    [
        pytest.param(Designated.DANGEROUS, "2026-12-30", False, "2026-12-16", True, id="(N): it is to move"),
        pytest.param(Designated.DANGEROUS, "2026-11-24", False, "2026-12-24", True, id="(H)(12): it moved"),
        pytest.param(Designated.DANGEROUS, "2026-11-24", True, "2026-12-24", True, id="(H)(12): it died"),
        pytest.param(Designated.POTENTIALLY_DANGEROUS, "2026-11-24", False, "2026-11-10", True, id="(N): it moved"),
        pytest.param(Designated.POTENTIALLY_DANGEROUS, "2026-11-24", True, "2026-12-24", False, id="of no death"),
    ],
)
def test_what_is_to_be_told_of_either_kind_and_by_when(kind, happens_on, is_death, last, is_asked_for):
    due = tell_by(on(happens_on), told_on=on("2026-12-01"), is_death=is_death, kind=kind, calendar=STATE)
    assert due.legal_last_day == on(last)
    assert asks_for_notice(kind, is_death=is_death) is is_asked_for


def test_a_death_is_told_within_thirty_days():
    """90.13(H)(12), example 56."""
    assert shown_and_last(report_by(on("2026-11-24"), STATE)) == ("2026-12-24", "2026-12-24")


def test_a_seized_dog_is_reclaimed_by_the_stricter_of_two_days_and_both_are_known():
    """347.54 subd. 2, 90.13(J), T4."""
    by_state, by_city = reclaim_by(on("2026-12-01"), STATE)
    assert (by_state.legal_last_day, by_city.legal_last_day) == (on("2026-12-08"), on("2026-12-15"))
    assert reclaim_again_by(on("2026-12-01"), STATE).legal_last_day == on("2026-12-15")


@pytest.mark.parametrize(
    ("last_asked_on", "from_day"),
    [
        pytest.param(None, "2027-02-28", id="example 61: six months, a Sunday, not rolled"),
        pytest.param("2027-03-05", "2028-03-05", id="example 61: a year after the last"),
        pytest.param("2027-01-05", "2027-02-28", id="example 61: one that came early starts no year"),
    ],
)
def test_a_review_is_asked_for_from_six_months_on_and_then_yearly(last_asked_on, from_day):
    """90.13(P)."""
    found = review_from(on("2026-08-31"), on(last_asked_on) if last_asked_on else None)
    assert found.last_day == on(from_day)


def test_what_is_shown_counts_from_the_notice_and_what_is_late_from_its_sending():
    """90.13(I), T2: dated the 9th, sent the 12th."""
    due = row_due(Requirement.SIGNS, dates("2026-11-09", sent_on="2026-11-12"), STATE)
    assert shown_and_last(due) == ("2026-11-23", "2026-11-27")


def test_while_a_hearing_is_waited_for_three_rows_are_due_at_once_and_the_others_wait():
    """90.13(E)(3)(a)(vi), 347.52(a), T6."""
    found = rows_due(list(Requirement), dates(hearing_asked_on="2026-11-20"), STATE)
    assert {requirement: due.show_by for requirement, due in found.items()} == {
        Requirement.ENCLOSURE: on("2026-11-20"),
        Requirement.RESTRAINT: on("2026-11-20"),
        Requirement.DEATH_OR_TRANSFER: on("2026-11-20"),
    }


def test_after_a_decision_there_are_fourteen_days_from_its_receipt():
    """90.13(E)(3)(a)(vii): shown from the day it was decided until its receipt is known."""
    asked = {"hearing_asked_on": "2026-11-20", "decided_on": "2026-12-01"}
    assert shown_and_last(row_due(Requirement.SIGNS, dates(**asked), STATE)) == ("2026-12-15", "2026-12-15")
    received = dates(**asked, decision_received_on="2026-12-07")
    assert shown_and_last(row_due(Requirement.SIGNS, received, STATE)) == ("2026-12-15", "2026-12-21")


@pytest.mark.parametrize(
    ("about", "by"),
    [
        pytest.param({"final_on": "2027-03-01"}, "2027-03-31", id="example 57"),
        pytest.param({}, "2026-12-11", id="not known to be final: the earliest day it can have been"),
        pytest.param(
            {"hearing_asked_on": "2026-11-20", "decided_on": "2026-12-02"}, "2026-12-31", id="final by its decision"
        ),
    ],
)
def test_a_dog_is_sterilized_within_thirty_days_of_the_final_determination(about, by):
    """90.13(H)(15). 1 January is a holiday."""
    assert row_due(Requirement.STERILIZATION, dates(**about), STATE).show_by == on(by)


def test_a_dog_declared_elsewhere_has_no_day_until_the_city_gives_notice():
    """90.13(H)(11), example 13, T17: no grace is stated and none is invented."""
    stated = Dates(kind=Designated.DANGEROUS, noticed_on=None)
    assert rows_due(list(Requirement), stated, STATE) == {}


def test_a_renewal_is_due_before_its_year_has_run_out():
    """90.13(H)(11): 29 November 2027 is a Monday, the 28th a Sunday."""
    due = row_due(Requirement.SIGNS, dates(registered_until="2027-11-28"), STATE)
    assert shown_and_last(due) == ("2027-11-26", "2027-11-28")
    assert due.is_late(on("2027-12-18"))  # example 60: twenty days late is late, and nothing more


@pytest.mark.parametrize(
    ("ends_on", "renewed_on", "year"),
    [
        pytest.param("2027-11-30", "2027-11-02", ("2027-12-01", "2028-11-30"), id="(H)(11) in time"),
        pytest.param("2027-11-30", "2027-12-20", ("2027-12-01", "2028-11-30"), id="example 60: twenty days late"),
        pytest.param("2027-11-30", "2029-03-01", ("2029-03-01", "2030-02-28"), id="(H)(11) a whole year late"),
        pytest.param("2028-02-28", "2028-02-01", ("2028-02-29", "2029-02-27"), id="645.14 the leap day"),
    ],
)
def test_a_year_follows_the_one_before(ends_on, renewed_on, year):
    assert next_year(on(ends_on), on=on(renewed_on)) == (on(year[0]), on(year[1]))


def test_the_first_year_begins_when_it_is_begun_and_can_be_renewed_ahead():
    assert year_of(on("2026-12-01")) == (on("2026-12-01"), on("2027-11-30"))
    assert renewal_opens_on(on("2027-11-30"), window_days=60) == on("2027-10-01")


def test_a_certificate_ends_with_the_first_of_what_it_rests_on():
    """90.13(H)(1), (5), (9)."""
    assert certificate_until(on("2027-11-30"), [on("2027-06-30"), None]) == on("2027-06-30")
    assert certificate_until(on("2027-11-30"), []) == on("2027-11-30")
