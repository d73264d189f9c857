"""90.09: three dogs on one premises are explained and flagged, never refused."""

from datetime import date

import pytest

from portal.ordinance.kennels import DogKept, dogs_counted, kennel_finding, litter_exempt_through

GROWN = DogKept(born_on=date(2020, 1, 1))
PUPPY = DogKept(born_on=date(2026, 7, 20))
PUP = DogKept(born_on=date(2026, 11, 30), is_litter_pup=True)


@pytest.mark.parametrize(
    ("dogs", "on", "counted"),
    [
        pytest.param([GROWN, GROWN, PUP, PUP, PUP], "2027-02-28", 2, id="90.09(A) example 15: through the 28th"),
        pytest.param([GROWN, GROWN, PUP, PUP, PUP], "2027-03-01", 5, id="90.09(A) example 15: the day after"),
        pytest.param([GROWN, GROWN, PUPPY], "2026-11-20", 3, id="90.09(A) example 5: a four-month puppy counts"),
        pytest.param([DogKept(), DogKept(is_litter_pup=True)], "2026-11-20", 2, id="90.09(A) unknown births count"),
        pytest.param([], "2026-11-20", 0, id="90.09(A) no dog"),
    ],
)
def test_the_dogs_that_count(dogs, on, counted):
    assert dogs_counted(dogs, on=date.fromisoformat(on)) == counted


def test_a_litter_is_not_counted_for_three_months():
    assert litter_exempt_through(date(2026, 11, 30)) == date(2027, 2, 28)


def test_a_third_dog_of_ones_own_is_explained_and_seen_by_a_person():
    found = kennel_finding([GROWN] * 3, on=date(2026, 11, 20))
    assert (found.rule, found.needs_review, found.is_for_staff) == ("90.09(A)", True, False)
    assert "You can still apply" in found.sentence


def test_two_dogs_are_not_a_kennel():
    assert kennel_finding([GROWN] * 2, on=date(2026, 11, 20)) is None


def test_another_persons_dogs_reach_staff_and_never_the_applicant():
    """90.09 and chapter 13, example 14."""
    found = kennel_finding([GROWN], on=date(2026, 11, 20), known_from_others=2)
    assert (found.rule, found.needs_review, found.is_for_staff) == ("90.09(A)", True, True)


def test_ones_own_three_dogs_say_the_same_whoever_else_lives_there():
    alone = kennel_finding([GROWN] * 3, on=date(2026, 11, 20))
    assert kennel_finding([GROWN] * 3, on=date(2026, 11, 20), known_from_others=4) == alone
