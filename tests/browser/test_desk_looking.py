"""What the desk only has to look at, at a real browser."""

from dataclasses import replace

from sqlalchemy.orm import Session

from portal.schema.people import Person
from portal.services.draft_answers import OtherDogsAnswers
from portal.services.owners.ask_to_look import ask_about_application
from tests.browser.test_every_page import LONG
from tests.support.registrations import LATER, OWNER


def test_a_home_with_three_dogs_and_an_application_that_a_machine_may_have_sent(
    open_desk, gallery, registrations, gateways
):
    owner = replace(OWNER, name=LONG)
    dog = registrations.dog(certificate=LATER, owner=owner, others=OtherDogsAnswers(count=2))
    with Session(gateways.engine) as session, session.begin():
        ask_about_application(session, session.get_one(Person, dog.person_id))
    screen = open_desk().visit("/desk")
    screen.follow("Three or more dogs at 1310 Idaho Ave", leads_to="Are three or more dogs kept at 1310 Idaho Ave?")
    gallery.look(screen, "desk-kennel").press("Looked at: nothing to do", leads_to="Queue")
    screen.follow(f"Did {LONG} send this?", leads_to=f"Did {LONG} send this?")
    gallery.look(screen, "desk-application").press("Looked at: we talked with them", leads_to="Queue")
