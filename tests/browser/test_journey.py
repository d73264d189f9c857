"""The whole way on a phone: from "what do you need to do?" to a proof that an officer can check."""

import re

import pytest
from playwright.sync_api import expect
from sqlalchemy.orm import Session

from portal.schema.vaccinations import Vaccination
from portal.services.certificates.decide_certificate import accept_certificate
from tests.browser import journey
from tests.browser.conftest import EMAIL
from tests.support.registrations import OFFICER


def officer_accepts(registrations, database):
    [sent] = database.all(Vaccination)
    with Session(registrations.desk) as session, session.begin():
        city, clock = registrations.gateways.city, registrations.gateways.clock
        accept_certificate(session, vaccination_id=sent.id, officer=OFFICER, city=city, clock=clock)


@pytest.mark.parametrize(
    "how",
    [
        pytest.param({"script": True}, id="by touch with JavaScript"),
        pytest.param({"script": False}, id="by touch without JavaScript"),
        pytest.param({"keyboard": True}, id="by keyboard alone"),
    ],
)
def test_a_resident_gets_a_license_on_a_phone(how, open_screen, card_page, app, registrations, database):
    screen = open_screen(**how)
    journey.ask_eligibility(screen)
    journey.sign_in(screen, EMAIL, leads_to="Who owns the dog?")
    journey.tell_owner_and_home(screen)
    journey.tell_about(screen)
    journey.send_certificate(screen)
    journey.finish(screen)
    screen.press("Pay $10.00 by card")
    screen.page.wait_for_url(f"{card_page.url}/**")
    screen.press("Pay by practice card", leads_to="Payment received, confirming")
    expect(screen.page.locator("main").get_by_role("button")).to_have_count(0)
    card_page.deliver(app)
    if how.get("script") is False:
        screen.follow("Check again", leads_to=re.compile("^Receipt"))
    else:
        screen.arrive(re.compile("^Receipt"))
    screen.follow("My dogs", leads_to="My dogs")
    screen.follow("Pepper", leads_to="Pepper")
    officer_accepts(registrations, database)
    screen.page.reload()
    expect(screen.page.locator(".track--done h2")).to_contain_text(
        ["Paid", "Certificate accepted", "Licensed for 2026"]
    )
    expect(screen.page.locator(".track--now h2")).to_contain_text(["Tag goes in the mail by December 4"])
    expect(screen.page.locator(".track--done p").last).to_contain_text("Number 1,")
    database.run("UPDATE animal_control.tag SET state = 'sent', sent_at = '2026-12-03T18:00Z'")
    screen.page.reload()
    expect(screen.page.locator(".track--done")).to_have_count(4)
    screen.follow("Show proof of license", leads_to="Dog license 2026")
    [address] = [words for words in screen.page.locator("dd").all_inner_texts() if "/proof/" in words]
    screen.visit(address.removeprefix(screen.origin)).arrive("License in force")
