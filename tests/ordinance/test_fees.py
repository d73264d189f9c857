"""90.18: dated fee tables, each with its resolution."""

from dataclasses import replace
from datetime import date

import pytest

from portal.ordinance.fees import (
    FeeTable,
    LateFee,
    LicenseTiers,
    NoFeesInForce,
    dangerous_dog_fee,
    dollars,
    duplicate_tag_fee,
    in_force,
    late_fee,
    license_fee,
    problems,
)

OLD = FeeTable(
    effective_from=date(2026, 1, 1),
    resolution="2026-01",
    license_cents=1000,
    duplicate_tag_cents=500,
    dangerous_dog_cents=30000,
    impound_release_cents=2500,
    impound_board_day_cents=2000,
)
NEW = replace(OLD, effective_from=date(2027, 1, 1), resolution="2026-44", license_cents=1200, duplicate_tag_cents=0)


@pytest.mark.parametrize(
    ("on", "cents", "resolution"),
    [
        pytest.param("2026-01-01", 1000, "2026-01", id="90.18 the first day"),
        pytest.param("2026-12-31", 1000, "2026-01", id="90.18 examples 37 and 38: quoted on 31 December"),
        pytest.param("2027-01-01", 1200, "2026-44", id="90.18 example 38: the new price from 1 January"),
    ],
)
def test_the_price_is_that_of_the_resolution_in_force(on, cents, resolution):
    for tables in ([OLD, NEW], [NEW, OLD]):
        fee = license_fee(tables, on=date.fromisoformat(on))
        assert (fee.amount_cents, fee.resolution, fee.rule) == (cents, resolution, "90.04(B)(4)")


def test_before_the_first_resolution_there_is_no_price():
    with pytest.raises(NoFeesInForce, match="December 31, 2025"):
        in_force([OLD], date(2025, 12, 31))


@pytest.mark.parametrize(
    ("is_altered", "cents"),
    [
        pytest.param(True, 1000, id="90.18 altered"),
        pytest.param(False, 2000, id="90.18 intact"),
        pytest.param(None, 2000, id="90.18 not known"),
    ],
)
def test_a_resolution_may_set_two_license_fees(is_altered, cents):
    tiered = replace(OLD, tiers=LicenseTiers(altered_cents=1000, intact_cents=2000))
    assert license_fee([tiered], on=date(2026, 5, 1), is_altered=is_altered).amount_cents == cents


def test_without_tiers_every_dog_pays_the_same():
    fees = {license_fee([OLD], on=date(2026, 5, 1), is_altered=is_altered) for is_altered in (True, False, None)}
    assert len(fees) == 1


def test_a_duplicate_tag_may_cost_nothing():
    """90.04(B)(5), example 36."""
    assert duplicate_tag_fee([OLD], on=date(2026, 5, 1)).amount_cents == 500
    assert duplicate_tag_fee([OLD, NEW], on=date(2027, 5, 1)).amount_cents == 0


def test_the_dangerous_dog_fee_cites_its_own_rule():
    fee = dangerous_dog_fee([OLD], on=date(2026, 5, 1))
    assert (fee.amount_cents, fee.rule) == (30000, "90.13(H)(6)")


@pytest.mark.parametrize(
    ("late", "on", "cents"),
    [
        pytest.param(None, "2026-12-31", None, id="90.18 the ordinance has no late fee"),
        pytest.param(LateFee(1000, 30), "2026-01-31", None, id="90.18 thirty days are not late"),
        pytest.param(LateFee(1000, 30), "2026-02-01", 1000, id="90.18 the day after is"),
    ],
)
def test_a_late_fee_is_owed_only_where_a_resolution_sets_one(late, on, cents):
    fee = late_fee([replace(OLD, late=late)], due_on=date(2026, 1, 1), on=date.fromisoformat(on))
    assert (fee.amount_cents if fee else None) == cents


@pytest.mark.parametrize(
    ("change", "key", "rule", "words"),
    [
        pytest.param(
            {"dangerous_dog_cents": 60000},
            "dangerous_dog_cents",
            "347.51",
            "State law allows at most $500.00 a year for a dangerous dog; this says $600.00",
            id="347.51 example 39",
        ),
        pytest.param({"license_cents": 49}, "license_cents", "90.18", "less than $0.50; this says $0.49", id="P7"),
        pytest.param(
            {"license_cents": -1}, "license_cents", "90.18", "cannot be less than nothing", id="90.18 negative"
        ),
        pytest.param(
            {"tiers": LicenseTiers(10, 2000)}, "license_altered_cents", "90.18", "less than $0.50", id="P7 a tier"
        ),
        pytest.param({"late": LateFee(10, 30)}, "late_cents", "90.18", "less than $0.50", id="P7 a late fee"),
    ],
)
def test_a_table_that_cannot_be_charged_is_refused_when_it_is_configured(change, key, rule, words):
    (problem,) = problems(replace(OLD, **change), minimum_cents=50)
    assert (problem.key, problem.rule) == (key, rule)
    assert words in problem.sentence


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"dangerous_dog_cents": 50000}, id="347.51 exactly $500"),
        pytest.param({"license_cents": 50}, id="P7 exactly the minimum"),
        pytest.param({"license_cents": 0, "duplicate_tag_cents": 0}, id="P7 nothing to pay"),
    ],
)
def test_a_table_at_its_limits_is_good(change):
    assert problems(replace(OLD, **change), minimum_cents=50) == []


def test_amounts_are_printed_as_dollars_and_cents():
    assert [dollars(cents) for cents in (0, 5, 1000, 123456)] == ["$0.00", "$0.05", "$10.00", "$1,234.56"]
