"""A dangerous dog from the notice to the certificate and through the next renewal, on a phone, with script and without.

Between the owner's steps an officer sends one row back and accepts it once it is mended; then a year goes by.
"""

from datetime import date, datetime

import pytest
from playwright.sync_api import expect

from portal.ordinance.dangerous import Requirement
from portal.schema.dangerous_requirements import Decision
from portal.schema.orders import Order
from tests.browser.conftest import EMAIL
from tests.support.documents import corners, saved
from tests.support.portal import CHICAGO

LIST = "Pepper: dangerous dog"
POLICY = {"company": "Prairie Mutual", "number": "L-1", "first_day": date(2026, 1, 1)}


@pytest.fixture
def photo(tmp_path):
    path = tmp_path / "photo.jpg"
    path.write_bytes(saved(corners(640, 480), "JPEG"))
    return path


@pytest.mark.parametrize("script", [pytest.param(True, id="script"), pytest.param(False, id="no-script")])
def test_from_the_notice_to_the_certificate_and_through_a_renewal(
    open_screen, gallery, arrive, registrations, dangerous, database, clock, photo, script
):
    def look(screen, name):
        if script:  # axe is a script too, and the pages are the same
            gallery.look(screen, f"dangerous-walk-{name}")

    clock.move_to(datetime(2026, 11, 12, 15, tzinfo=CHICAGO))
    pepper = registrations.licensed("Pepper")
    arrive(EMAIL).sign_in(then=f"/dogs/{pepper.animal_id}/renew").submit()  # licensed for 2027 too
    [order] = [order for order in database.all(Order) if order.state == "open"]
    registrations.take(order.reference)
    entered = dangerous.designated(None)
    here = f"/dogs/{pepper.animal_id}/dangerous"
    screen = open_screen(script=script, email=EMAIL, then="/dogs")

    # The notice is claimed with its code, and the owner shows two rows; the rest as it is shown elsewhere.
    screen.visit("/dangerous/claim").answer(code=entered.code.lower())
    screen.press("Continue", leads_to="What the notice about Pepper means")
    screen.visit(here).arrive(LIST).follow("Show it (Insurance or bond)", leads_to="Insurance or bond")
    screen.answer(**POLICY, files=photo, amount_cents="300,000", last_day=date(2027, 12, 31))
    screen.answer(is_authorized_in_state="yes").press("Send to the officer", leads_to=LIST)
    screen.follow("Show it (Warning signs, front and rear)", leads_to="Warning signs, front and rear")
    screen.answer(files=photo, rear=photo, at_front="yes", at_rear="yes", has_symbol="yes")
    screen.press("Send to the officer", leads_to=LIST)
    look(screen, "sent")

    # An officer sends one back; it is mended and accepted with all the others.
    dangerous.decide(pepper, Requirement.INSURANCE, Decision.SENT_BACK, reason="The page with the amount is missing.")
    screen.visit(here).arrive(LIST)
    look(screen, "sent-back")
    screen.follow("Send another (Insurance or bond)", leads_to="Insurance or bond")
    assert screen.value("company") == "Prairie Mutual"
    screen.answer(files=photo)

    # Meanwhile something else is sent for it: the page says so, and what was typed is still there.
    dangerous.send(pepper, Requirement.INSURANCE)
    with screen.complaining("Failed to load resource: the server responded with a status of 409"):
        screen.answer(number="L-2").press("Send to the officer")
        screen.page.get_by_role("heading", name="This has changed since you opened it").wait_for()
    look(screen.settle(), "conflict")
    assert screen.value("number") == "L-2"
    screen.press("Send it all the same", leads_to=LIST)
    assert dangerous.row(pepper, Requirement.INSURANCE).evidence.measures["number"] == "L-2"
    dangerous.decide(pepper, Requirement.INSURANCE)
    dangerous.decide(pepper, Requirement.SIGNS)
    dangerous.settle(pepper)
    dangerous.certify(pepper)
    screen.visit(here).arrive(LIST)
    expect(screen.page.get_by_text("Registered to November 11, 2027").first).to_be_visible()
    look(screen, "certified")
    with screen.page.expect_download() as certificate:
        screen.page.get_by_role("link", name="Certificate of registration (PDF)").click()
    assert certificate.value.path().read_bytes().startswith(b"%PDF-")
    with screen.page.expect_download() as dates:
        screen.page.get_by_role("link", name="Put these dates in your calendar").click()
    assert dates.value.path().read_bytes().startswith(b"BEGIN:VCALENDAR")

    # A year goes by; one document has run out by then.
    clock.move_to(datetime(2027, 10, 20, 9, tzinfo=CHICAGO))
    screen = open_screen(script=script, email=EMAIL, then="/dogs").visit(here).arrive(LIST)
    screen.follow("Renew the registration", leads_to="Renew Pepper’s registration")
    look(screen, "renewing")
    screen.press("Begin the next year", leads_to=LIST)
    look(screen, "renewed")
    screen.follow("What you sent (Insurance or bond)", leads_to="Insurance or bond")
    screen.answer(files=photo, number="L-3", last_day=date(2028, 12, 31))
    screen.press("Send to the officer", leads_to=LIST).press("Send to animal control", leads_to=LIST)
    dangerous.settle(pepper, Requirement.INSURANCE)
    for requirement in (Requirement.INSURANCE, Requirement.SIGNS, Requirement.ENCLOSURE):
        if not dangerous.row(pepper, requirement).is_settled:
            dangerous.decide(pepper, requirement)
    dangerous.certify(pepper)
    screen.visit(here).arrive(LIST)
    expect(screen.page.get_by_text("Registered to November 11, 2028").first).to_be_visible()
