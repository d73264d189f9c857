"""What is asked of a designated dog's owner, and the figures it is held against (90.13(C), (G), (H))."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from portal.ordinance.dangerous import GROUNDS, GROUNDS_TOLD, Designated, Ground, Requirement, RowState, fits
from portal.ordinance.dangerous_evidence import findings_about, is_unmet
from portal.ordinance.dangerous_measures import (
    MEASURES_OF,
    Confined,
    Cover,
    Enclosure,
    Insurance,
    Landlord,
    Microchip,
    Note,
    Restraint,
    Signs,
    Sterilization,
)
from portal.ordinance.dangerous_rows import ROWS, first_state, rows_of, state_on, still_open

TODAY = date(2026, 11, 30)
PEN = Enclosure(
    confined=Confined.PEN,
    exits_only_with_help=True,
    gives_shelter=True,
    floor_square_feet=Decimal(32),
    height_feet=Decimal(5),
    wire_gauge=11,
    opening_inches=Decimal(2),
    post_inches=Decimal("1.25"),
    has_concrete_floor=False,
    buried_inches=Decimal(18),
    cover_is_whole=True,
    cover_gauge=9,
    cover_opening_inches=Decimal("1.5"),
    gate_is_alike=True,
    gate_is_locked=True,
)
RESTRAINT = Restraint(has_muzzle=True, muzzle_is_harmless=True, leash_feet=Decimal(6), youngest_handler=16)
SIGNS = Signs(at_front=True, at_rear=True, has_symbol=True)
POLICY = Insurance(
    company="Prairie Mutual",
    number="L-1",
    amount_cents=300_000_00,
    first_day=date(2026, 1, 1),
    last_day=date(2026, 12, 31),
    is_authorized_in_state=True,
)


def about(requirement, measures):
    return findings_about(requirement, measures, on=TODAY)


def test_the_fifteen_requirements_and_the_countys_are_rows_with_their_sections():
    rows = rows_of(Designated.DANGEROUS)
    assert len(rows) == 16
    fifteen = [row.rule for row in rows if row.requirement is not Requirement.COUNTY]
    assert fifteen == [f"90.13(H)({number})" for number in range(1, 16)]
    assert all(row.asks and row.proof for row in rows)


def test_a_potentially_dangerous_dog_is_asked_for_its_chip_alone():
    """90.13(G), 347.515."""
    assert [row.requirement for row in rows_of(Designated.POTENTIALLY_DANGEROUS)] == [Requirement.MICROCHIP]


def test_every_ground_is_told_with_its_rule():
    assert set(GROUNDS_TOLD) == set(Ground)
    assert fits(Designated.DANGEROUS, [Ground.HARMED_PERSON, Ground.KILLED_ANIMAL])
    assert not fits(Designated.DANGEROUS, [Ground.BIT])
    assert not fits(Designated.POTENTIALLY_DANGEROUS, [])
    assert {ground for grounds in GROUNDS.values() for ground in grounds} == set(Ground)


def test_breed_is_asked_nowhere():
    """347.51 subd. 8, T32."""
    asked = {name for measures in MEASURES_OF.values() for name in measures.__dataclass_fields__}
    assert not [name for name in asked if "breed" in name]


@pytest.mark.parametrize(
    ("requirement", "measures"),
    [
        pytest.param(Requirement.ENCLOSURE, PEN, id="(C)(3) at every figure"),
        pytest.param(
            Requirement.ENCLOSURE,
            replace(PEN, has_concrete_floor=True, buried_inches=None),
            id="(C)(3)(b) concrete instead of buried posts",
        ),
        pytest.param(
            Requirement.ENCLOSURE, Enclosure(confined=Confined.INDOORS, exits_only_with_help=True), id="(C)(3) indoors"
        ),
        pytest.param(Requirement.RESTRAINT, RESTRAINT, id="(H)(3) six feet, sixteen years"),
        pytest.param(Requirement.SIGNS, SIGNS, id="(H)(4) front and rear"),
        pytest.param(Requirement.INSURANCE, POLICY, id="(H)(5) $300,000"),
        pytest.param(Requirement.INSURANCE, replace(POLICY, cover=Cover.BOND), id="(H)(5) a bond"),
        pytest.param(Requirement.MICROCHIP, Microchip(maker="HomeAgain", number="985112001234567"), id="(H)(8)"),
        pytest.param(Requirement.LANDLORD, Landlord(rents=False), id="(H)(13) only of tenants"),
        pytest.param(Requirement.LANDLORD, Landlord(rents=True, told_on=TODAY), id="(H)(13) told"),
        pytest.param(Requirement.STERILIZATION, Sterilization(done_on=TODAY), id="(H)(15)"),
    ],
)
def test_what_meets_its_figures_gives_nothing_to_say(requirement, measures):
    assert about(requirement, measures) == ()


@pytest.mark.parametrize(
    ("requirement", "measures", "field"),
    [
        pytest.param(
            Requirement.ENCLOSURE, replace(PEN, floor_square_feet=Decimal("31.9")), "floor_square_feet", id="(C)(3)(a)"
        ),
        pytest.param(Requirement.ENCLOSURE, replace(PEN, height_feet=Decimal("4.99")), "height_feet", id="(C)(3)(b) 5"),
        pytest.param(Requirement.ENCLOSURE, replace(PEN, wire_gauge=12), "wire_gauge", id="(C)(3)(b) thinner wire"),
        pytest.param(
            Requirement.ENCLOSURE, replace(PEN, opening_inches=Decimal("2.01")), "opening_inches", id="(C)(3)(b) 2 in"
        ),
        pytest.param(Requirement.ENCLOSURE, replace(PEN, post_inches=Decimal(1)), "post_inches", id="(C)(3)(b) posts"),
        pytest.param(
            Requirement.ENCLOSURE, replace(PEN, buried_inches=Decimal(17)), "buried_inches", id="(C)(3)(b) buried"
        ),
        pytest.param(Requirement.ENCLOSURE, replace(PEN, cover_is_whole=False), "cover_is_whole", id="(C)(3)(c)"),
        pytest.param(Requirement.ENCLOSURE, replace(PEN, cover_gauge=14), "cover_gauge", id="(C)(3)(c) gauge"),
        pytest.param(Requirement.ENCLOSURE, replace(PEN, gate_is_locked=False), "gate_is_locked", id="(C)(3)(d)"),
        pytest.param(
            Requirement.ENCLOSURE, replace(PEN, exits_only_with_help=False), "exits_only_with_help", id="(C)(3) a porch"
        ),
        pytest.param(
            Requirement.RESTRAINT, replace(RESTRAINT, leash_feet=Decimal("6.5")), "leash_feet", id="(H)(3) leash"
        ),
        pytest.param(
            Requirement.RESTRAINT, replace(RESTRAINT, youngest_handler=15), "youngest_handler", id="(H)(3) 15"
        ),
        pytest.param(Requirement.SIGNS, replace(SIGNS, at_rear=False), "at_rear", id="(H)(4) no sign at the rear"),
        pytest.param(
            Requirement.INSURANCE, replace(POLICY, amount_cents=100_000_00), "amount_cents", id="(H)(5) example 58"
        ),
        pytest.param(
            Requirement.INSURANCE, replace(POLICY, last_day=date(2026, 11, 29)), "last_day", id="(H)(5) ended yesterday"
        ),
        pytest.param(Requirement.MICROCHIP, Microchip(maker="HomeAgain"), "number", id="(H)(8) no number"),
        pytest.param(Requirement.LANDLORD, Landlord(rents=True), "told_on", id="(H)(13) not told"),
        pytest.param(Requirement.STERILIZATION, Sterilization(), "done_on", id="(H)(15) not said when"),
    ],
)
def test_what_lies_below_its_figure_is_unmet_and_named(requirement, measures, field):
    found = about(requirement, measures)
    assert [finding.field for finding in found] == [field]
    assert is_unmet(found)


def test_insurance_of_100_000_is_told_what_is_needed():
    """90.13(H)(5), example 58; T31: the county's figure is not ours."""
    (found,) = about(Requirement.INSURANCE, replace(POLICY, amount_cents=100_000_00))
    assert found.sentence == "At least $300,000.00 is needed; this says $100,000.00"


def test_what_was_not_said_is_for_an_officer_and_is_not_unmet():
    found = about(Requirement.ENCLOSURE, Enclosure(confined=Confined.PEN))
    assert len(found) == 13
    assert not is_unmet(found)


def test_an_owners_own_photo_helps_and_settles_nothing():
    """90.13(H)(10), example 59."""
    (found,) = about(Requirement.PHOTOGRAPH, Note())
    assert found.needs_review
    assert "Animal control still has to photograph the dog" in found.sentence


def test_duties_that_wait_for_something_do_not_hold_up_the_certificate():
    """90.13(H)(1), (11), (12), (14), T7: every other row is required unless staff decide otherwise."""
    states = {row.requirement: first_state(row, is_renewal=False) for row in rows_of(Designated.DANGEROUS)}
    waiting = [Requirement.RENEWAL, Requirement.DEATH_OR_TRANSFER, Requirement.NEW_OWNER]
    assert [row for row, state in states.items() if state is RowState.NOT_APPLICABLE] == waiting
    assert len(still_open(states)) == 12
    settled = dict.fromkeys(still_open(states), RowState.ACCEPTED)
    assert still_open(states | settled) == ()
    assert still_open(states | settled | {Requirement.SIGNS: RowState.SENT}) == (Requirement.SIGNS,)
    assert first_state(ROWS[Requirement.RENEWAL], is_renewal=True) is RowState.NOT_YET


@pytest.mark.parametrize(
    ("stored", "last_day", "stands"),
    [
        pytest.param(RowState.ACCEPTED, TODAY, RowState.ACCEPTED, id="90.13(H)(5) on its last day"),
        pytest.param(RowState.ACCEPTED, date(2026, 11, 29), RowState.NOT_YET, id="90.13(H)(5) on the day after"),
        pytest.param(RowState.ACCEPTED, None, RowState.ACCEPTED, id="90.13(H)(5) a bond without an end"),
        pytest.param(RowState.WAIVED, date(2026, 11, 29), RowState.WAIVED, id="what staff waived"),
        pytest.param(RowState.SENT, date(2026, 11, 29), RowState.SENT, id="what an officer looks at"),
    ],
)
def test_a_policy_counts_through_its_last_day(stored, last_day, stands):
    assert state_on(Requirement.INSURANCE, stored, last_day, on=TODAY) is stands


@pytest.mark.parametrize(
    ("renews_on", "stands"),
    [
        pytest.param(TODAY, RowState.ACCEPTED, id="90.13(H)(13) on the day the lease is renewed"),
        pytest.param(date(2026, 11, 29), RowState.NOT_YET, id="90.13(H)(13) on the day after"),
    ],
)
def test_a_landlord_is_told_again_once_the_lease_was_renewed(renews_on, stands):
    assert state_on(Requirement.LANDLORD, RowState.ACCEPTED, renews_on, on=TODAY) is stands
