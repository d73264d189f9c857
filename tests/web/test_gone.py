"""A dog died, moved away or has a new home (90.04(B)(5), 90.12(E), example 34)."""

from datetime import timedelta

import pytest

from portal.schema.animals import Animal
from portal.schema.orders import Order


@pytest.fixture
def pepper(resident, registrations):
    return registrations.licensed()


def test_a_death_is_met_kindly_with_the_rule_and_no_advice_to_bury(resident, pepper, database):
    resident.visit(f"/dogs/{pepper.animal_id}").click("Pepper died, moved or has a new home")
    resident.submit(kind="died")
    assert resident.h1 == "We’re sorry Pepper died"
    assert "within 12 hours" in resident.text
    assert "Burying it in the city is not allowed" in resident.text
    assert "is not paid back because a dog died" in resident.text
    assert [animal.state for animal in database.all(Animal)] == ["died"]
    resident.visit("/dogs")
    assert "Pepper" not in resident.text
    resident.click("Animals no longer with you")
    assert "Pepper" in resident.links


def test_it_can_be_taken_back_for_thirty_days(resident, pepper, database, clock):
    resident.visit(f"/dogs/{pepper.animal_id}/gone").submit(kind="left_city")
    clock.move_to(clock.at + timedelta(days=29))
    resident.visit(f"/dogs/{pepper.animal_id}/farewell").submit(button="Take it back")
    assert resident.path == f"/dogs/{pepper.animal_id}"
    assert [animal.state for animal in database.all(Animal)] == ["kept"]


def test_after_that_a_person_at_the_city_changes_it(arrive, pepper, database, clock):
    someone = arrive().sign_in()
    someone.visit(f"/dogs/{pepper.animal_id}/gone").submit(kind="given_away")
    clock.move_to(clock.at + timedelta(days=31))
    someone.sign_in(then=f"/dogs/{pepper.animal_id}/farewell").submit(button="Take it back", status=422)
    assert someone.errors == ["This was told more than 30 days ago. Call the police department to change it"]
    assert [animal.state for animal in database.all(Animal)] == ["given_away"]


def test_what_is_owed_for_a_dog_that_died_is_owed_no_more(resident, registrations, database):
    rex = registrations.dog("Rex")
    resident.visit(f"/dogs/{rex.animal_id}/gone").submit(kind="died")
    assert [order.state for order in database.all(Order)] == ["canceled"]


def test_after_taking_it_back_the_license_can_be_applied_for_again(resident, registrations):
    rex = registrations.dog("Rex")
    resident.visit(f"/dogs/{rex.animal_id}/gone").submit(kind="died")
    resident.visit(f"/dogs/{rex.animal_id}/farewell").submit(button="Take it back")
    resident.click("Apply now").submit(license_year="2026")
    assert resident.h1 == "Pay $10.00"


def test_an_older_link_to_a_dog_that_is_gone_leads_to_its_farewell(resident, another_resident, pepper):
    resident.visit(f"/dogs/{pepper.animal_id}/gone").submit(kind="died")
    assert resident.visit(f"/dogs/{pepper.animal_id}").path == f"/dogs/{pepper.animal_id}/farewell"
    another_resident.visit(f"/dogs/{pepper.animal_id}", status=404)


def test_no_license_is_issued_for_a_dog_that_is_gone(resident, registrations, database):
    rex, _ = registrations.dogs([registrations.animal("Rex"), registrations.animal("Bella")])
    registrations.pay(rex)
    resident.visit(f"/dogs/{rex.animal_id}/gone").submit(kind="died")
    registrations.accept(rex)
    assert [row["number"] for row in database.rows("SELECT number FROM animal_control.license")] == [None, None]


def test_of_an_order_for_two_dogs_only_the_other_is_owed_when_one_is_gone(resident, registrations, database):
    rex, bella = registrations.dogs([registrations.animal("Rex"), registrations.animal("Bella")])
    resident.visit(f"/dogs/{rex.animal_id}/gone").submit(kind="died")
    assert {order.state: order.total_cents for order in database.all(Order)} == {"canceled": 2000, "open": 1000}
    resident.visit("/dogs").click("Pay $10.00 for Bella")
    assert resident.h1 == "Pay $10.00"
    assert "Rex" not in resident.text
    [owed] = [order for order in database.all(Order) if order.state == "open"]
    registrations.accept(bella)
    registrations.take(owed.reference)
    resident.visit(f"/dogs/{bella.animal_id}")
    assert "Licensed for 2026" in resident.text


def test_the_counter_stays_chosen_for_the_dog_that_is_left(resident, registrations):
    rex, _ = registrations.dogs([registrations.animal("Rex"), registrations.animal("Bella")])
    resident.visit("/dogs").click("Pay $20.00 for Bella and Rex").submit(button="Pay at the police counter")
    resident.visit(f"/dogs/{rex.animal_id}/gone").submit(kind="died")
    resident.visit("/dogs").click("Pay $10.00 at the counter for Bella")
    assert resident.h1 == "Payment slip"
    assert "Rex" not in resident.text


def test_a_day_still_to_come_is_asked_for_again(resident, pepper, clock):
    tomorrow = clock.today() + timedelta(days=1)
    resident.visit(f"/dogs/{pepper.animal_id}/gone").submit(kind="died", happened_on=tomorrow, status=422)
    assert resident.errors == ["December 1, 2026 is still to come. Check the month and the year"]


def test_telling_twice_changes_nothing_and_other_people_can_not_tell(resident, another_resident, pepper, database):
    form = resident.visit(f"/dogs/{pepper.animal_id}/gone").page
    resident.submit(kind="died")
    another_resident.visit(f"/dogs/{pepper.animal_id}/gone", status=404)
    another_resident.visit(f"/dogs/{pepper.animal_id}/farewell", status=404)
    resident.page = form
    resident.submit(kind="left_city", status=404)
    assert [animal.state for animal in database.all(Animal)] == ["died"]
