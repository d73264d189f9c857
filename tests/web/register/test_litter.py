"""A fresh litter of pups is told of beside the other dogs, also where there are none (90.09(A), example 15)."""

from datetime import date

import pytest

from portal.schema.people import HouseholdStatement, Premises
from tests.support.registering import answer_eligibility, send_certificate, tell_about, tell_owner_and_home

BORN = date(2026, 11, 20)
PUPS = {"description": "Five pups, black, a Lab mix", "litter_born_on": BORN}


@pytest.fixture
def asked_for_others(resident):
    """Pat, at the question about other dogs."""
    send_certificate(tell_about(tell_owner_and_home(answer_eligibility(resident))))
    return resident.submit(another="no")


@pytest.mark.parametrize("others", [{"are_there": "no"}, {"are_there": "yes", "count": "0"}], ids=["no", "yes, none"])
def test_pups_are_kept_where_no_other_grown_dog_lives(asked_for_others, database, others):
    pat = asked_for_others.submit(**others, **PUPS)
    assert pat.h1 == "Check your answers"
    assert "Born November 20, 2026" in pat.text
    assert "Five pups, black, a Lab mix" in pat.text
    pat.click("Change other dogs")
    assert pat.page.values["litter_born_on-day"] == ["20"]
    pat.submit()
    pat.submit(is_true=True)
    [told] = database.all(HouseholdStatement)
    assert (told.other_dogs, told.description, told.litter_born_on) == (0, PUPS["description"], BORN)
    assert [home.kennel_review for home in database.all(Premises)] == [False]


def test_a_day_of_birth_that_is_none_is_the_one_thing_told(asked_for_others):
    asked_for_others.submit({"are_there": "yes", "count": "0", "litter_born_on-month": "Brumaire"}, status=422)
    assert "Enter how many other dogs there are" not in asked_for_others.text


def test_no_other_dogs_and_no_pups_is_still_no(asked_for_others, database):
    asked_for_others.submit(are_there="no", description="Rex").submit(is_true=True)
    [told] = database.all(HouseholdStatement)
    assert (told.other_dogs, told.description, told.litter_born_on) == (0, None, None)
