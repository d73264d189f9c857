"""Dangerous dogs and notices of pets at the desk: evidence, hearings, reviews, what was complained of."""

from datetime import date
from uuid import uuid4

import pytest

from portal.ordinance.dangerous import Change, Requirement
from portal.schema.dangerous import Designated
from portal.schema.dangerous_notices import NoticeKind
from portal.schema.notices import NoticeState
from portal.services.request_hearing import HearingAsked, request_hearing
from portal.services.request_review import ReviewAsked, request_review
from portal.services.tell_dangerous_notice import NoticeTold, tell_dangerous_notice
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
