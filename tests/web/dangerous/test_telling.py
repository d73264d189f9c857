"""Moves, new owners and deaths, told before and after; links for insurers and landlords (55, 56, 62, (H)(5), (13))."""

from datetime import date, datetime, timedelta

import pytest

from portal.ordinance.dangerous import Designated, Requirement
from portal.schema.dangerous_notices import DangerousNotice
from tests.support.documents import corners, saved
from tests.support.portal import CHICAGO

PAT = {"owner_name": "Pat O’Brien", "owner_address": "1310 Idaho Ave", "signed_name": "Pat O’Brien"}
MOVE = {**PAT, "new_address": "902 Utah Ave, Willmar", "leaves_city": "yes"}
NEW_OWNER = {
    **PAT,
    "new_owner_name": "Mai Yang",
    "new_owner_address": "12 Elm St, Willmar",
    "new_owner_phone": "(320) 555-0144",
    "leaves_city": "yes",
    "new_owner_was_told": "yes",
}


@pytest.fixture
def here(pepper, dangerous):
    dangerous.designated(pepper)
    return f"/dogs/{pepper.animal_id}/dangerous"


def test_a_move_is_told_before_and_confirmed_after(resident, here, arrive, clock, database):
    """Examples 55 and T3: moving on February 28, 2027; notice by February 14, never the 15th."""
    resident.visit(here).click("A move, a new owner, a death").click("Pepper moves, or moved")
    resident.submit(**MOVE, happens_on=date(2027, 2, 28))
    assert "confirm it here by Tuesday, March 30, 2027" in resident.text
    assert "registered as a dangerous dog too" in resident.text
    [told] = database.all(DangerousNotice)
    assert (told.legal_last_day, told.show_by, told.is_late) == (date(2027, 2, 14), date(2027, 2, 12), False)
    assert "It has happened: confirm it" not in resident.visit(f"{here}/tell").links
    clock.move_to(datetime(2027, 3, 2, 9, tzinfo=CHICAGO))
    later = arrive("pat@example.com").sign_in(then=here)
    later.visit(f"{here}/tell").click("It has happened: confirm it")
    assert later.page.values["new_address"] == ["902 Utah Ave, Willmar"]
    later.submit(signed_name="Pat O’Brien")
    assert {notice.confirms_id for notice in database.all(DangerousNotice)} == {None, told.id}
    assert "It has happened: confirm it" not in later.visit(f"{here}/tell").links


def test_a_late_notice_is_taken_and_marked(resident, here, database):
    resident.visit(f"{here}/tell/move").submit(**MOVE, happens_on=date(2026, 11, 16))
    assert "It is taken all the same, and marked as late." in resident.text
    assert [notice.is_late for notice in database.all(DangerousNotice)] == [True]


def test_a_potentially_dangerous_dog_that_is_sold_needs_the_notice_too(resident, pepper, dangerous, database):
    """Example 62."""
    dangerous.designated(pepper, kind=Designated.POTENTIALLY_DANGEROUS)
    resident.visit(f"/dogs/{pepper.animal_id}/dangerous/tell").click("Pepper gets a new owner, or got one")
    assert "identified Pepper as potentially dangerous" in resident.text
    resident.submit(**NEW_OWNER, happens_on=date(2026, 12, 12))
    [told] = database.all(DangerousNotice)
    assert (told.new_owner_phone, told.new_owner_was_told) == ("(320) 555-0144", True)


def test_a_new_owner_whose_telephone_is_not_known_is_told_of_all_the_same(resident, here, database):
    unknown = {"new_owner_address": "", "new_owner_phone": ""}
    resident.visit(f"{here}/tell/transfer").submit(**NEW_OWNER | unknown, happens_on=date(2026, 12, 12))
    assert resident.h1 == "Animal control has your notice"
    [told] = database.all(DangerousNotice)
    assert (told.new_owner_address, told.new_owner_phone) == (None, None)


def test_a_death_is_met_kindly_and_no_oath_is_asked_for(resident, here, database):
    """Example 56."""
    resident.visit(f"{here}/tell/death")
    assert "We’re sorry." in resident.text
    assert "an affidavit is needed only if animal control asks for one" in resident.text
    resident.submit(**PAT, happens_on=date(2026, 11, 11))
    assert "within 12 hours" in resident.text
    [told] = database.all(DangerousNotice)
    resident.visit(f"{here}/told/{told.id}/affidavit", status=404)
    database.run("UPDATE animal_control.dangerous_notice SET affidavit_asked_at = now()")
    resident.visit(f"{here}/tell").click("print the form")
    assert "died on November 11, 2026" in resident.text


def test_a_death_still_to_come_is_asked_for_again(resident, here):
    resident.visit(f"{here}/tell/death").submit(**PAT, happens_on=date(2026, 11, 20), status=422)
    assert resident.errors == ["November 20, 2026 is still to come. Check the month and the year"]


def test_what_is_missing_is_told_in_the_order_of_the_page(resident, here):
    resident.visit(f"{here}/tell/transfer").submit(owner_address="", status=422)
    assert resident.errors[0] == "Enter the day it goes to the new owner"
    assert resident.errors[-1] == "Type your name as signature"


@pytest.fixture
def insurers_link(resident, here):
    """The link that Pat was shown, by its path."""
    resident.visit(f"{here}/rows/insurance").click("give them a link")
    resident.submit(addressee="Prairie Mutual", email="agent@example.com")
    [shown] = [one for one in resident.text.split() if "/dangerous/link/" in one]
    return "/" + shown.split("/", 3)[3]


def test_an_insurer_sends_a_policy_without_an_account_and_can_end_it(
    arrive, insurers_link, here, pepper, dangerous, outbox, resident
):
    [letter] = outbox.messages(to="agent@example.com", template="ask_for_evidence")
    assert letter.context["path"] == insurers_link
    agent = arrive("nobody@example.com").visit(insurers_link)
    assert agent.path == "/dangerous/link"
    assert "1310 Idaho" not in agent.text
    assert "Pat" not in agent.text
    agent.submit(
        files=(saved(corners(64, 48), "JPEG"), "policy.jpg"),
        company="Prairie Mutual",
        number="L-1",
        amount_cents="300,000",
        first_day=date(2026, 1, 1),
        last_day=date(2027, 12, 31),
        is_authorized_in_state="yes",
        attested_name="A. Agent",
    )
    assert "The city has it" in agent.text
    dangerous.decide(pepper, Requirement.INSURANCE)
    agent.visit(insurers_link).submit(ends_on=date(2027, 1, 31))
    assert "The city knows that the cover ended" in agent.text
    resident.visit(here)
    assert "The insurer told the city that this policy ends on January 31, 2027." in resident.text


def test_a_link_that_ran_out_is_told_apart_from_one_that_waits(insurers_link, arrive, here, clock):
    clock.move_to(clock.now() + timedelta(days=100))
    text = arrive("pat@example.com").sign_in(then=here).visit(f"{here}/rows/insurance/link").text
    assert "Prairie Mutual ran out" in text
    assert "It worked until" in text


def test_a_link_taken_back_opens_nothing(resident, arrive, insurers_link, here):
    resident.visit(f"{here}/rows/insurance/link").submit(button="Take it back")
    assert arrive("x@example.com").visit(insurers_link, status=410).h1 == "This link does not open anything now"


def test_a_landlord_says_whether_they_were_told(resident, arrive, here, pepper, dangerous):
    resident.visit(f"{here}/rows/landlord/link").submit(addressee="Kay Berg")
    [shown] = [one for one in resident.text.split() if "/dangerous/link/" in one]
    landlord = arrive("x@example.com").visit("/" + shown.split("/", 3)[3])
    landlord.submit(was_told="yes", attested_name="Kay Berg", status=422)
    assert landlord.errors == ["Enter the day you were told, or about when"]
    landlord.submit(was_told="yes", told_on=date(2026, 11, 1), attested_name="Kay Berg")
    assert landlord.h1 == "The city has your answer"
    assert dangerous.row(pepper, Requirement.LANDLORD).evidence.measures["told_on"] == "2026-11-01"


def test_the_link_is_shown_once(resident, insurers_link, here):
    assert insurers_link not in resident.visit(f"{here}/rows/insurance/link").text
