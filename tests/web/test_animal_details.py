"""What was typed of an animal is corrected: by who keeps it, and at the desk (90.04(B)(2))."""

from datetime import date

import pytest

from portal.schema.animals import Animal
from portal.schema.lookalikes import Lookalike
from tests.support.household import GAVIN, GAVINS_HOME
from tests.support.registrations import LATER

CHANGES = "SELECT actor, detail FROM animal_control.event WHERE kind = 'animal.changed'"
CHIP = "985112003456789"


@pytest.fixture
def pepper(registrations):
    """Pepper, whose microchip was mistyped."""
    return registrations.dog("Pepper", microchip="985112003456788", certificate=LATER)


def test_a_keeper_corrects_what_was_typed(arrive, pepper, database):
    pat = arrive("pat@example.com").sign_in().visit(f"/dogs/{pepper.animal_id}")
    pat.click("Correct what is on record of Pepper")
    pat.submit(animal_name="Peppa", sex="male", is_altered="no", microchip="985 112 003-456 789")
    assert pat.h1 == "Peppa"
    [animal] = database.all(Animal)
    assert (animal.sex, animal.is_altered, animal.microchip) == ("male", False, CHIP)
    [told] = database.rows(CHANGES)
    assert told.actor == f"keeper:{pepper.person_id}"
    assert told.detail == {"changed": ["name", "sex", "is_altered", "microchip"]}, "no value"


def test_what_is_saved_as_it_was_is_no_change(arrive, pepper, database):
    arrive("pat@example.com").sign_in().visit(f"/dogs/{pepper.animal_id}/details").submit()
    assert database.rows(CHANGES) == []


def test_an_estimated_age_gives_way_to_the_birth_date(arrive, registrations, database):
    dog = registrations.dog(certificate=LATER)
    database.run(
        "UPDATE animal_control.animal SET born_on = NULL, estimated_age_months = 20, age_estimated_on = '2026-11-01'"
    )
    pat = arrive("pat@example.com").sign_in().visit(f"/dogs/{dog.animal_id}/details")
    pat.submit(born_on=date(2025, 3, 1))
    [animal] = database.all(Animal)
    assert (str(animal.born_on), animal.estimated_age_months) == ("2025-03-01", None)


def test_what_the_city_corrected_meanwhile_is_shown_before_it_is_overwritten(arrive, working, pepper, database):
    pat = arrive("pat@example.com").sign_in().visit(f"/dogs/{pepper.animal_id}/details")
    officer = working().visit(f"/desk/dogs/{pepper.animal_id}").click("Correct the record of Pepper")
    officer.submit(color="brown")
    pat.submit(color="chocolate", status=422)
    assert pat.errors == ["The record says “brown” now. Press Save again to put your answer in its place"]
    pat.submit()
    assert [animal.color for animal in database.all(Animal)] == ["chocolate"]


def test_the_desk_corrects_it_its_keepers_are_told_and_the_history_shows_it(working, pepper, outbox, database):
    officer = working().visit(f"/desk/dogs/{pepper.animal_id}").click("Correct the record of Pepper")
    officer.submit(microchip=CHIP)
    assert "Animal changed" in officer.text
    assert outbox.templates(to="pat@example.com")[-1] == "animal_changed"
    [told] = database.rows(CHANGES)
    assert told.actor.startswith("officer:")


def test_of_two_at_the_desk_the_second_looks_again_and_loses_nothing(working, pepper, database):
    first = working().visit(f"/desk/dogs/{pepper.animal_id}/correct")
    second = working("clark@benson.example").visit(f"/desk/dogs/{pepper.animal_id}/correct")
    first.submit(color="brown")
    second.submit(color="chocolate", status=409)
    assert "chocolate" in second.page.html
    assert [animal.color for animal in database.all(Animal)] == ["brown"]


def test_a_designated_dog_is_corrected_by_the_city(arrive, pepper, dangerous, database):
    pat = arrive("pat@example.com").sign_in().visit(f"/dogs/{pepper.animal_id}/details")
    dangerous.designated(pepper)
    pat.submit(color="white", status=422)
    assert "Pepper is a designated dog. To correct what the city holds of it, call" in pat.text
    assert database.rows(CHANGES) == []
    assert "Save" not in pat.visit(f"/dogs/{pepper.animal_id}/details").text


def test_a_corrected_chip_is_compared_again_and_a_pair_is_noted_once(arrive, pepper, registrations, database):
    registrations.dog("Rex", email="gavin@example.com", owner=GAVIN, home=GAVINS_HOME, microchip=CHIP)
    pat = arrive("pat@example.com").sign_in()
    for number in (CHIP, "985112003456788", CHIP):
        pat.visit(f"/dogs/{pepper.animal_id}/details").submit(microchip=number)
    assert [found.agrees for found in database.all(Lookalike)] == ["microchip"]


def test_a_stranger_corrects_nothing(arrive, pepper):
    arrive("mallory@example.com").sign_in().visit(f"/dogs/{pepper.animal_id}/details", status=404)
