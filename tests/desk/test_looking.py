"""What asks for a person's eyes reaches one, and comes back only when something new happens (90.09, T19, F5)."""

import pytest
from sqlalchemy.orm import Session

from portal.schema.people import Person
from portal.services.draft_answers import OtherDogsAnswers
from portal.services.owners.ask_to_look import ask_about_application
from tests.support.registrations import LATER

THREE = "Three or more dogs at 1310 Idaho Ave"
ASKED = "Did Pat O’Brien send this?"
TOLD = """
    SELECT actor, detail FROM animal_control.event WHERE kind IN ('premises.looked_at', 'application.looked_at')
"""


@pytest.fixture
def three_dogs(registrations):
    """Somebody who has two more dogs registers one."""

    def three_dogs(name="Pepper"):
        return registrations.dog(name, certificate=LATER, others=OtherDogsAnswers(count=2))

    return three_dogs


@pytest.fixture
def trapped(registrations, gateways):
    """The trap for machines was filled in by what this person sends."""

    def trapped(dog):
        with Session(gateways.engine) as session, session.begin():
            ask_about_application(session, session.get_one(Person, dog.person_id))

    return trapped


def test_a_home_with_three_dogs_waits_until_an_officer_looked(officer, three_dogs, database):
    three_dogs()
    officer.visit("/desk").click(THREE)
    assert "Other dogs, as last stated" in officer.text
    assert "Pat O’Brien, (320) 555-0100 x12" in officer.text
    officer.submit(button="Looked at: we talked with them")
    assert "Looked at. It comes back when another dog is registered there." in officer.page.html
    assert THREE not in officer.text
    assert not database.value("SELECT kennel_review FROM animal_control.premises")
    [told] = database.rows(TOLD)
    assert told.actor.startswith("officer:")
    assert told.detail == {"outcome": "talked"}


def test_a_home_that_was_looked_at_comes_back_with_the_next_dog_and_not_before(officer, three_dogs, clock):
    three_dogs()
    officer.visit("/desk").click(THREE).submit(button="Looked at: nothing to do")
    assert THREE not in officer.visit("/desk").text
    three_dogs("Rex")
    officer.visit("/desk").click(THREE)
    assert "Pepper, Labrador retriever; Rex, Labrador retriever" in officer.text


def test_whoever_looks_while_another_dog_comes_looks_again(officer, three_dogs, database):
    three_dogs()
    officer.visit("/desk").click(THREE)
    three_dogs("Rex")
    officer.submit(button="Looked at: nothing to do", status=409)
    assert "Rex" in officer.text
    assert database.rows(TOLD) == []
    officer.submit(button="Looked at: nothing to do")
    assert len(database.rows(TOLD)) == 1


def test_a_home_with_two_dogs_waits_for_nobody(officer, registrations):
    registrations.dog(certificate=LATER, others=OtherDogsAnswers(count=1))
    assert "Three or more dogs at" not in officer.visit("/desk").text


def test_an_application_that_a_machine_may_have_sent_waits_for_a_clerk(clerk, registrations, trapped, database):
    dog = registrations.dog(certificate=LATER)
    assert ASKED not in clerk.visit("/desk").text
    trapped(dog)
    trapped(dog)
    assert clerk.visit("/desk").text.count(ASKED) == 1, "sent twice, looked at once"
    clerk.click(ASKED)
    assert "pat@example.com" in clerk.text
    assert "Pepper" in clerk.text
    clerk.submit(button="Looked at: nothing to do")
    assert ASKED not in clerk.visit("/desk").text
    assert [told.detail for told in database.rows(TOLD)] == [{"outcome": "fine"}]
    trapped(dog)
    assert ASKED in clerk.visit("/desk").text


def test_of_two_who_look_at_an_application_the_second_reads_that_it_was_done(clerk, officer, registrations, trapped):
    trapped(registrations.dog(certificate=LATER))
    clerk.visit("/desk").click(ASKED)
    officer.visit("/desk").click(ASKED).submit(button="Looked at: nothing to do")
    clerk.submit(button="Looked at: we talked with them", status=409)
    assert "Looked at: " not in clerk.text, "there is nothing more to press"


def test_without_a_button_nobody_has_looked(officer, three_dogs, registrations, trapped, press_nothing):
    trapped(three_dogs())
    for line in (THREE, ASKED):
        officer.visit("/desk").click(line)
        press_nothing("Looked at: nothing to do")


def test_the_console_lists_them_and_says_that_somebody_looked(console, three_dogs, trapped, database):
    assert console("kennel", "list") == "No home waits.\n"
    assert console("application", "list") == "No application waits.\n"
    dog = three_dogs()
    trapped(dog)
    home = str(database.value("SELECT id FROM animal_control.premises"))
    assert "1310 Idaho Ave" in console("kennel", "list")
    assert "Pat O’Brien" in console("application", "list")
    console("kennel", "looked-at", home[:8], "--officer", "amy@benson.example")
    console("application", "looked-at", str(dog.person_id)[:8], "--talked", "--officer", "amy@benson.example")
    assert [(told.actor, told.detail["outcome"]) for told in database.rows(TOLD)] == [
        ("officer:amy@benson.example", "fine"),
        ("officer:amy@benson.example", "talked"),
    ]
    assert console("kennel", "list") == "No home waits.\n"
    assert console("application", "list") == "No application waits.\n"
    console("kennel", "looked-at", home[:8], fails=True)
