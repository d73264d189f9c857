"""Dangerous dogs and notices of pets at the desk: evidence, hearings, reviews, what was complained of."""

from datetime import date
from uuid import uuid4

import pytest

from portal.ordinance.dangerous import Change, Requirement
from portal.ordinance.wall_clock import SKIPPED
from portal.schema.dangerous import Designated
from portal.schema.dangerous_notices import NoticeKind
from portal.schema.notices import NoticeState
from portal.services.dangerous.request_hearing import HearingAsked, request_hearing
from portal.services.dangerous.request_review import ReviewAsked, request_review
from portal.services.dangerous.tell_dangerous_notice import NoticeTold, tell_dangerous_notice
from tests.support.notices import notice


@pytest.fixture
def pepper(registrations, dangerous):
    """A designated dog."""
    kept = registrations.licensed("Pepper")
    dangerous.designated(kept)
    return kept


@pytest.fixture
def asked(dangerous, pepper, gateways):
    """Pat asks for a hearing, and for a review, and tells that Pepper died."""
    hearing = HearingAsked(key=uuid4(), kind=Designated.DANGEROUS, dog="Pepper", name="Pat", signed_name="Pat")
    review = ReviewAsked(key=uuid4(), changes=(Change.AGE,), told="Old now.", signed_name="Pat")
    told = NoticeTold(
        key=uuid4(),
        kind=NoticeKind.DEATH,
        happens_on=date(2026, 11, 24),
        owner_name="Pat",
        owner_address="1310 Idaho Ave",
        signed_name="Pat",
    )
    city, clock = gateways.city, gateways.clock

    def ask(session):
        request_hearing(session, hearing, designation=None, person_id=pepper.person_id, city=city, clock=clock)
        mine = {"animal_id": pepper.animal_id, "person_id": pepper.person_id}
        request_review(session, review, **mine, city=city, clock=clock)
        tell_dangerous_notice(session, told, **mine, city=city, clock=clock)

    dangerous.by_owner(ask)


def test_evidence_is_accepted_or_sent_back_and_newer_evidence_stops_a_decision(officer, dangerous, pepper, database):
    dangerous.send(pepper, Requirement.SIGNS)
    officer.visit("/desk?kind=dangerous_row").click("Signs of Pepper")
    assert "At front" in officer.text
    officer.submit(button="Send back", status=422)
    assert officer.errors == ["Say why, in words the owner will read"]
    dangerous.send(pepper, Requirement.SIGNS)
    officer.submit(button="Accept", status=409)
    officer.submit(button="Accept")
    assert "Accepted." in officer.page.html
    assert database.value("SELECT evidence_number FROM animal_control.requirement_decision") == 2


def test_a_hearing_is_set_held_and_decided(officer, asked, database):
    officer.visit("/desk").click("Hearing for Pat")
    officer.submit(button="Set the hearing", status=422)
    assert officer.errors == ["Enter the day"]
    where = {"place": "City Hall", "heard_by": "Lee Berg"}
    officer.submit(button="Set the hearing", day=date(2026, 12, 10), time="9:30 AM", **where)
    assert officer.h1 == "Queue"
    officer.click("Hearing for Pat")
    assert "December 10, 2026 at 9:30 a.m., City Hall, heard by Lee Berg" in officer.text
    officer.submit(button="It was held on this day", day=date(2026, 11, 30)).click("Hearing for Pat")
    officer.submit(button="Write down the decision", day=date(2026, 11, 30), status=422)
    assert officer.errors == ["Choose what was decided"]
    officer.submit(button="Write down the decision", outcome="upheld")
    assert database.value("SELECT outcome FROM animal_control.hearing_request") == "upheld"


def test_what_was_asked_about_an_earlier_designation_is_found_on_the_page_of_the_next(
    officer, asked, dangerous, pepper, database
):
    database.run(
        "UPDATE animal_control.hearing_request SET designation_id = d.id FROM animal_control.dangerous_designation AS d"
    )
    dangerous.designated(pepper)
    officer.visit(f"/desk/dangerous-dogs/{pepper.animal_id}")
    [hearing] = [label for label in officer.links if label.startswith("The hearing about another designation")]
    [review] = [label for label in officer.links if label.startswith("The review of another designation")]
    officer.click(hearing)
    officer.visit(f"/desk/dangerous-dogs/{pepper.animal_id}").click(review)


def test_a_review_keeps_the_designation_with_a_reason_or_rescinds_it(officer, asked, database):
    [line] = [link for link in officer.visit("/desk?kind=review").links if link.startswith("Review of")]
    officer.click(line).submit(button="Keep it", status=422)
    assert len(officer.errors) == 1
    officer.submit(button="Keep it", reason="It bit again in May.")
    assert database.value("SELECT reason FROM animal_control.review_request") == "It bit again in May."


def test_a_flagged_notice_is_shown_or_taken_down(clerk, database):
    notice(database, state=NoticeState.CHECKING, flagged_for="a link in the text")
    clerk.visit("/desk").click("Lost notice: Pepper")
    assert "a link in the text" in clerk.text
    clerk.submit(button="Take it down", status=422)
    assert clerk.errors == ["Say why, in words that whoever filed it will read"]
    clerk.submit(button="Let everybody see it")
    assert database.value("SELECT state FROM animal_control.pet_notice") == "shown"


def test_a_death_is_read_and_an_affidavit_asked_for(officer, asked, database):
    officer.visit("/desk?kind=dangerous_notice").click("Death of Pepper, a designated dog")
    assert "November 24, 2026" in officer.text
    officer.submit(button="Read, and ask for an affidavit under oath")
    assert "The owner is asked for an affidavit." in officer.page.html
    seen = "SELECT seen_by, affidavit_asked_at IS NOT NULL AS is_asked FROM animal_control.dangerous_notice"
    assert dict(database.rows(seen)[0]) == {"seen_by": officer.email, "is_asked": True}


def test_of_a_dog_that_is_anothers_a_missing_notice_is_told_until_it_is_there(
    officer, dangerous, pepper, household, gateways
):
    missing, page = "No written notice of it is here yet", f"/desk/dangerous-dogs/{pepper.animal_id}"
    household.claims(pepper)
    household.city_accepts()
    assert missing in officer.visit(page).text
    told = NoticeTold(
        key=uuid4(),
        kind=NoticeKind.TRANSFER,
        happens_on=gateways.clock.today(),
        owner_name="Pat",
        owner_address="1310 Idaho Ave",
        signed_name="Pat",
        new_owner_name="Gavin Lind",
    )
    mine = {"animal_id": pepper.animal_id, "person_id": pepper.person_id}
    city, clock = gateways.city, gateways.clock
    dangerous.by_owner(lambda session: tell_dangerous_notice(session, told, **mine, city=city, clock=clock))
    assert missing not in officer.visit(page).text
    assert "Given away" not in officer.text


@pytest.fixture
def unmatched(dangerous, pepper, gateways):
    """Pat asks for a hearing without an account, about a notice of that day."""
    noticed_on = dangerous.seen(pepper).designation.noticed_on
    asked = HearingAsked(
        key=uuid4(), kind=Designated.DANGEROUS, dog="Black dog", name="Pat", signed_name="Pat", noticed_on=noticed_on
    )

    def ask(session):
        request_hearing(session, asked, designation=None, person_id=None, city=gateways.city, clock=gateways.clock)

    dangerous.by_owner(ask)
    return asked.key


def test_a_request_is_matched_to_its_designation_and_its_decision_dated(
    officer, unmatched, pepper, dangerous, database
):
    reference = dangerous.seen(pepper).designation.reference
    officer.visit("/desk?kind=hearing")
    assert "to be matched" in officer.text
    officer.click("Hearing for Pat").click("Match it to its designation")
    officer.submit(button="Match it", status=422)
    assert officer.errors == ["Choose the designation, or enter its reference"]
    officer.submit(button="Match it", reference="ZZZZ-ZZZZ", status=422)
    assert officer.errors == ["There is no designation with this reference"]
    officer.submit(button="Match it", reference=reference.lower().replace("-", " "))
    assert f"Designation {reference}" in officer.text
    officer.submit(button="Write down the decision", day=date(2026, 11, 30), outcome="upheld")
    assert officer.h1 == "Queue"
    officer.click("Decision to Pat").click("The day the owner received the decision")
    officer.submit(button="Write it down", day=date(2026, 11, 29), status=422)
    assert officer.errors == ["That day is before the decision"]
    officer.submit(button="Write it down", day=date(2026, 11, 30))
    assert "Decision to Pat" not in officer.visit("/desk").text
    kinds = [
        one["kind"]
        for one in database.rows("SELECT kind FROM animal_control.event WHERE kind LIKE 'hearing.%' ORDER BY id")
    ]
    assert kinds == ["hearing.requested", "hearing.matched", "hearing.upheld", "hearing.decision_received"]
    assert database.value("SELECT final_on FROM animal_control.dangerous_designation") == date(2026, 11, 30)


def test_a_decision_counts_for_the_designation_that_is_matched_later(officer, unmatched, database):
    officer.visit(f"/desk/hearings/{unmatched}")
    officer.submit(button="Write down the decision", day=date(2026, 11, 30), outcome="not_upheld")
    assert database.value("SELECT state FROM animal_control.dangerous_designation") == "standing"
    officer.visit(f"/desk/hearings/{unmatched}").click("Match it to its designation")
    officer.submit(button="Match it", chosen=str(database.value("SELECT id FROM animal_control.dangerous_designation")))
    assert database.value("SELECT state FROM animal_control.dangerous_designation") == "not_upheld"


def test_the_second_to_match_or_date_is_stopped(officer, working, unmatched, database):
    second = working("berg@benson.example")
    for person in (officer, second):
        person.visit(f"/desk/hearings/{unmatched}/designation")
    chosen = str(database.value("SELECT id FROM animal_control.dangerous_designation"))
    officer.submit(button="Match it", chosen=chosen)
    second.submit(button="Match it", chosen=chosen, status=409)
    assert f"by {officer.email}" in second.text


def test_a_row_that_was_accepted_is_opened_again_and_its_certificate_rests(
    officer, dangerous, pepper, database, outbox
):
    dangerous.send(pepper, Requirement.SIGNS)
    officer.visit("/desk?kind=dangerous_row").click("Signs of Pepper").submit(button="Accept")
    officer.visit(f"/desk/dogs/{pepper.animal_id}").click("Dangerous").click("Signs")
    officer.submit(button="Open it again", status=422)
    assert officer.errors == ["Say why, in words the owner will read"]
    officer.submit(button="Open it again", reason="The rear sign is gone.")
    assert officer.h1 == "Pepper: dangerous"
    assert "Open again. The keepers are told by e-mail." in officer.page.html
    assert dangerous.row(pepper, Requirement.SIGNS).state == "not_yet"
    [letter] = outbox.messages(template="requirement_open")
    assert letter.context["reason"] == "The rear sign is gone."


def test_a_row_does_not_apply_and_the_second_officer_is_stopped(officer, working, dangerous, pepper, database):
    second = working("berg@benson.example")
    for person in (officer, second):
        person.visit(f"/desk/dangerous-dogs/{pepper.animal_id}").click("Landlord")
    officer.submit(button="It does not apply", reason="They own the home.")
    assert dangerous.row(pepper, Requirement.LANDLORD).state == "not_applicable"
    second.submit(button="Waive", reason="No landlord.", status=409)
    assert "No landlord." in second.text
    assert database.value("SELECT count(*) FROM animal_control.requirement_decision") == 1


def test_the_photograph_is_set_made_and_the_certificate_issued(officer, dangerous, pepper, outbox, database):
    officer.visit(f"/desk/dangerous-dogs/{pepper.animal_id}").click("Set when it is photographed")
    officer.submit(button="Set the appointment", day=date(2026, 11, 2), time="9:30 AM", place="City Hall", status=422)
    assert officer.errors == ["That time is past. Set one that is still to come"]
    officer.submit(button="Set the appointment", day=date(2027, 3, 14), time="2:30 AM", place="City Hall", status=422)
    assert officer.errors == [SKIPPED]
    officer.submit(button="Set the appointment", day=date(2026, 12, 14), time="9:30 AM", place="City Hall")
    assert "December 14, 2026 at 9:30 a.m., City Hall" in officer.text
    [letter] = outbox.messages(template="photograph_set")
    assert letter.context["place"] == "City Hall"
    officer.click("Photograph").submit(button="I have seen it: accept")
    assert dangerous.row(pepper, Requirement.PHOTOGRAPH).state == "accepted"
    officer.click("Issue the certificate").submit(button="Issue the certificate", status=422)
    assert any(error.startswith("Not settled yet") for error in officer.errors)
    dangerous.settle(pepper)
    officer.submit(button="Issue the certificate")
    assert "The certificate is issued" in officer.page.html


def test_no_button_decides_nothing_of_what_was_sent_for_a_requirement(officer, pepper, dangerous, press_nothing):
    dangerous.send(pepper, Requirement.SIGNS)
    officer.visit("/desk?kind=dangerous_row").click("Signs of Pepper")
    press_nothing("Send back", reason="The rear sign is missing.")


def test_no_button_decides_nothing_of_a_hearing_a_review_and_an_owners_notice(officer, asked, press_nothing):
    officer.visit("/desk").click("Hearing for Pat")
    press_nothing("Set the hearing", place="City Hall")
    [review] = [link for link in officer.visit("/desk?kind=review").links if link.startswith("Review of")]
    officer.click(review)
    press_nothing("Keep it", reason="It bit again in May.")
    officer.visit("/desk?kind=dangerous_notice").click("Death of Pepper, a designated dog")
    press_nothing("I have read it")
