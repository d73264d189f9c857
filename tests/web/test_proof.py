"""Proof of license: a sheet for paper, and a page on which anyone can check its code."""

from datetime import datetime

import pytest

from portal.gateways.rate_limits import PROOF_LOOKUPS
from tests.support.portal import CHICAGO


@pytest.fixture
def code(registrations, database):
    """The code of Pepper's license."""
    registrations.licensed("Pepper")
    return database.value("SELECT proof_code FROM animal_control.license")


def test_the_sheet_shows_number_dog_term_and_code(resident, registrations, database):
    kept = registrations.licensed("Pepper")
    code = database.value("SELECT proof_code FROM animal_control.license")
    page = resident.visit(f"/dogs/{kept.animal_id}/proof")
    assert page.h1 == "Dog license 2026"
    for words in ("City of Benson", "Number1", "Pepper", "Labrador retriever, black, female, spayed", code):
        assert words in page.text
    assert "November 30, 2026 to December 31, 2026" in page.text
    assert "June 12, 2029" in page.text
    assert f"{resident.origin}/proof/{code}" in page.text
    assert page.page.by_class("qr")[0].get("role") == "img"
    assert "O’Brien" not in page.text
    assert "Idaho" not in page.text


def test_without_a_license_there_is_no_proof_yet(resident, registrations):
    kept = registrations.dog("Pepper")
    assert resident.visit(f"/dogs/{kept.animal_id}/proof").path == f"/dogs/{kept.animal_id}"


def test_with_two_years_the_one_in_force_comes_first(resident, registrations, database):
    kept = registrations.licensed("Pepper", license_year=2027)
    database.run(
        """INSERT INTO animal_control.license (animal_id, year, valid_from, valid_until, basis, number, state,
                                               delivery, proof_code)
           VALUES (:id, 2026, '2026-02-01', '2026-12-31', 'fee', 77, 'issued', 'mail', 'OLD')""",
        id=kept.animal_id,
    )
    page = resident.visit(f"/dogs/{kept.animal_id}/proof")
    assert page.h1 == "Dog license 2026"
    assert page.click("Proof for 2027").h1 == "Dog license 2027"


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param(lambda code: code, id="as printed"),
        pytest.param(lambda code: code.lower().replace("-", ""), id="small letters, no dashes"),
        pytest.param(lambda code: f" {code.replace('-', ' ')} ", id="blanks"),
        pytest.param(lambda code: code.replace("0", "O").replace("1", "l"), id="O for 0 and l for 1"),
    ],
)
def test_an_officer_types_the_code_however_it_reads(visitor, code, typed):
    page = visitor.visit("/proof").submit(code=typed(code))
    assert page.path == f"/proof/{code}"
    assert page.h1 == "License in force"


def test_the_answer_shows_the_dog_and_never_a_person_or_a_place(visitor, code):
    page = visitor.visit(f"/proof/{code}")
    for words in ("2026, number 1", "Pepper", "Labrador retriever", "black", "female, spayed"):
        assert words in page.text
    for words in ("O’Brien", "Pat", "Idaho", "555-0100 x12", "pat@example.com", "56215"):
        assert words not in page.text
    assert 'content="noindex"' in page.page.html


@pytest.mark.parametrize(
    ("change", "why"),
    [
        pytest.param("UPDATE animal_control.license SET state = 'revoked'", "It was revoked.", id="revoked"),
        pytest.param(
            "UPDATE animal_control.license SET valid_from = '2026-12-01'", "It begins on December 1, 2026.", id="later"
        ),
        pytest.param(
            "UPDATE animal_control.license SET valid_from = '2026-01-01', valid_until = '2026-11-29'",
            "It ended on November 29, 2026.",
            id="ended",
        ),
        pytest.param("UPDATE animal_control.animal SET state = 'died'", "The dog is no longer kept here.", id="died"),
    ],
)
def test_a_license_that_is_not_in_force_says_why(visitor, code, database, change, why):
    database.run(change)
    page = visitor.visit(f"/proof/{code}")
    assert page.h1 == "License not in force"
    assert why in page.text


def test_it_is_in_force_until_midnight_in_the_city(visitor, code, clock):
    """D1."""
    clock.move_to(datetime(2026, 12, 31, 23, 59, tzinfo=CHICAGO))
    assert visitor.visit(f"/proof/{code}").h1 == "License in force"
    clock.move_to(datetime(2027, 1, 1, 0, 0, tzinfo=CHICAGO))
    assert visitor.visit(f"/proof/{code}").h1 == "License not in force"


@pytest.mark.parametrize("wrong", ["AAAA-AAAA-AAAA-AAAA", "1", "..%2F..%2Fetc", "%00", "A" * 3000, "é" * 16])
def test_a_code_that_is_none_is_answered_as_such(visitor, code, wrong):
    assert visitor.visit(f"/proof/{wrong}", status=404).h1 in ("No license with this code", "We can’t find this page")


def test_a_license_applied_for_has_no_proof(visitor, registrations, database):
    registrations.dog("Pepper")
    code = database.value("SELECT proof_code FROM animal_control.license")
    assert visitor.visit(f"/proof/{code}", status=404).h1 == "No license with this code"


@pytest.mark.parametrize("typed", ["", "   ", "7KM2", "7KM2-9XPR-4TQD-H3WN-7KM2"])
def test_too_few_or_too_many_characters_are_asked_for_again(visitor, typed):
    page = visitor.visit("/proof").submit(code=typed, status=422)
    assert page.errors == ["Type all 16 letters and digits of the code, like 7KM2-9XPR-4TQD-H3WN"]
    assert page.page.values.get("code", [""])[0].strip() == typed.strip()


def test_codes_cannot_be_tried_one_after_the_other(visitor, code):
    for _ in range(PROOF_LOOKUPS.item.amount):
        visitor.visit("/proof/AAAA-AAAA-AAAA-AAAA", status=404)
    answer = visitor.visit(f"/proof/{code}", status=429).answer
    assert int(answer.headers["Retry-After"]) > 0


def test_looking_up_a_code_starts_no_session(visitor, code):
    visitor.visit("/proof").submit(code=code)
    assert "Set-Cookie" not in visitor.answer.headers
