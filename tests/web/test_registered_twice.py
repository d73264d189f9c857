"""The same dog registered by a second person: an officer is told, a stranger finds out nothing."""

import re
from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from portal.ordinance.licensing import Situation
from portal.schema.lookalikes import Lookalike
from portal.schema.orders import Order
from portal.schema.people import PremisesKind
from tests.support.household import GAVIN, GAVINS_HOME
from tests.support.registering import answer_eligibility, tell_about
from tests.support.registrations import CERTIFICATE, HOME, LATER, Registered

CHIP = "985 112 003 456 789"
# A reference, the address of an order, and where they live: different for everybody.
OF_ITS_OWN = re.compile(r"[0-9A-Z]{4}-[0-9A-Z]{4}|/pay/\S+|1[56] Oregon Ave")


@pytest.fixture
def registers(registrations):
    """Gavin registers a dog at his own home, or at another."""

    def registers(name: str = "Peppi", *, home=GAVINS_HOME, **about) -> Registered:
        return registrations.dog(name, email="gavin@example.com", owner=GAVIN, home=home, **about)

    return registers


def agreeing(database):
    return [found.agrees for found in database.all(Lookalike)]


def with_tag(number):
    return replace(CERTIFICATE, rabies_tag=number)


@pytest.mark.parametrize(
    ("first", "second", "agrees"),
    [
        pytest.param({"microchip": CHIP}, {"name": "Rex", "microchip": CHIP.replace(" ", "-")}, "microchip", id="chip"),
        pytest.param(
            {"certificate": with_tag("A-1234")},
            {"name": "PEPPER", "certificate": with_tag("a1234")},
            "rabies tag and name",
            id="rabies tag and name",
        ),
        pytest.param({}, {"name": "pepper", "home": HOME}, "address and name", id="address and name"),
        pytest.param(
            {"microchip": CHIP},
            {"name": "Pepper", "home": HOME, "microchip": CHIP},
            "microchip",
            id="the strongest sign",
        ),
    ],
)
def test_an_officer_is_told_which_two_may_be_one(registrations, registers, database, first, second, agrees):
    one = registrations.dog("Pepper", **first)
    two = registers(**second)
    [found] = database.all(Lookalike)
    assert (found.animal_id, found.other_animal_id, found.agrees) == (two.animal_id, one.animal_id, agrees)
    told = "SELECT actor, detail FROM animal_control.event WHERE kind = 'animal.may_be_known'"
    [event] = database.rows(told)
    assert event.actor == "system"
    assert event.detail == {"agrees": [agrees]}, "not whose"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param({}, {"name": "Pepper"}, id="the same name elsewhere"),
        pytest.param({}, {"name": "Rex", "home": HOME}, id="another dog in the house"),
        pytest.param({"certificate": with_tag("1")}, {"name": "Rex", "certificate": with_tag("1")}, id="a tag alone"),
        pytest.param({"microchip": "---"}, {"name": "Rex", "microchip": "---"}, id="no number at all"),
        pytest.param(
            {},
            {"name": "Pepper", "home": HOME, "situation": Situation.CAT, "license_year": None},
            id="a cat of that name",
        ),
    ],
)
def test_two_dogs_are_not_taken_for_one(registrations, registers, database, first, second):
    registrations.dog("Pepper", **first)
    registers(**second)
    assert agreeing(database) == []


def test_ones_own_dogs_are_not_compared_with_each_other(registrations, database):
    registrations.dog("Pepper", microchip=CHIP)
    registrations.dog("Pepper", microchip=CHIP)
    assert agreeing(database) == []


def test_a_safe_at_home_address_is_never_compared(registrations, registers, database):
    safe = replace(HOME, kind=PremisesKind.SAFE_AT_HOME)
    registrations.dog("Pepper", home=safe)
    registers("Pepper", home=safe)
    assert agreeing(database) == []


def told_after_registering(person, name, microchip, lives_at):
    """Every page a person sees from "check your answers" on, and their letters."""
    answer_eligibility(person)
    if person.path == "/register/owner":
        person.submit({"owner_name": "Mallory Stone", "is_adult": "yes"}).submit({"line1": lives_at})
    tell_about(person, animal_name=name, microchip=microchip)
    person.submit(button="I’ll add it later")
    person.submit(another="no").submit(are_there="no")
    pages = [person.text]
    person.submit(is_true=True)
    pages.append(person.text)
    person.visit("/dogs").click(name)
    pages.append(person.text)
    letters = [letter.text for letter in person.outbox.letters(to=person.email, template="application_received")]
    return [OF_ITS_OWN.sub("", told.replace(person.email, "")) for told in (*pages, letters[-1])]


def test_a_stranger_can_not_find_out_whether_the_city_knows_a_dog(arrive, registrations, database, queries):
    registrations.dog("Pepper", microchip=CHIP)
    mallory = arrive("mallory@example.com").sign_in()
    with queries() as known:
        of_a_known_chip = told_after_registering(mallory, "Rexx", CHIP, "15 Oregon Ave")
    ted = arrive("ted@example.com").sign_in()
    with queries() as unknown:
        of_an_unknown_chip = told_after_registering(ted, "Rexx", "900000000000001", "16 Oregon Ave")
    assert of_a_known_chip == of_an_unknown_chip
    assert agreeing(database) == ["microchip"]
    assert "Nobody pays for one dog twice" in of_a_known_chip[0]
    assert len(known) - len(unknown) == 2, "the note for the officer and its event, and no other step"


def test_the_web_can_not_read_what_it_noted(gateways):
    with gateways.engine.connect() as connection, pytest.raises(ProgrammingError, match="permission denied"):
        connection.execute(text("SELECT * FROM animal_control.lookalike"))


def test_the_officer_sees_both_and_says_they_are_one(registrations, registers, console, database, outbox):
    registrations.licensed("Pepper", microchip=CHIP)
    registers("Rex", microchip=CHIP, certificate=LATER)
    listed = console("lookalike", "list")
    for told in ("Rex", "Gavin Lind, (320) 555-0177", "Pepper", "Pat O’Brien, (320) 555-0100 x12", "microchip"):
        assert told in listed
    [found] = database.all(Lookalike)
    assert "They are one animal" in console("lookalike", "decide", str(found.id)[:8], "--same", "--officer", "a@b.c")
    assert console("lookalike", "list") == "No pair waits.\n"
    owed = {order.state for order in database.all(Order)}
    assert owed == {"paid", "canceled"}, "nobody pays twice for one dog"
    [letter] = outbox.letters(to="gavin@example.com", template="known_already")
    assert not [told for told in ("Pat", "O’Brien", "Idaho", "Pepper") if told in letter.text]
    assert "decided already: they are one animal" in console(
        "lookalike", "decide", str(found.id), "--different", fails=True
    )


def test_the_officer_says_they_are_two_and_nothing_else_changes(registrations, registers, console, database, outbox):
    registrations.dog("Pepper", microchip=CHIP)
    registers("Rex", microchip=CHIP)
    [found] = database.all(Lookalike)
    before = outbox.templates()
    assert console("lookalike", "decide", str(found.id), "--different") == "They are two animals.\n"
    assert {order.state for order in database.all(Order)} == {"open"}
    assert outbox.templates() == before


def test_the_other_dogs_of_the_same_order_are_still_owed(registrations, console, database):
    registrations.licensed("Pepper", microchip=CHIP)
    both = [registrations.animal("Rex", microchip=CHIP), registrations.animal("Bella")]
    registrations.dogs(both, email="gavin@example.com", owner=GAVIN, home=GAVINS_HOME)
    [found] = database.all(Lookalike)
    console("lookalike", "decide", str(found.id), "--same", "--officer", "a@b.c")
    owed = sorted((order.state.value, order.total_cents) for order in database.all(Order))
    assert owed == [("canceled", 2000), ("open", 1000), ("paid", 1000)]
