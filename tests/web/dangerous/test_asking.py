"""A hearing, a review, a claim, a dog declared elsewhere: taken whenever they come (13, 51, 61, 90.13(E), (P))."""

from datetime import date, datetime

import pytest

from portal.ordinance.dangerous import Designated
from portal.schema.dangerous import DangerousDesignation
from portal.schema.dangerous_notices import HearingOutcome, HearingRequest, ReviewRequest
from portal.services.dangerous.decide_hearing import decide_hearing
from tests.support.portal import CHICAGO

ASKED = {"kind": "dangerous", "dog": "Pepper, black Labrador", "name": "Pat O’Brien", "signed_name": "Pat O’Brien"}


def test_a_hearing_is_asked_for_without_an_account_and_its_receipt_has_the_time(visitor, noticed, outbox, database):
    visitor.visit("/dangerous").click("Ask for a hearing")
    visitor.submit(
        **ASKED,
        noticed_on=date(2026, 11, 12),
        grounds="He was provoked.\nThere is a film of it.",
        interpreter="Somali",
        access_needs="No stairs",
        email="pat@example.com",
    )
    assert visitor.h1 == "We have your request for a hearing"
    assert "November 12, 2026 at 3:04:05 p.m." in visitor.text
    assert "held by Friday, November 27, 2026" in visitor.text
    [asked] = database.all(HearingRequest)
    assert (asked.interpreter, asked.is_late, asked.designation_id) == ("Somali", False, None)
    [receipt] = outbox.messages(to="pat@example.com", template="hearing_received")
    assert asked.reference in str(receipt.context)
    assert "Pay" not in visitor.text


def test_a_late_request_is_taken_and_marked(visitor, clock, database):
    clock.move_to(datetime(2026, 12, 20, 9, tzinfo=CHICAGO))
    visitor.visit("/dangerous/hearing").submit(**ASKED, noticed_on=date(2026, 11, 12))
    assert "It came after November 27, 2026" in visitor.text
    assert "the city decides" in visitor.text
    assert [asked.is_late for asked in database.all(HearingRequest)] == [True]


def test_the_code_on_the_notice_ties_a_request_to_its_designation(visitor, noticed, dangerous, database):
    entered = dangerous.designated(None)
    visitor.visit("/dangerous/hearing").submit(**ASKED, code=entered.code.lower())
    [asked] = database.all(HearingRequest)
    assert asked.designation_id == entered.designation.id


def test_a_wrong_code_refuses_no_request(visitor, noticed, database):
    visitor.visit("/dangerous/hearing").submit(**ASKED, code="0000-0000-0000-0000")
    assert [asked.designation_id for asked in database.all(HearingRequest)] == [None]


def test_an_owner_finds_what_is_known_filled_in_and_sees_where_it_stands(resident, pepper, dangerous, database):
    dangerous.designated(pepper)
    here = f"/dogs/{pepper.animal_id}/dangerous"
    resident.visit(here).click("Ask for a hearing")
    assert resident.page.values["noticed_on-day"] == ["12"]
    assert "Ask by Wednesday, November 25, 2026." in resident.text
    resident.submit(name="Pat O’Brien", signed_name="Pat O’Brien")
    resident.visit(here)
    assert "You asked for a hearing" in resident.text
    assert "It is to be held by Friday, November 27, 2026." in resident.text
    assert "Enclosure due now" in resident.text  # (E)(3)(a)(vi)
    assert "Insurance or bond not yet" in resident.text
    assert "Ask for a hearing" not in resident.links
    [asked] = database.all(HearingRequest)
    withdrawn = {"outcome": HearingOutcome.WITHDRAWN, "decided_on": date(2026, 11, 12), "officer": "Officer Lee"}
    dangerous.at_desk(decide_hearing, request_id=asked.id, **withdrawn)
    assert resident.visit(here).click("ask for a hearing").h1 == "Ask for a hearing"


def test_sending_a_request_twice_asks_once(visitor, noticed, database):
    form = visitor.visit("/dangerous/hearing").page
    visitor.submit(**ASKED)
    visitor.page = form
    visitor.submit(**ASKED)
    assert len(database.all(HearingRequest)) == 1


def test_somebody_elses_browser_has_no_receipt(arrive, visitor, noticed):
    visitor.visit("/dangerous/hearing").submit(**ASKED)
    assert arrive().visit("/dangerous/hearing/sent").h1 == "Ask for a hearing"


def test_a_notice_is_claimed_with_its_code_however_it_is_typed(resident, pepper, dangerous):
    entered = dangerous.designated(None)
    resident.visit("/dangerous").click("I got a notice about my dog")
    resident.submit(code="0000-0000-0000-0000", status=422)
    assert resident.errors == [
        "There is no notice with this code. Check it letter by letter, or call the police department"
    ]
    resident.submit(code=entered.code.lower().replace("-", " "))
    assert resident.h1 == "What the notice about Pepper means"
    resident.visit(f"/dogs/{pepper.animal_id}/dangerous")
    assert "11 things to show" in resident.text


def test_somebody_without_a_dog_here_is_led_to_register_it_and_to_the_hearing(another_resident, noticed):
    another_resident.visit("/dangerous/claim")
    assert {"Register the dog", "Ask for a hearing now"} <= set(another_resident.links)


def test_a_dog_declared_dangerous_elsewhere_gets_its_list_and_the_police_are_told(resident, pepper, outbox, database):
    """Example 13."""
    resident.visit("/dangerous").click("Another place declared my dog dangerous")
    resident.submit(declared_by="Willmar, Minnesota")
    assert resident.h1 == "Pepper: dangerous dog"
    assert "You told us about Willmar, Minnesota" in resident.text
    assert "Enclosure not yet" in resident.text
    assert [one.state for one in database.all(DangerousDesignation)] == ["stated"]
    assert outbox.messages(template="declared_elsewhere")


@pytest.mark.parametrize(
    ("on", "is_early", "said"),
    [
        pytest.param(date(2027, 1, 15), True, "from May 12, 2027", id="90.13(P) before the six months"),
        pytest.param(date(2027, 5, 12), False, "possible since May 12, 2027", id="90.13(P) on the day"),
    ],
)
def test_a_review_is_kept_whenever_it_is_asked_for(arrive, pepper, dangerous, clock, database, on, is_early, said):
    """Example 61."""
    dangerous.designated(pepper)
    clock.move_to(datetime(on.year, on.month, on.day, 12, tzinfo=CHICAGO))
    resident = arrive("pat@example.com").sign_in(then=f"/dogs/{pepper.animal_id}/dangerous/review")
    assert said in resident.text
    resident.submit(changes=["training", "age"], told="She passed her class.", signed_name="Pat")
    assert "The city has it." in resident.text
    [asked] = database.all(ReviewRequest)
    assert (asked.is_early, set(asked.changes)) == (is_early, {"training", "age"})


def test_an_owner_still_sees_what_they_asked_once_the_dog_is_designated_anew(resident, pepper, dangerous):
    """Pat asked about the first designation; a second came before the city answered."""
    dangerous.designated(pepper)
    here = f"/dogs/{pepper.animal_id}/dangerous"
    resident.visit(f"{here}/hearing").submit(name="Pat O’Brien", signed_name="Pat O’Brien")
    resident.visit(f"{here}/review").submit(changes=["age"], told="Old now.", signed_name="Pat O’Brien")
    dangerous.designated(pepper, noticed_on=date(2026, 11, 12))
    resident.visit(here)
    assert "You asked for a hearing" in resident.text
    assert "About another designation: dangerous, notice of November 12, 2026." in resident.text
    assert "Ask for a hearing" in resident.links, "about the new one nobody has asked"
    assert "about another designation" in resident.visit(f"{here}/review").text


def test_a_request_that_names_nobody_is_not_shown_as_ones_own_under_another_designation(
    resident, visitor, pepper, dangerous
):
    """Whoever had the notice's code asked, and may have been who kept the dog before."""
    entered = dangerous.designated(pepper)
    visitor.visit("/dangerous/hearing").submit(**ASKED, code=entered.code)
    here = f"/dogs/{pepper.animal_id}/dangerous"
    assert "You asked for a hearing" in resident.visit(here).text
    dangerous.designated(pepper, noticed_on=date(2026, 11, 12))
    assert "You asked for a hearing" not in resident.visit(here).text


@pytest.mark.parametrize("is_signed_in", [True, False])
def test_a_new_owner_does_not_read_that_they_asked_for_the_hearing_of_the_one_before(
    resident, visitor, arrive, pepper, dangerous, household, is_signed_in
):
    """Of a potentially dangerous dog no year begins anew for them (90.13(H)(14))."""
    entered = dangerous.designated(pepper, kind=Designated.POTENTIALLY_DANGEROUS)
    here = f"/dogs/{pepper.animal_id}/dangerous"
    if is_signed_in:
        resident.visit(f"{here}/hearing").submit(name="Pat O’Brien", signed_name="Pat O’Brien")
    else:
        visitor.visit("/dangerous/hearing").submit(**ASKED | {"kind": "potentially_dangerous"}, code=entered.code)
    assert "You asked for a hearing" in resident.visit(here).text
    household.claims(pepper)
    household.city_accepts()
    gavin = arrive("gavin@example.com").sign_in(then=here)
    assert "You asked for a hearing" not in gavin.text


def test_a_review_needs_its_words_and_keeps_the_file_meanwhile(resident, pepper, dangerous, registrations):
    dangerous.designated(pepper)
    resident.visit(f"/dogs/{pepper.animal_id}/dangerous/review")
    resident.submit(status=422)
    assert resident.errors == [
        "Choose at least one",
        "Write how the dog’s behavior has changed",
        "Type your name as signature",
    ]
