"""Letters that came back: whose they were, how else to reach them, and nothing of what they say."""

from datetime import timedelta

import pytest

from portal.services.file_report import Sender
from tests.support.reporting import ATTESTED


@pytest.fixture
def came_back(database, clock):
    """The mail server gave up on every letter there is."""

    def came_back():
        database.run(
            "UPDATE portal.outgoing_message SET failed_at = :at, last_error = '550 no such user'",
            at=clock.now() - timedelta(hours=1),
        )

    return came_back


def test_a_letter_that_came_back_is_dealt_with_once(clerk, officer, registrations, came_back, database):
    registrations.dog("Pepper")
    came_back()
    line = "Letter to pat@example.com came back"
    for person in (officer, clerk):
        person.visit("/desk?kind=bounced").click(line)
    assert "550 no such user" in clerk.text
    assert "Pat O’Brien" in clerk.text
    assert "(320) 555-0100 x12" in clerk.text
    officer.submit(button="They are told another way")
    clerk.submit(button="They are told another way", status=409)
    assert "Message handled, November 30, 2026" in clerk.text
    assert line not in clerk.visit("/desk").links


def test_codes_and_letters_about_reports_are_never_shown(officer, reporting, registrations, came_back, database):
    reporting.send(sender=Sender(attestation=ATTESTED, mailbox="robin@example.com"))
    registrations.account("pat@example.com")
    came_back()
    assert "Nothing waits." in officer.visit("/desk?kind=bounced").text
    for row in database.rows("SELECT id FROM portal.outgoing_message"):
        officer.visit(f"/desk/bounced/{row.id}", status=404)
