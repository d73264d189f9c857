"""The pound: the hold of 90.07(C) and 346.47, and what reclaiming costs; ids are sections and worked examples."""

from datetime import date

import pytest

from portal.ordinance.fees import FeeTable, LicenseTiers, NoFeesInForce
from portal.ordinance.impounding import days_kept, hold, license_charge, owes_license, reclaim_charges, records_since
from tests.ordinance.calendars import CLOSED_ON_FRIDAY, STATE, STATE_AND_FRIDAY, opening, weekdays

FEES = FeeTable(
    effective_from=date(2026, 1, 1),
    resolution="Resolution 2026-1",
    license_cents=1000,
    duplicate_tag_cents=500,
    dangerous_dog_cents=30000,
    impound_release_cents=2500,
    impound_board_day_cents=2000,
)
DEARER = FeeTable(
    effective_from=date(2027, 1, 1),
    resolution="Resolution 2026-40",
    license_cents=1000,
    tiers=LicenseTiers(altered_cents=1200, intact_cents=2400),
    duplicate_tag_cents=500,
    dangerous_dog_cents=30000,
    impound_release_cents=3000,
    impound_board_day_cents=2500,
)


def on(day: str) -> date:
    return date.fromisoformat(day)


SATURDAY_TOO = weekdays() | {5: (opening("08:00", "12:00"),)}
SHORT_SATURDAY = weekdays() | {5: (opening("09:00", "12:00"),)}


@pytest.mark.parametrize(
    ("seized", "hours", "calendar", "through"),
    [
        pytest.param("2026-11-25", weekdays(), STATE, "2026-12-03", id="example 40: Thanksgiving"),
        pytest.param("2026-11-25", weekdays(), STATE_AND_FRIDAY, "2026-12-04", id="example 40: Friday is a holiday"),
        pytest.param("2026-11-25", weekdays(), CLOSED_ON_FRIDAY, "2026-12-04", id="example 40: closed on Friday"),
        pytest.param("2026-07-02", weekdays(), STATE, "2026-07-10", id="example 41: the 4th kept on the 3rd"),
        pytest.param("2027-07-02", weekdays(), STATE, "2027-07-12", id="example 42: the 4th kept on the 5th"),
        pytest.param("2026-11-16", SATURDAY_TOO, STATE, "2026-11-21", id="example 43: Saturday from 8 to 12 counts"),
        pytest.param("2026-11-16", SHORT_SATURDAY, STATE, "2026-11-23", id="example 43: from 9 to 12 it does not"),
        pytest.param("2026-11-21", weekdays(), STATE, "2026-11-30", id="346.47 seized on a day that is not counted"),
    ],
)
def test_an_animal_is_kept_through_five_regular_business_days_of_the_pound(seized, hours, calendar, through):
    assert hold(on(seized), hours=hours, calendar=calendar).last_day == on(through)


@pytest.mark.parametrize(
    ("seized", "today", "days"),
    [
        pytest.param("2026-11-25", "2026-11-25", 1, id="90.07(C)(2) a part of the first day"),
        pytest.param("2026-11-25", "2026-11-26", 2, id="90.07(C)(2) two parts of days"),
        pytest.param("2026-11-25", "2026-12-03", 9, id="90.07(C)(2) weekends and holidays are days too"),
    ],
)
def test_each_day_and_each_part_of_a_day_counts(seized, today, days):
    assert days_kept(on(seized), on=on(today)) == days


def test_reclaiming_costs_the_release_fee_and_the_keep_so_far():
    """Example 46."""
    release, keep = reclaim_charges([FEES], seized_on=on("2026-11-25"), on=on("2026-11-27"))
    assert (release.amount_cents, release.fee.rule) == (2500, "90.07(C)")
    assert (keep.count, keep.amount_cents, keep.fee.resolution) == (3, 6000, "Resolution 2026-1")


def test_an_unlicensed_dog_costs_the_regular_license_fee_besides():
    """Example 46."""
    assert license_charge([FEES], on=on("2026-11-27")).amount_cents == 1000
    assert license_charge([DEARER], on=on("2027-02-01")).amount_cents == 2400
    assert license_charge([DEARER], on=on("2027-02-01"), is_altered=True).amount_cents == 1200


def test_what_is_in_force_on_the_day_is_what_is_paid():
    """90.18."""
    release, keep = reclaim_charges([FEES, DEARER], seized_on=on("2026-12-31"), on=on("2027-01-01"))
    assert (release.amount_cents, keep.amount_cents) == (3000, 5000)
    with pytest.raises(NoFeesInForce):
        reclaim_charges([DEARER], seized_on=on("2026-11-25"), on=on("2026-11-27"))


@pytest.mark.parametrize(
    ("has_license", "born_on", "owes"),
    [
        pytest.param(True, None, False, id="90.07(C)(3) a licensed dog"),
        pytest.param(False, None, True, id="90.07(C)(3) an unlicensed dog"),
        pytest.param(False, "2026-05-24", True, id="90.04(B)(1) over six months old"),
        pytest.param(False, "2026-05-25", False, id="90.04(B)(1) six months old today"),
    ],
)
def test_a_dog_that_needs_a_license_and_has_none_owes_its_fee(has_license, born_on, owes):
    born = on(born_on) if born_on else None
    assert owes_license(has_license=has_license, born_on=born, on=on("2026-11-25")) == owes


def test_records_of_the_last_six_months_are_all_there():
    """90.07(E)."""
    assert records_since(on("2026-08-31")) == on("2026-02-28")
