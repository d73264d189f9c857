"""The pages of a designated dog, looked at closely like every other."""

import re
from datetime import date, datetime

import pytest

from portal.ordinance.dangerous import Requirement
from portal.schema.dangerous_requirements import Decision
from tests.browser.conftest import EMAIL
from tests.browser.test_every_page import BREED, DOG, LONG
from tests.support.portal import CHICAGO
from tests.web.dangerous.things import things_of


@pytest.fixture
def kept(clock, registrations):
    clock.move_to(datetime(2026, 11, 12, 15, 4, 5, tzinfo=CHICAGO))
    return registrations.licensed(DOG, breed=BREED)


def test_the_pages_before_and_around_a_designation(open_screen, gallery, kept, dangerous):
    screen = open_screen(email=EMAIL, then="/dogs").visit("/dangerous").arrive("Dangerous dogs")
    gallery.look(screen, "dangerous-landing")
    screen.visit(f"/dogs/{kept.animal_id}/dangerous").arrive(f"Nothing is entered for {DOG}")
    gallery.look(screen, "dangerous-none")
    screen.visit("/dangerous/claim").arrive("The code on the notice")
    gallery.look(screen, "dangerous-claim")
    gallery.look_at_mistakes(screen, "dangerous-claim")
    screen.visit("/dangerous/elsewhere").arrive("Declared dangerous somewhere else")
    gallery.look(screen, "dangerous-elsewhere")
    gallery.look_at_mistakes(screen, "dangerous-elsewhere", button="Tell the city")
    screen.visit("/dangerous/hearing").arrive("Ask for a hearing")
    gallery.look(screen, "hearing")
    gallery.look_at_mistakes(screen, "hearing", button="Ask for a hearing")
    screen.visit("/dangerous/hearing").answer(kind="dangerous", dog=DOG, name=LONG, signed_name=LONG)
    screen.press("Ask for a hearing", leads_to="We have your request for a hearing")
    gallery.look(screen, "hearing-sent")


def test_the_pages_of_a_designated_dog_that_is_gone_or_moves(open_screen, open_desk, gallery, kept, dangerous):
    dangerous.designated(kept)
    here = f"/dogs/{kept.animal_id}"
    screen = open_screen(email=EMAIL, then="/dogs").visit("/me/address").arrive("Your address")
    gallery.look(screen, "me-address-of-a-designated-dog")
    screen.answer(line1="1320 Idaho Ave").press("Save", leads_to="Your address is saved")
    gallery.look(screen, "moved-with-a-designated-dog")
    gallery.look(screen.visit(f"{here}/leave"), "leave-a-designated-dog")
    gallery.look(screen.visit(f"{here}/gone"), "gone-designated")
    screen.answer(kind="given_away", happened_on=date(2026, 11, 12))
    screen.press("Tell the city", leads_to=f"{DOG} has a new home")
    gallery.look(screen, "farewell-designated")
    gallery.look(screen.visit(f"{here}/dangerous/tell"), "dangerous-tell-gone")
    desk = open_desk().visit(f"/desk/dangerous-dogs/{kept.animal_id}")
    gallery.look(desk, "desk-dangerous-dog-gone")
    gallery.look(desk.visit("/desk/designations"), "desk-designations-gone")
    screen.visit(f"{here}/farewell").follow("Write the notice", leads_to=f"{DOG} gets a new owner")
    screen.answer(new_owner_name=LONG, leaves_city="yes", owner_name=LONG, signed_name=LONG)
    screen.press("Send the notice", leads_to="Animal control has your notice")
    gallery.look(screen, "dangerous-told-gone")
    gallery.look(screen.visit(f"{here}/farewell"), "farewell-designated-told")


def test_what_was_asked_before_the_next_designation_looks_right(open_screen, gallery, kept, dangerous):
    dangerous.designated(kept)
    here = f"/dogs/{kept.animal_id}/dangerous"
    screen = open_screen(email=EMAIL, then="/dogs").visit(f"{here}/hearing")
    screen.answer(name=LONG, signed_name=LONG).press("Ask for a hearing")
    screen.arrive("We have your request for a hearing")
    screen.visit(f"{here}/review").page.get_by_text("Its age", exact=True).click()
    screen.answer(told="Old now.", signed_name=LONG).press("Ask for a review")
    screen.page.get_by_text(re.compile("^Asked [A-Z]")).first.wait_for()
    dangerous.designated(kept)
    gallery.look(screen.visit(here).arrive(f"{DOG}: dangerous dog"), "dangerous-designated-anew")
    gallery.look(screen.visit(f"{here}/review").arrive("Ask for a review"), "dangerous-review-anew")


def test_the_pages_of_a_designated_dog(open_screen, gallery, kept, dangerous):
    dangerous.designated(kept, circumstances=f"November 10, 2026, about 5 p.m., {LONG}")
    here = f"/dogs/{kept.animal_id}/dangerous"
    screen = open_screen(email=EMAIL, then="/dogs").visit(here).arrive(f"{DOG}: dangerous dog")
    gallery.look(screen, "dangerous")
    gallery.look(screen.visit(f"{here}/notice"), "dangerous-notice")
    for row in ("enclosure", "restraint", "signs", "insurance", "microchip", "landlord", "sterilization"):
        screen.visit(f"{here}/rows/{row}")
        gallery.look(screen, f"dangerous-{row}")
    screen.press("Send to the officer").is_told()
    gallery.look(screen, "dangerous-sterilization-with-mistakes")
    for row in ("tag", "photograph", "county", "fee", "license"):
        gallery.look(screen.visit(f"{here}/rows/{row}"), f"dangerous-{row}")
    screen.visit(f"{here}/rows/insurance/link")
    gallery.look(screen, "dangerous-link-asked")
    gallery.look_at_mistakes(screen, "dangerous-link-asked", button="Make the link")
    screen.answer(addressee=LONG, email="agent@example.com").press("Make the link")
    screen.page.get_by_role("heading", name="The link is made").wait_for()
    gallery.look(screen, "dangerous-link-made")
    for kind, button in (("move", "Send the notice"), ("transfer", "Send the notice"), ("death", "Send the notice")):
        screen.visit(f"{here}/tell/{kind}")
        gallery.look(screen, f"dangerous-tell-{kind}")
        gallery.look_at_mistakes(screen, f"dangerous-tell-{kind}", button=button)
    screen.visit(f"{here}/tell/move").answer(
        happens_on=date(2027, 2, 28), new_address=LONG, leaves_city="yes", owner_name=LONG, signed_name=LONG
    )
    screen.press("Send the notice", leads_to="Animal control has your notice")
    gallery.look(screen, "dangerous-told")
    gallery.look(screen.visit(f"{here}/tell"), "dangerous-tell")
    screen.visit(f"{here}/review")
    gallery.look(screen, "dangerous-review")
    gallery.look_at_mistakes(screen, "dangerous-review", button="Ask for a review")
    gallery.look(screen.visit(f"{here}/hearing"), "hearing-of-a-dog")
    dangerous.send(kept, Requirement.INSURANCE)
    dangerous.decide(kept, Requirement.INSURANCE, Decision.SENT_BACK, reason=f"The second page is missing. {LONG}")
    dangerous.send(kept, Requirement.ENCLOSURE)
    dangerous.decide(kept, Requirement.ENCLOSURE)
    dangerous.send(kept, Requirement.SIGNS)
    gallery.look(screen.visit(here), "dangerous-in-work")
    gallery.look(screen.visit(f"{here}/rows/insurance"), "dangerous-insurance-sent-back")
    gallery.look(screen.visit(f"{here}/rows/enclosure"), "dangerous-enclosure-accepted")


def test_the_pages_of_insurers_landlords_and_of_a_dog_that_is_held(
    open_screen, gallery, kept, dangerous, database, clock
):
    clock.move_to(datetime(2026, 11, 25, 15, tzinfo=CHICAGO))
    things = things_of(dangerous, kept, database)
    here = f"/dogs/{kept.animal_id}/dangerous"
    agent = open_screen().visit(f"/dangerous/link/{things['token']}").arrive(f"Insurance or bond for {DOG}")
    gallery.look(agent, "dangerous-insurer")
    gallery.look_at_mistakes(agent, "dangerous-insurer", button="Send to the city")
    agent.answer(company=LONG, attested_name=LONG).press("Send to the city")
    agent.page.get_by_role("heading", name="The city has it").wait_for()
    gallery.look(agent, "dangerous-insurer-sent")
    gallery.look_at_mistakes(agent, "dangerous-insurer-sent", button="The cover ends")
    with agent.complaining("Failed to load resource: the server responded with a status of 410"):
        gallery.look(agent.visit("/dangerous/link/wrong"), "dangerous-link-over")
    screen = open_screen(email=EMAIL, then="/dogs").visit(f"{here}/rows/landlord/link")
    screen.answer(addressee=LONG).press("Make the link")
    path = screen.page.locator("main .notice strong").inner_text().partition("/dangerous/")[2]
    landlord = open_screen().visit(f"/dangerous/{path}").arrive(f"Were you told about {DOG}?")
    gallery.look(landlord, "dangerous-landlord")
    gallery.look_at_mistakes(landlord, "dangerous-landlord", button="Send to the city")
    landlord.answer(was_told="no", attested_name=LONG).press("Send to the city", leads_to="The city has your answer")
    gallery.look(landlord, "dangerous-landlord-sent")
    gallery.look(screen.visit(f"{here}/held").arrive(f"{DOG} is held by animal control"), "dangerous-held")
    gallery.look(screen.visit(f"{here}/told/{things['notice_id']}/affidavit"), "dangerous-affidavit")
    gallery.look(screen.visit(f"{here}/renew"), "dangerous-too-early")
    gallery.look(screen.visit("/proof/7KM2-9XPR-4TQD-H3WN").arrive("Registration in force"), "dangerous-checked")
