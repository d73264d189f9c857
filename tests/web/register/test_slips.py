"""What looks like a slip is noticed where it is typed: said kindly beside the answer, and never the end of the way."""

from datetime import date

import pytest

from portal.forms.slips import IF_IT_IS_RIGHT, UNLIKE_A_CHIP
from portal.forms.us_addresses import A_STATE, A_ZIP_CODE
from portal.ordinance.conflicts import DUE_BEFORE_GIVEN
from tests.support.registering import (
    DETAILS,
    OWNER,
    PEPPER,
    SMALL_PHOTO,
    answer_eligibility,
    finish,
    send_certificate,
    tell_about,
    tell_owner_and_home,
)

BACKWARDS = {"given_on": date(2025, 6, 12), "due_on": date(2024, 6, 12)}
CHIP = "985112001234567"
SAME_CHIP = f"Pepper has this number too, and each microchip has its own. Check it. {IF_IT_IS_RIGHT}"


@pytest.fixture
def at_the_details(resident):
    return tell_about(tell_owner_and_home(answer_eligibility(resident))).submit(file=SMALL_PHOTO)


def test_a_due_date_before_the_shot_is_noticed_where_it_is_typed(at_the_details):
    at_the_details.submit({**DETAILS, **BACKWARDS}, status=422)
    assert at_the_details.errors == [f"{DUE_BEFORE_GIVEN}. {IF_IT_IS_RIGHT}"]
    assert at_the_details.page.values["product"] == ["Imrab 3"]
    assert at_the_details.submit(due_on=date(2028, 6, 12)).path == "/register/animals"


def test_a_paper_that_really_says_so_is_taken_and_looked_at_by_a_person(at_the_details, database):
    at_the_details.submit({**DETAILS, **BACKWARDS}, status=422).submit()
    finish(at_the_details)
    row = database.rows("SELECT state, certificate_due_on FROM animal_control.vaccination")[0]
    assert (row.state, row.certificate_due_on) == ("submitted", date(2024, 6, 12))


def test_another_slip_than_the_one_that_was_told_is_told_too(at_the_details):
    at_the_details.submit({**DETAILS, **BACKWARDS}, status=422)
    at_the_details.submit({"given_on-year": "1850"}, status=422)
    assert at_the_details.errors == ["Check the year: 1850 is too long ago"]


def test_one_microchip_in_two_dogs_of_one_registration_is_noticed(resident):
    tell_owner_and_home(answer_eligibility(resident))
    send_certificate(tell_about(resident, microchip=CHIP)).submit(another="yes")
    rex = {**PEPPER, "animal_name": "Rex", "microchip": "985-112-001 234 567"}
    answer_eligibility(resident).submit(rex, status=422)
    assert resident.errors == [SAME_CHIP]
    assert resident.page.values["animal_name"] == ["Rex"]
    assert resident.submit().h1 == "Rex’s license", "the number on Pepper may be the wrong one"


def test_the_number_of_a_dog_that_is_registered_already_is_noticed_too(resident, registrations, database):
    registrations.dog("Pepper")
    database.run("UPDATE animal_control.animal SET microchip = :chip", chip=CHIP)
    answer_eligibility(resident).submit({**PEPPER, "animal_name": "Rex", "microchip": CHIP}, status=422)
    assert resident.errors == [SAME_CHIP]
    assert resident.submit(microchip="985112001234568").h1 == "Rex’s license"


@pytest.mark.parametrize("typed", ["985112001234", "pepper", "98511200123456x"])
def test_a_number_that_no_microchip_has_is_noticed_and_taken_when_it_is_sent_again(resident, typed):
    tell_owner_and_home(answer_eligibility(resident)).submit({**PEPPER, "microchip": typed}, status=422)
    assert resident.errors == [f"{UNLIKE_A_CHIP}. {IF_IT_IS_RIGHT}"]
    assert resident.submit().h1 == "Pepper’s license"


@pytest.mark.parametrize("typed", ["985 112 001 234 567", "012*345*678", "4A0B-1C2D-3E"])
def test_the_numbers_of_old_and_new_microchips_are_taken_at_once(resident, typed):
    tell_owner_and_home(answer_eligibility(resident)).submit({**PEPPER, "microchip": typed})
    assert resident.h1 == "Pepper’s license"


def test_of_the_microchips_of_other_people_nothing_is_told(resident, registrations, database):
    registrations.dog("Rex", email="kim@example.com")
    database.run("UPDATE animal_control.animal SET microchip = :chip", chip=CHIP)
    tell_owner_and_home(answer_eligibility(resident)).submit({**PEPPER, "microchip": CHIP})
    assert resident.h1 == "Pepper’s license"


@pytest.mark.parametrize(("state", "postal_code"), [("Zz", "9"), ("Minnesotta", "5621"), ("Ontario", "K1A 0B1")])
def test_a_state_and_a_zip_code_that_are_none_are_asked_for_again(resident, state, postal_code):
    answer_eligibility(resident).submit(OWNER)
    resident.submit(line1="1310 Idaho Ave", state=state, postal_code=postal_code, status=422)
    assert resident.errors == [A_STATE, A_ZIP_CODE]
    assert (resident.page.values["state"], resident.page.values["postal_code"]) == ([state], [postal_code])
    assert resident.submit(state="South Dakota", postal_code="57201-1234").h1 == "What is your dog like?"


def test_an_address_on_record_may_stay_as_it_is(resident, registrations, database):
    registrations.dog("Pepper")
    database.run("UPDATE animal_control.premises SET state = 'Zz', postal_code = '9'")
    resident.visit("/me/address").submit(unit="2")
    assert database.value("SELECT count(*) FROM animal_control.premises WHERE state = 'Zz' AND unit = '2'") == 1


def test_other_dogs_and_none_of_them_is_asked_how_many(resident):
    send_certificate(tell_about(tell_owner_and_home(answer_eligibility(resident)))).submit(another="no")
    resident.submit(are_there="yes", count="0", status=422)
    assert resident.errors == ["Enter how many other dogs there are. If there are none, choose “No” above"]
    assert resident.submit(are_there="no").h1 == "Check your answers"


def test_an_age_that_is_not_the_one_of_the_birth_date_is_noticed(visitor):
    visitor.visit("/register").submit(situation="resident_dog")
    seven = {"age": "7", "age-unit": "year"}
    visitor.submit({"born_on": date(2024, 6, 1), **seven}, status=422)
    assert visitor.errors == [
        "By the birth date it is 2 years old. Correct one of the two answers, or leave one of them empty"
    ]
    visitor.submit({"born_on-month": "", "born_on-day": "", "born_on-year": ""})
    assert visitor.h1 == "Yes, it needs a license"


def test_the_age_that_replaces_a_birth_date_is_the_one_that_counts(visitor):
    """Back at the question, the date is taken out and an age typed in its place."""
    visitor.visit("/register").submit(situation="resident_dog").submit(born_on=date(2024, 6, 1))
    assert visitor.h1 == "Yes, it needs a license"
    two_months = {"age": "2", "age-unit": "month", "born_on-month": "", "born_on-day": "", "born_on-year": ""}
    visitor.visit("/register/age").submit(two_months)
    assert visitor.h1 == "Not yet"


@pytest.mark.parametrize(("age", "unit"), [("2", "year"), ("3", "year"), ("30", "month")])
def test_an_age_that_is_about_right_is_no_slip(visitor, age, unit):
    visitor.visit("/register").submit(situation="resident_dog")
    visitor.submit({"born_on": date(2024, 6, 1), "age": age, "age-unit": unit})
    assert visitor.h1 == "Yes, it needs a license"
