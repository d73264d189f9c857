"""The list of what a resident keeps: every animal, what is owed, what was begun."""

from uuid import uuid4

import pytest

from portal.ordinance.licensing import Situation
from portal.services.draft_answers import Registration
from portal.services.registering.keep_draft import keep, open_draft
from tests.support.owing import committed

LONG = "Princess Consuela Banana-Hammock the Third of Upper Swift County, called Lulu"


def test_a_page_that_is_not_there_does_not_ask_to_sign_in_again(resident, visitor):
    for path in (f"/dogs/{uuid4()}", "/no-such-page"):
        resident.visit(path, status=404)
        assert "sign in first" not in resident.text
        assert resident.links["My dogs"] == "/dogs"
        assert "Sign in" not in resident.links
    visitor.visit("/no-such-page", status=404)
    assert "If it was one of your dogs, sign in first." in visitor.text


def test_before_the_first_registration_the_list_is_empty_and_leads_on(resident):
    page = resident.visit("/dogs")
    assert page.h1 == "My dogs"
    assert "You have no dogs here yet" in page.text
    assert page.links["Register a dog"] == "/register"


def test_a_licensed_dog_is_listed_with_its_number_and_what_comes_next(resident, registrations):
    registrations.licensed("Pepper")
    page = resident.visit("/dogs")
    assert "Labrador retriever, black, female, spayed" in page.text
    assert "Licensed for 2026, number 1" in page.text
    assert "Now: Tag goes in the mail by December 4, 2026" in page.text


def test_what_needs_the_keeper_comes_before_what_the_city_does(resident, registrations):
    pepper = registrations.dog("Pepper")
    registrations.pay(pepper)
    registrations.send_back(pepper)
    assert "Needs you: Certificate sent back – send another" in resident.visit("/dogs").text


def test_an_order_for_several_dogs_is_asked_for_once(resident, registrations):
    animals = [registrations.animal(name) for name in ("Pepper", "Rex", "Bella", "Luna")]
    order_id = registrations.dogs(animals)[0].order_id
    page = resident.visit("/dogs")
    assert page.links["Pay $40.00 for Bella, Luna and 2 others"] == f"/pay/{order_id}"
    assert page.text.count("$40.00 for") == 1


def test_whoever_chose_the_counter_is_led_to_the_slip(resident, registrations):
    order_id = registrations.dog("Pepper").order_id
    resident.visit(f"/pay/{order_id}").submit(button="Pay at the police counter")
    assert resident.visit("/dogs").links["Pay $10.00 at the counter for Pepper"] == f"/pay/{order_id}/slip"


def test_nothing_is_asked_for_once_it_is_paid(resident, registrations):
    registrations.pay(registrations.dog("Pepper"))
    page = resident.visit("/dogs")
    assert not [link for link in page.links if link.startswith("Pay ")]


def test_a_registration_that_was_begun_is_gone_on_with_from_here(resident, registrations, gateways):
    account_id = registrations.account("pat@example.com")
    with committed(gateways.engine) as session:
        draft = open_draft(session, account_id=account_id)
        begun = Registration(animals=(registrations.animal("Pepper"),))
        keep(session, draft, begun, clock=gateways.clock)
    page = resident.visit("/dogs")
    assert "You began to register Pepper. Everything you answered is kept" in page.text
    assert page.links["Go on with what you began"] == "/register/resume"


def test_a_sent_registration_is_not_called_begun(resident, registrations):
    registrations.dog("Pepper")
    assert "You began" not in resident.visit("/dogs").text


def test_a_cat_is_listed_with_its_certificate_alone(resident, registrations):
    registrations.dog("Minka", situation=Situation.CAT, license_year=None, breed="Domestic shorthair")
    page = resident.visit("/dogs")
    assert "Cat, Domestic shorthair, black" in page.text
    assert "Now: Certificate sent" in page.text
    assert "Pay " not in page.text


@pytest.mark.parametrize("count", [1, 40])
def test_the_list_asks_the_database_the_same_few_times_for_forty_dogs(resident, registrations, queries, count):
    registrations.dogs([registrations.animal(f"{LONG} {number}") for number in range(count)])
    with queries() as counted:
        page = resident.visit("/dogs")
    assert page.text.count(LONG) >= count
    about_dogs = [sent for sent in counted.sent if "animal_control." in sent]
    assert len(about_dogs) == 2
    assert len(counted) == 4  # who is signed in, and what was begun


def test_dogs_of_others_are_not_listed(resident, another_resident, registrations):
    registrations.licensed("Pepper", email="pat@example.com")
    registrations.licensed("Rex", email="gavin@example.com")
    assert "Pepper" not in another_resident.visit("/dogs").text
    assert "Rex" in another_resident.text


def test_a_dog_that_is_kept_by_somebody_else_now_is_gone_from_the_list(resident, registrations, database):
    kept = registrations.licensed("Pepper")
    database.run("UPDATE animal_control.keeper SET until = now() WHERE animal_id = :id", id=kept.animal_id)
    assert "Pepper" not in resident.visit("/dogs").text
    resident.visit(f"/dogs/{kept.animal_id}", status=404)


def test_signing_out_from_the_list_ends_the_sign_in(resident):
    resident.visit("/dogs").submit(button="Sign out")
    assert resident.path == "/"
    assert resident.visit("/dogs").path == "/sign-in?next=/dogs"


def test_without_a_sign_in_each_page_asks_for_one(visitor, registrations):
    kept = registrations.licensed("Pepper")
    for path in paths_of(kept):
        assert visitor.visit(path).path == f"/sign-in?next={path}"


def test_another_residents_dog_does_not_exist_by_get_or_post(resident, another_resident, registrations, database):
    """V2: each address of a dog is 404 for everyone but its keepers, and nothing is changed by a POST."""
    kept = registrations.licensed("Pepper", email="pat@example.com")
    registrations.licensed("Rex", email="gavin@example.com")
    page = another_resident.visit("/dogs")
    token = page.page.values["csrf_token"][0]
    before = database.content(except_for=("portal.sign_in",))
    for path in paths_of(kept):
        another_resident.visit(path, status=404)
        answer = another_resident.client.post(path, data={"csrf_token": token}, base_url=another_resident.origin)
        assert answer.status_code in (404, 405)
        assert "Pepper" not in answer.text
    assert database.content(except_for=("portal.sign_in",)) == before
    for path in paths_of(kept):
        assert resident.client.get(path, base_url=resident.origin).status_code in (200, 404)


def test_a_made_up_address_is_not_found(resident):
    resident.visit(f"/dogs/{uuid4()}", status=404)
    resident.visit("/dogs/1", status=404)


def paths_of(kept) -> list[str]:
    own = f"/dogs/{kept.animal_id}"
    return [
        own,
        f"{own}/certificate",
        f"{own}/certificate/{uuid4()}",
        f"{own}/proof",
        f"{own}/picture.jpg",
        f"{own}/certificates/{kept.vaccination_id}/1.jpg",
        f"{own}/certificates/{kept.vaccination_id}/0.jpg",
    ]
