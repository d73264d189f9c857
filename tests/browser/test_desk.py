"""The desk at a real browser: worked through by keyboard, looked at closely, on a phone and on a wide screen."""

import json
import re
from dataclasses import asdict
from datetime import timedelta
from uuid import uuid4

import pytest
from playwright.sync_api import expect
from sqlalchemy.orm import Session

from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Designated, Requirement
from portal.ordinance.finding import Finding
from portal.ordinance.nuisances import Nuisance
from portal.schema.clinics import ClinicState
from portal.schema.licenses import Delivery
from portal.services.dangerous.request_hearing import HearingAsked, request_hearing
from portal.services.payments.pay_at_counter import choose_counter
from tests.browser.looking import NARROW
from tests.support.desk import OFFICER, app_code
from tests.support.reporting import heard
from tests.support.screens import ANSWERED_BADLY, Screen, keys


def test_signing_in_looks_right(open_desk, employ, gallery, outbox, gateways, clock):
    employ(OFFICER, has_app=False)
    screen = open_desk(None).visit("/desk")
    gallery.look(screen.arrive("Sign in to the desk"), "desk-sign-in")
    screen.answer(email=OFFICER).press("Send me a code", leads_to="Type the code we sent you")
    gallery.look(screen, "desk-code")
    code = outbox.messages(to=OFFICER, template="staff_code")[-1].context["code"]
    screen.answer(code=code).press("Go on", leads_to="Set up the second step")
    gallery.look(screen, "desk-set-up")
    employ(OFFICER)
    screen.visit("/desk").arrive("The second step")
    gallery.look(screen, "desk-second-step")
    screen.answer(code=app_code(gateways)).press("Sign in", leads_to="Queue")
    gallery.look(screen, "desk-nothing-waits")
    screen.visit("/desk/sign-in/recovery-codes").press("Make new ones", leads_to="Your recovery codes")
    gallery.look(screen, "desk-recovery-codes")


def test_a_passkey_opens_the_desk_and_none_of_somebody_else(open_desk, employ, gallery, outbox, database):
    employ(OFFICER, has_app=False)
    screen = open_desk(None)
    with_passkeys(screen)
    half_way(screen, outbox).arrive("Set up the second step")
    screen.visit("/desk/sign-in/passkeys")
    gallery.look(screen.arrive("Passkeys"), "desk-passkeys")
    screen.answer(name="desk PC").press("Add a passkey", leads_to="Your recovery codes")
    screen.visit("/desk/sign-in/out").press("Sign out", leads_to="Sign in to the desk")
    half_way(screen, outbox).arrive("The second step")
    screen.press("Use a passkey instead", leads_to="Queue")
    assert database.value("SELECT sign_count FROM portal.staff_passkey") > 0
    screen.visit("/desk/sign-in/passkeys").follow("Remove desk PC", leads_to="Remove the passkey desk PC")
    with screen.complaining(ANSWERED_BADLY):
        screen.press("Remove it").is_told("This is the only second step you have: set up another one first")
    database.run("UPDATE portal.staff_passkey SET credential_id = 'AAAA'")
    screen.visit("/desk/sign-in/out").press("Sign out", leads_to="Sign in to the desk")
    half_way(screen, outbox).arrive("The second step").press("Use a passkey instead")
    expect(screen.page.locator("[data-passkey-said]")).to_have_text("That did not work. Try again.")


def with_passkeys(screen: Screen) -> None:
    """The browser has a passkey’s place of its own, as a computer with a fingerprint reader has."""
    devtools = screen.page.context.new_cdp_session(screen.page)
    devtools.send("WebAuthn.enable")
    kind = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options = {**kind, "isUserVerified": True, "automaticPresenceSimulation": True}
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def half_way(screen: Screen, outbox) -> Screen:
    """The code of the message is typed."""
    screen.visit("/desk/sign-in").answer(email=OFFICER).press("Send me a code", leads_to="Type the code we sent you")
    code = outbox.messages(to=OFFICER, template="staff_code")[-1].context["code"]
    return screen.answer(code=code).press("Go on")


def test_a_key_pressed_twice_accepts_nothing_unseen_that_the_rules_noticed(open_desk, registrations, database):
    for number in range(2):
        registrations.dog(f"Dog {number}", email=f"owner{number}@example.com")
    noticed = json.dumps([asdict(Finding(Rule.CERTIFICATE, "We read “Bella” on it", needs_review=True))])
    database.run(
        "UPDATE animal_control.vaccination SET findings = CAST(:noticed AS jsonb) "
        "WHERE animal_id = (SELECT id FROM animal_control.animal WHERE name = 'Dog 1')",
        noticed=noticed,
    )
    screen = open_desk().visit("/desk?kind=certificate")
    screen.follow("Certificate of Dog 0", leads_to="Certificate of Dog 0")
    keys(screen, "a")
    keys(screen.arrive("Certificate of Dog 1"), "a")
    expect(screen.focused).to_have_text("Accept")
    assert database.value("SELECT count(*) FROM animal_control.vaccination WHERE state = 'submitted'") == 1
    keys(screen, "a")
    screen.arrive("Queue")
    assert database.value("SELECT count(*) FROM animal_control.vaccination WHERE state = 'submitted'") == 0


def test_a_morning_by_keyboard(open_desk, gallery, registrations, filings, reporting, database, clock):
    night = clock.now() - timedelta(hours=9)
    reporting.send(Nuisance.DAMAGE)
    reporting.send(episodes=(heard(night, night + timedelta(minutes=4)),))
    for number in range(4):
        registrations.dog(f"Dog {number}", email=f"owner{number}@example.com")
    registrations.licensed("Pepper", email="pepper@example.com")
    registrations.licensed("Rex", email="rex@example.com", delivery=Delivery.PICK_UP)
    filings.clinic("Prairie Vet Clinic", state=ClinicState.ASKED)
    screen = open_desk().visit("/desk")
    gallery.look(screen.arrive("Queue"), "desk-queue")
    keys(screen, "j", "j", "k")
    expect(screen.focused).to_have_text("Certificate of Dog 0")
    keys(screen, "Enter")
    gallery.look(screen.arrive("Certificate of Dog 0"), "desk-certificate")
    keys(screen, "a")
    screen.arrive("Certificate of Dog 1")
    expect(screen.page.locator(".desk-said")).to_have_text("Accepted. The keepers are told by e-mail.")
    keys(screen, "r")
    screen.is_told("Say why, in words the keeper will read")
    keys(screen, "2", "r")
    screen.arrive("Certificate of Dog 2")
    keys(screen, "w")
    screen.page.keyboard.type("Please call us about a r.")
    keys(screen, "Escape", "r")
    screen.arrive("Certificate of Dog 3")
    keys(screen, "a")
    screen.arrive("Queue")
    keys(screen, "j", "j", "j")
    screen.visit("/desk?kind=clinic")
    keys(screen, "j", "Enter")
    gallery.look(screen.arrive("Prairie Vet Clinic"), "desk-clinic")
    keys(screen, "a")
    screen.arrive("Queue")
    screen.visit("/desk/tags")
    gallery.look(screen.arrive("Tags to mail"), "desk-tags")
    keys(screen, "a")
    expect(screen.page.locator(".desk-said")).to_have_text("1 tag marked as mailed.")
    screen.visit("/desk/counter")
    keys(screen, "/")
    screen.page.keyboard.type("O’Brien")
    keys(screen, "Enter")
    screen.page.wait_for_url("**q=*")
    gallery.look(screen, "desk-counter")
    keys(screen, "Escape", "j", "Enter")
    screen.arrive("Pat O’Brien owes $10.00")
    gallery.look(screen, "desk-counter-order")
    keys(screen, "a")
    screen.arrive("Queue")
    screen.visit("/desk?kind=report")
    barking = "Barking: 1312 Idaho Ave, Benson, MN 56215"
    gallery.look(screen.follow(barking, leads_to=barking), "desk-report")
    keys(screen, "i")
    gallery.look(screen.arrive(re.compile("Who reported .*")), "desk-reporter")
    screen.visit("/desk/counter/till")
    gallery.look(screen, "desk-till")
    keys(screen, "?")
    gallery.look(screen.arrive("Keys"), "desk-keys")
    screen.press("Turn keys off")
    expect(screen.page.get_by_role("button", name="Turn keys on")).to_be_visible()
    keys(screen, "g", "q")
    assert screen.path.startswith("/desk/keys")
    states = {
        row.state: row.n for row in database.rows("SELECT state, count(*) n FROM animal_control.vaccination GROUP BY 1")
    }
    assert states == {"accepted": 4, "sent_back": 2}


def test_the_pages_of_dangerous_dogs_look_right(open_desk, gallery, registrations, dangerous, gateways, database):
    pepper = registrations.licensed("Pepper")
    dangerous.designated(pepper)
    dangerous.send(pepper, Requirement.ENCLOSURE)
    hearing = HearingAsked(key=uuid4(), kind=Designated.DANGEROUS, dog="Pepper", name="Pat", signed_name="Pat")
    by_whom = {"person_id": pepper.person_id, "city": gateways.city, "clock": gateways.clock}
    dangerous.by_owner(lambda session: request_hearing(session, hearing, designation=None, **by_whom))
    screen = open_desk().visit("/desk?kind=dangerous_row")
    keys(screen, "j", "Enter")
    gallery.look(screen.arrive("Enclosure of Pepper"), "desk-dangerous-row")
    keys(screen, "a")
    screen.arrive("Queue")
    screen.visit("/desk?kind=hearing")
    keys(screen, "j", "Enter")
    gallery.look(screen.arrive("Hearing for Pat"), "desk-hearing")


def test_on_a_phone_the_queue_names_the_kinds_of_which_something_waits(open_desk, registrations):
    registrations.dog("Pepper")
    screen = open_desk(viewport=NARROW).visit("/desk")
    kinds = screen.page.locator(".kinds li:visible")
    expect(kinds).to_have_text(["Everything 1", "Certificates to check 1"])
    screen.visit("/desk?kind=clinic")
    expect(kinds).to_have_text(["Everything 1", "Certificates to check 1", "Clinics to approve 0"])


DOGS, QUESTIONS, REPORTS, CLINICS, HOUSEHOLDS = 100, 50, 30, 10, 10
HOMES = 1  # where more than two dogs are kept: all of these households give one address
ASK = "INSERT INTO animal_control.fee_question (fee, text) SELECT 'license', n::text FROM generate_series(1, :n) n"
LEFT = """
    SELECT (SELECT count(*) FROM animal_control.vaccination WHERE state = 'submitted') AS certificates,
        (SELECT count(*) FROM animal_control.fee_question WHERE answered_at IS NULL) AS questions,
        (SELECT count(*) FROM animal_control.report WHERE state <> 'closed') AS reports,
        (SELECT count(*) FROM animal_control.clinic WHERE state = 'asked') AS clinics,
        (SELECT count(*) FROM animal_control.fee_order WHERE state = 'open') AS orders,
        (SELECT count(*) FROM animal_control.tag WHERE state = 'to_send') AS tags
"""


@pytest.fixture
def two_hundred(registrations, filings, reporting, database, gateways):
    """What comes in on a busy day: certificates, fees at the counter, questions, reports, clinics."""
    for household in range(HOUSEHOLDS):
        animals = [registrations.animal(f"Dog {household}-{n}") for n in range(DOGS // HOUSEHOLDS)]
        first, *_ = registrations.dogs(animals, email=f"owner{household}@example.com")
        with Session(gateways.engine) as session, session.begin():
            choose_counter(session, order_id=first.order_id, person_id=first.person_id, clock=gateways.clock)
    database.run(ASK, n=QUESTIONS)
    for number in range(REPORTS):
        reporting.send(Nuisance.BITE if number % 10 == 0 else Nuisance.DAMAGE, place=f"{number} Kansas Ave")
    for number in range(CLINICS):
        filings.clinic(f"Clinic{number} Vets", state=ClinicState.ASKED)


@pytest.mark.timeout(900)
def test_a_day_at_the_office_two_hundred_things_by_keyboard(open_desk, two_hundred, database, page_checker):
    screen = open_desk().visit("/desk")
    done = 0
    while not screen.page.get_by_text("Nothing waits.").first.is_visible():
        heading = screen.page.locator("h1").inner_text()
        done += heading != "Queue"
        assert done < 2 * (DOGS + QUESTIONS + REPORTS + CLINICS + HOUSEHOLDS), "the queue does not get shorter"
        last = work(screen, heading, done)
        with screen.page.expect_navigation(wait_until="domcontentloaded"):
            keys(screen, last)
        if screen.path == "/desk/tags":
            with screen.page.expect_navigation():
                keys(screen, "a")
            screen.visit("/desk")
    del page_checker.unchecked[40:]  # hundreds of the same few pages
    assert done == DOGS + QUESTIONS + REPORTS + CLINICS + HOUSEHOLDS + HOMES
    assert set(database.rows(LEFT)[0].values()) == {0}
    sent_back = "SELECT count(*) FROM animal_control.vaccination WHERE state = 'sent_back'"
    assert database.value("SELECT count(*) FROM animal_control.tag WHERE state = 'sent'") == DOGS - database.value(
        sent_back
    )


def work(screen: Screen, heading: str, number: int) -> str:
    """Do what the page wants; the key that decides."""
    if heading == "Queue":
        keys(screen, "j")
        return "Enter"
    if heading.startswith("Certificate of") and number % 7 == 0:
        keys(screen, "2")
        return "r"
    if heading.startswith(("Question", "Damage", "A bite")):
        keys(screen, "w")
        screen.page.keyboard.insert_text("We looked at it.")
        keys(screen, "Escape", *([] if heading.startswith("Question") else ["2"]))
        return "r"
    return "a"
