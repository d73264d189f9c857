"""Every page as people of all kinds meet it: axe, a narrow screen or 400 %, long names, and each mistake (X1).

What is wrong with any of the pages of a test is told at its end, all at once.
"""

import re
from dataclasses import replace
from datetime import date, datetime

import pytest
import requests

from portal.gateways.rate_limits import MAILBOX
from portal.ordinance.licensing import Situation
from portal.services.draft_answers import Registration
from portal.services.registering.keep_draft import keep, open_draft
from tests.browser import journey
from tests.browser.conftest import EMAIL
from tests.browser.limits import use_up
from tests.support.documents import corners, saved
from tests.support.owing import committed
from tests.support.portal import CHICAGO
from tests.support.registering import HOME, OWNER
from tests.support.registrations import LATER
from tests.support.registrations import OWNER as KNOWN_OWNER

LONG = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis"  # 60 letters, no blank
BREED = (
    "Soomaali-Hmoob Tsiblaim Eeyga ilaaliyaha guriga, Hmong bobtail, " * 4
    + "Labradorretrieverpudelpinschermischling, fan"
)
DOG = "🐶 Nkauj Hnub Iftiin"
BUTTONS = {
    "sign-in": "Send me a code",
    "sign-in-code": "Sign in",
    "picture": "Send the picture",
    "certificate": "Send the certificate",
    "check": "Send and pay",
}
NO_MISTAKE_POSSIBLE = ("home", "answer")


def test_long_names_are_as_long_as_they_say():
    assert len(LONG) == 60
    assert len(BREED.rstrip()) == 300


def test_every_step_of_registering_and_each_of_its_mistakes(open_screen, gallery, card_page, app):
    screen = open_screen()

    def look(screen, name):
        gallery.look(screen, name)
        if name not in NO_MISTAKE_POSSIBLE:
            gallery.look_at_mistakes(screen, name, button=BUTTONS.get(name, "Continue"))

    journey.ask_eligibility(screen, look)
    journey.sign_in(screen, EMAIL, leads_to="Who owns the dog?", look=look)
    look(screen, "owner")
    screen.answer(OWNER, owner_name=LONG).press("Continue", leads_to="Where does the dog live?")
    look(screen, "home-of-the-dog")
    screen.answer(HOME, city="Benson", state="MN", postal_code="56215", unit=LONG)
    screen.press("Continue", leads_to="What is your dog like?")
    journey.tell_about(screen, look, animal_name=DOG, breed=BREED, color=LONG)
    journey.send_certificate(screen, look)
    journey.finish(screen, look)
    gallery.look(screen, "pay")
    screen.press("Pay $10.00 by card")
    screen.page.wait_for_url(f"{card_page.url}/**")
    gallery.look(screen, "practice-card-page")
    screen.press("Pay by practice card", leads_to="Payment received, confirming")
    gallery.look(screen, "pay-confirming")


@pytest.mark.parametrize(
    ("situation", "born_on", "heading"),
    [
        pytest.param("resident_dog", date(2026, 10, 1), "Not yet", id="not-yet"),
        pytest.param("visiting", None, "No license is needed", id="exempt"),
        pytest.param("assistance_dog", date(2020, 1, 1), "No license is needed, and a record is free", id="free"),
        pytest.param("cat", None, "No license is needed", id="cat"),
    ],
)
def test_other_answers_to_whether_it_needs_a_license(open_screen, gallery, situation, born_on, heading):
    screen = open_screen().visit("/register").answer(situation=situation)
    screen.press("Continue")
    if born_on:
        screen.arrive("How old is it?").answer(born_on=born_on).press("Continue")
    gallery.look(screen.arrive(heading), f"answer-{situation}")


def test_a_list_of_forty_dogs_and_what_else_it_says(open_screen, gallery, registrations, gateways):
    names = [DOG, LONG, *(f"Pepper {number}" for number in range(37))]
    registrations.licensed(f"{LONG[:50]} the First", breed=BREED)
    registrations.dogs([registrations.animal(name, breed=BREED, color="madow, xim dub") for name in names])
    with committed(gateways.engine) as session:
        draft = open_draft(session, account_id=registrations.account(EMAIL))
        keep(session, draft, Registration(animals=(registrations.animal(LONG),)), clock=gateways.clock)
    screen = open_screen(email=EMAIL, then="/dogs")
    gallery.look(screen.visit("/dogs").arrive("My dogs"), "dogs-forty")
    screen.visit("/register/animals").arrive("Who you are registering")
    gallery.look(screen, "animals-long-name")
    screen.page.get_by_role("link", name="Remove").first.click()
    gallery.look(screen.arrive(f"Remove {LONG}?"), "remove")


def test_an_empty_list(open_screen, gallery):
    gallery.look(open_screen(email=EMAIL, then="/dogs").visit("/dogs").arrive("My dogs"), "dogs-none")


def test_the_states_of_a_dog(open_screen, gallery, registrations, database, clock):
    """Sent and unpaid, sent back, licensed with a long name, over, a cat, an assistance dog."""
    kept = {
        "unpaid": registrations.dog("Unpaid"),
        "sent-back": registrations.dog("Back"),
        "licensed": registrations.licensed(DOG, breed=BREED, color=LONG),
        "no-certificate": registrations.dog(LONG, certificate=LATER),
        "cat": registrations.dog("Minka", situation=Situation.CAT, license_year=None),
        "assistance": registrations.dog("Guide", situation=Situation.ASSISTANCE_DOG),
    }
    registrations.send_back(kept["sent-back"], reason=f"The date can’t be read. {LONG} {LONG}")
    screen = open_screen(email=EMAIL, then="/dogs")
    for name, one in kept.items():
        gallery.look(screen.visit(f"/dogs/{one.animal_id}").arrive(one.name), f"dog-{name}")
    screen.visit(f"/dogs/{kept['licensed'].animal_id}")
    for summary in screen.page.locator("summary").all():
        summary.click()
    gallery.look(screen, "dog-licensed-open")
    screen.follow("Show proof of license", leads_to="Dog license 2026")
    gallery.look(screen, "proof")
    [address] = [words for words in screen.page.locator("dd").all_inner_texts() if "/proof/" in words]
    gallery.look(screen.visit(address.removeprefix(screen.origin)).arrive("License in force"), "proof-checked")
    clock.move_to(datetime(2027, 1, 5, 9, tzinfo=CHICAGO))
    gallery.look(screen.visit(address.removeprefix(screen.origin)), "proof-ended")
    later = open_screen(email=EMAIL, then="/dogs")
    gallery.look(later.visit(f"/dogs/{kept['licensed'].animal_id}").arrive(DOG), "dog-over")


def test_another_certificate_for_a_dog(open_screen, gallery, registrations, tmp_path):
    kept = registrations.dog(DOG)
    registrations.send_back(kept, reason=f"Please send page two as well. {LONG}")
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(saved(corners(640, 480), "JPEG"))
    screen = open_screen(email=EMAIL, then="/dogs").visit(f"/dogs/{kept.animal_id}/certificate")
    gallery.look(screen, "dog-certificate")
    gallery.look_at_mistakes(screen, "dog-certificate", button="Send this certificate")
    screen.answer(file=photo).press("Send this certificate", leads_to=f"What does {DOG}’s certificate say?")
    gallery.look(screen, "dog-certificate-details")
    gallery.look_at_mistakes(screen, "dog-certificate-details", button="Send the certificate")
    screen.answer(journey.LAPSED)
    screen.press("Send the certificate")
    screen.page.get_by_role("button", name="Send it as it is").wait_for()
    gallery.look(screen, "dog-certificate-findings")


def test_the_states_of_a_payment(open_screen, gallery, registrations, card_page, app, database):
    owner = replace(KNOWN_OWNER, name=LONG)
    kept = registrations.dogs([registrations.animal(name) for name in (DOG, LONG)], owner=owner)[0]
    address = f"/pay/{kept.order_id}"
    screen = open_screen(email=EMAIL, then="/dogs").visit(address).arrive("Pay $20.00")
    gallery.look(screen, "pay-open")
    screen.press("Pay at the police counter", leads_to="Payment slip")
    gallery.look(screen, "pay-slip")
    gallery.look(screen.visit(address).arrive("Pay $20.00"), "pay-counter-chosen")
    requests.post(f"{card_page.url}/practice/faults", data={"kind": "error", "times": "3"}, timeout=60)
    with screen.complaining("Failed to load resource: the server responded with a status of 503"):
        screen.press("Pay $20.00 by card", leads_to="The card page did not open")
        gallery.look(screen, "pay-no-card-page")
    screen.press("Try again")
    screen.page.wait_for_url(f"{card_page.url}/**")
    hosted = screen.page.url
    with screen.complaining("Failed to load resource: the server responded with a status of 422"):
        screen.press("Use a card that is declined")
        screen.page.get_by_text("The practice card was declined").first.wait_for()
        gallery.look(screen, "practice-declined")
    gallery.look(screen.visit(address).arrive("Pay $20.00"), "pay-started")
    card_page.pay(hosted, way="bank")
    card_page.deliver(app)
    gallery.look(screen.visit(address).arrive("Your bank payment is on its way"), "pay-on-its-way")
    card_page.deed(hosted, "fail")
    card_page.deliver(app)
    gallery.look(screen.visit(address).arrive("Pay $20.00"), "pay-failed")
    database.run("UPDATE animal_control.payment SET state = 'mismatch'")
    gallery.look(screen.visit(address).arrive("We are looking at your payment"), "pay-in-question")
    database.run("UPDATE animal_control.payment SET state = 'failed'")
    screen.visit(address).press("Pay $20.00 by card")
    screen.page.wait_for_url(f"{card_page.url}/**")
    hosted = screen.page.url
    screen.press("Pay by practice card", leads_to="Payment received, confirming")
    card_page.deliver(app)
    gallery.look(screen.visit(address).arrive("Paid"), "pay-paid")
    gallery.look(screen.visit(f"{address}/receipt"), "receipt")
    card_page.deed(hosted, "dispute")
    card_page.deliver(app)
    gallery.look(screen.visit(f"{address}/receipt"), "receipt-disputed")
    card_page.deed(hosted, "win")
    card_page.deed(hosted, "refund", amount="20.00")
    card_page.deliver(app)
    gallery.look(screen.visit(address).arrive("Refunded"), "pay-refunded")
    gallery.look(screen.visit(f"{address}/receipt"), "receipt-refunded")
    database.run("UPDATE animal_control.fee_order SET state = 'canceled', paid_at = NULL")
    gallery.look(screen.visit(address).arrive("Nothing to pay"), "pay-canceled")


def test_the_pages_of_the_town_and_of_signing_in(open_screen, gallery, registrations, outbox):
    screen = open_screen()
    for name in ("fees", "rules", "privacy", "accessibility"):
        gallery.look(screen.visit(f"/{name}"), name)
    gallery.look(screen.visit("/proof"), "proof-ask")
    gallery.look_at_mistakes(screen, "proof-ask", button="Check")
    screen.visit("/sign-in").answer(email=EMAIL).press("Send me a code", leads_to="Type the code we sent you")
    gallery.look(screen.visit(outbox.link(EMAIL)).arrive("Sign in"), "sign-in-confirm")
    screen.press("Sign in", leads_to="My dogs").press("Sign out", leads_to="What do you need to do?")
    with screen.complaining("Failed to load resource: "):
        gallery.look(screen.visit(outbox.link(EMAIL)).arrive("This link is used up or too old"), "sign-in-over")


def test_the_pages_that_say_what_went_wrong(open_screen, gallery, gateways, files, registrations, tmp_path):
    """Each as it stands alone when the script did not arrive."""
    certificate = f"/dogs/{registrations.dog('Rex').animal_id}/certificate"
    too_large, photo = tmp_path / "large.jpg", tmp_path / "photo.jpg"
    too_large.write_bytes(b"x" * 30_000_000)
    photo.write_bytes(saved(corners(640, 480), "JPEG"))
    screen = open_screen(email=EMAIL, then="/dogs")
    screen.page.route("**/portal.*.js", lambda route: route.abort())
    with screen.complaining("Failed to load resource: "):
        gallery.look(screen.visit("/nothing-here").arrive("We can’t find this page"), "error-404")
        gallery.look(screen.visit("/proof/ABCDEFGHJKMNPQRS").arrive("No license with this code"), "proof-none")
        gallery.look(screen.visit("/stripe/webhook").arrive("This page can’t be opened that way"), "error-405")
        screen.visit(certificate).answer(file=too_large).press("Send this certificate")
        gallery.look(screen.arrive("This is too large to send"), "error-413")
        files.is_broken = True
        screen.visit(certificate).answer(file=photo).press("Send this certificate")
        gallery.look(screen.arrive("Something went wrong on our side"), "error-500")
        files.is_broken = False
        use_up(gateways.limits, MAILBOX, "gavin@example.com")
        screen.page.context.clear_cookies()
        screen.visit("/sign-in").answer(email="gavin@example.com").press("Send me a code")
        gallery.look(screen.arrive(re.compile("Please wait")), "error-429")
