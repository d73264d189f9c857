"""From the last accepted row to the certificate, its code, and the year after (90.13(H)(1), (6), (11), example 60)."""

import io
from dataclasses import replace
from datetime import date, datetime

import pytest
from pypdf import PdfReader

from portal.ordinance.dangerous import Requirement
from portal.schema.dangerous import DangerousRegistration
from portal.schema.dangerous_requirements import Decision
from tests.support.dangerous import POLICY
from tests.support.portal import CHICAGO


@pytest.fixture
def certified(pepper, dangerous):
    """Every row accepted, and the certificate issued."""
    dangerous.designated(pepper)
    dangerous.settle(pepper)
    dangerous.certify(pepper)
    return pepper


def here(dog):
    return f"/dogs/{dog.animal_id}/dangerous"


def test_the_certificate_is_a_page_of_paper_that_anyone_can_check(resident, certified, visitor):
    resident.visit(here(certified))
    assert "Registered to June 30, 2027" in resident.text  # the policy ends before the year
    answer = resident.client.get(resident.links["Certificate of registration (PDF)"])
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
    said = " ".join(PdfReader(io.BytesIO(answer.data)).pages[0].extract_text().split())
    for words in (
        "Pepper",
        "black, female",
        "HomeAgain 985112001234567",
        "Pat O’Brien",
        "June 30, 2027",
        "City Code § 90.13(H)(1)",
    ):
        assert words in said
    code = said.partition("Code ")[2].split()[0]
    visitor.visit("/proof").submit(code=code.lower())
    assert visitor.h1 == "Registration in force"
    assert "Pepper" in visitor.text
    assert "O’Brien" not in visitor.text
    assert "Idaho" not in visitor.text


def test_there_is_no_certificate_before_every_row_is_accepted(resident, pepper, dangerous, database):
    dangerous.designated(pepper)
    dangerous.settle(pepper, Requirement.TAG)
    [year] = database.all(DangerousRegistration)
    resident.visit(f"{here(pepper)}/certificate/{year.id}.pdf", status=404)


def test_a_row_opened_again_takes_the_certificate_out_of_force(resident, certified, dangerous, visitor, database):
    [year] = database.all(DangerousRegistration)
    dangerous.decide(certified, Requirement.INSURANCE, Decision.REOPENED, reason="The policy was canceled.")
    assert visitor.visit(f"/proof/{year.certificate_code}").h1 == "Registration not in force"
    resident.visit(here(certified))
    assert "It is open again" in resident.visit(f"{here(certified)}/rows/insurance").text


def test_the_next_year_begins_with_what_was_sent_and_asks_the_rest(arrive, certified, dangerous, clock, database):
    clock.move_to(datetime(2027, 10, 20, 9, tzinfo=CHICAGO))
    resident = arrive("pat@example.com").sign_in(then=here(certified))
    resident.click("Renew the registration").submit(button="Begin the next year")
    assert "Insurance or bond due" in resident.text
    assert "From last year." in resident.text
    assert "Warning signs, front and rear officer is checking" in resident.text
    assert "Registration fee due" in resident.text
    assert len(database.all(DangerousRegistration)) == 2


def test_once_the_policy_ran_out_its_owner_reads_which_day_that_was_and_sends_the_next(
    arrive, certified, dangerous, clock
):
    clock.move_to(datetime(2027, 7, 1, 9, tzinfo=CHICAGO))
    resident = arrive("pat@example.com").sign_in(then=here(certified))
    assert "insurance of at least $300,000. It was good to June 30, 2027." in resident.text
    resident.visit(f"{here(certified)}/rows/insurance")
    assert "What was accepted was good to June 30, 2027." in resident.text
    dangerous.send(certified, Requirement.INSURANCE, replace(POLICY, last_day=date(2028, 6, 30)))
    assert "was good to" not in resident.visit(here(certified)).text


def test_once_the_certificate_has_ended_the_list_says_so_and_shows_no_reason_of_before(
    arrive, certified, dangerous, clock
):
    """90.13(H)(1), (9): with the policy the certificate ended; the license of 2026, which it was issued on, is over."""
    clock.move_to(datetime(2027, 6, 30, 9, tzinfo=CHICAGO))
    resident = arrive("pat@example.com").sign_in(then=here(certified))
    assert "Certificate of registration accepted" in resident.text
    clock.move_to(datetime(2027, 7, 1, 9, tzinfo=CHICAGO))
    resident = arrive("pat@example.com").sign_in(then=here(certified))
    assert "Certificate of registration comes last" in resident.text
    assert "The last one ended on June 30, 2027." in resident.text
    assert "No license is in force. Rabies certificate good to June 12, 2029." in resident.text
    assert "License 2026-1" not in resident.text
    clock.move_to(datetime(2029, 7, 1, 9, tzinfo=CHICAGO))
    resident = arrive("pat@example.com").sign_in(then=here(certified))
    assert "The rabies certificate ended on June 12, 2029." in resident.text


def test_it_is_too_early_for_the_next_year_before_its_window(resident, certified):
    resident.visit(f"{here(certified)}/renew")
    assert "It opens on September 12, 2027." in resident.text


def test_a_renewal_that_comes_late_is_taken_and_costs_the_same(arrive, certified, clock, database):
    """Example 60: twenty days late."""
    clock.move_to(datetime(2027, 12, 1, 9, tzinfo=CHICAGO))
    resident = arrive("pat@example.com").sign_in(then=f"{here(certified)}/renew")
    assert "it is taken, and marked as late" in resident.text
    resident.submit(button="Begin the next year")
    resident.visit(f"{here(certified)}/rows/fee")
    resident.submit(button="Pay $300.00")
    assert "Dangerous dog registration to November 11, 2028: Pepper" in resident.text
    assert "City Code § 90.13(H)(6), City Code § 90.18" in resident.text
    assert "90.04(B)(4)" not in resident.text
    resident.visit(here(certified)).submit(button="Send to animal control")
    newest = max(database.all(DangerousRegistration), key=lambda year: year.starts_on)
    assert newest.is_late
    assert "fine" not in resident.text
    assert date(2027, 11, 12) == newest.starts_on
