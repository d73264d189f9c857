"""Do I need a license? Told before anyone is asked who they are."""

from datetime import date

import pytest

from tests.support.registering import answer_eligibility


@pytest.mark.parametrize(
    ("situation", "heading", "said"),
    [
        pytest.param("visiting", "No license is needed", "not a resident", id="90.04(B)(6) example 9, a visitor"),
        pytest.param("dog_show", "No license is needed", "dog show", id="90.04(B)(6) example 10, a show"),
        pytest.param("cat", "No license is needed", "Cats need no license", id="90.04(B)(1) example 6, a cat"),
    ],
)
def test_who_needs_none_is_told_why_and_may_go_on(visitor, situation, heading, said):
    visitor.visit("/register").submit(situation=situation)
    assert visitor.h1 == heading
    assert said in visitor.text
    visitor.submit()
    assert visitor.path.startswith("/sign-in")


def test_an_assistance_dog_is_taken_at_its_persons_word(visitor):
    visitor.visit("/register").submit(situation="assistance_dog").submit(born_on=date(2023, 5, 4))
    assert visitor.h1 == "No license is needed, and a record is free"
    assert "Your word is enough" in visitor.text


@pytest.mark.parametrize(
    ("born_on", "said"),
    [
        pytest.param(date(2026, 8, 31), "March 1, 2027", id="90.04(B)(1) example 1"),
        pytest.param(date(2026, 8, 28), "March 1, 2027", id="90.04(B)(1) example 3"),
    ],
)
def test_a_puppy_is_told_the_exact_day(visitor, born_on, said):
    visitor.visit("/register").submit(situation="resident_dog").submit(born_on=born_on)
    assert visitor.h1 == "Not yet"
    assert said in visitor.text


def test_a_puppy_may_be_kept_for_later_without_charge(resident):
    answer = resident.visit("/register").submit(situation="resident_dog").submit(born_on=date(2026, 8, 31))
    answer.submit(button="Save it and remind me")
    assert resident.path == "/register/owner"
    resident.submit(owner_name="Pat", is_adult="yes").submit(line1="1310 Idaho Ave")
    resident.submit(animal_name="Pip", breed="Mixed", color="brown", sex="male", is_altered="no")
    assert resident.h1 == "A picture of Pip", "no license year is asked for"
    resident.submit(button="Skip this").submit(button="I’ll add it later")
    resident.submit(another="no").submit(are_there="no")
    assert "To pay: $0.00" in resident.text
    resident.submit(is_true=True)
    assert resident.path == "/dogs"
    assert "Pip" in resident.text


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        pytest.param({"age": "2 yrs"}, None, id="F6 an age with its unit is understood"),
        pytest.param({"age": "0"}, None, id="F6 age 0 is an age"),
        pytest.param({"age": "old"}, "Enter the age as a number, like 2, and choose months or years", id="F6 no age"),
        pytest.param({}, "Enter the birth date, or about how old it is", id="neither"),
        pytest.param(
            {"born_on-month": "3", "born_on-day": "3", "born_on-year": "25"},
            "Enter the year with four digits, like 2025",
            id="D3 two digits",
        ),
        pytest.param(
            {"born_on-month": "6", "born_on-day": "31", "born_on-year": "2025"}, "June has 30 days", id="D3 31 June"
        ),
        pytest.param({"born_on-month": "3 mar 2025 "}, None, id="D3 typed whole, with a blank behind"),
        pytest.param({"born_on": date(2027, 1, 4)}, "January 4, 2027 is still to come", id="D3 born next month"),
    ],
)
def test_the_age_is_understood_or_explained(visitor, answers, error):
    visitor.visit("/register").submit(situation="resident_dog").submit(answers, status=422 if error else 200)
    if error:
        assert [sentence for sentence in visitor.errors if error in sentence]
    else:
        assert visitor.path == "/register/answer"


def test_a_newcomer_hears_that_no_grace_is_stated(visitor):
    visitor.visit("/register").submit(situation="resident_dog")
    visitor.submit(born_on=date(2020, 1, 1), moved_from="another_state")
    assert "no grace period is stated" in visitor.text
    assert "certificate of veterinary inspection" in visitor.text


def test_on_new_years_eve_in_chicago_it_is_still_this_year(visitor, clock):
    """Case D1: half past midnight in London is half past six in Benson."""
    clock.move_to(clock.at.replace(month=12, day=31, hour=18, minute=30))
    visitor.visit("/register").submit(situation="resident_dog")
    visitor.submit(born_on=date(2027, 1, 1), status=422)
    assert visitor.errors == ["January 1, 2027 is still to come. Check the month and the year"]


def test_the_answers_given_before_signing_in_are_not_asked_again(visitor):
    answer_eligibility(visitor)
    visitor.submit(email="new@example.com").submit(code=visitor.outbox.code("new@example.com"))
    assert visitor.path == "/register/owner"
