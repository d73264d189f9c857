"""The officer at the console: designates a dog, decides what was sent, certifies, hears, reviews (90.13)."""

from datetime import date, timedelta
from functools import partial
from uuid import uuid4

import pytest

from portal.ordinance.dangerous import Change, Designated, Requirement
from portal.schema.dangerous_notices import NoticeKind
from portal.services.dangerous.claim_designation import claim_designation
from portal.services.dangerous.request_hearing import HearingAsked, request_hearing
from portal.services.dangerous.request_review import ReviewAsked, request_review
from portal.services.dangerous.tell_dangerous_notice import NoticeTold, tell_dangerous_notice
from tests.support.portal import MORNING

AMY = ("--officer", "amy@benson.example")
DESIGNATE = ("designate", "dangerous", "--dog", "Black Labrador", "--ground", "harmed_person")


def ago(days: int) -> str:
    """A day as a command takes it."""
    return (MORNING.date() - timedelta(days=days)).isoformat()


@pytest.fixture
def console(console):
    """Run a command of its kind: `console("list")`."""
    return partial(console, "dangerous")


@pytest.fixture
def pepper(registrations):
    return registrations.licensed("Pepper")


def test_a_designation_is_entered_claimed_decided_and_certified(console, dangerous, pepper, gateways, database):
    assert console("list") == "No dog is designated.\n"
    assert "harmed_person" in console("grounds")
    entered = console(*DESIGNATE, "--noticed", ago(18), "--delivery", "hand", *AMY)
    code = entered.rpartition("Code for the notice: ")[2].strip()
    assert "not claimed yet  Black Labrador" in console("list")
    who = {"animal_id": pepper.animal_id, "person_id": pepper.person_id}
    dangerous.by_owner(lambda session: claim_designation(session, code=code, clock=gateways.clock, **who))
    animal = str(pepper.animal_id)[:8]
    assert "90.13(H)(15)  not yet" in console("show", animal)
    designation = str(dangerous.seen(pepper).designation.id)
    assert ago(17) in console("date", designation, "--sent", ago(17), *AMY)

    dangerous.send(pepper, Requirement.SIGNS)
    assert "signs  1         owner" in console("row", "list")
    signs = str(dangerous.row(pepper, Requirement.SIGNS).stored.id)
    shown = console("row", "show", signs)
    assert "At front:" in shown
    assert "Page 1: evidence/" in shown
    assert "Signs: sent back." in console("row", "send-back", signs, "--evidence", "1", "--reason", "Too dark.", *AMY)
    dangerous.send(pepper, Requirement.SIGNS)
    assert "Something newer was sent" in console("row", "accept", signs, "--evidence", "1", *AMY, fails=True)
    assert "Signs: accepted." in console("row", "accept", signs, "--evidence", "2", *AMY)

    year = str(dangerous.seen(pepper).year.id)
    assert "The owner is told." in console(
        "row", "photograph", year, "--at", "2026-12-10 14:00", "--place", "Police counter", *AMY
    )
    assert "Not settled yet" in console("certify", year, *AMY, fails=True)
    dangerous.settle(pepper)
    license_row = str(dangerous.row(pepper, Requirement.LICENSE).stored.id)
    assert "can be waived, not accepted" in console("row", "accept", license_row, "--evidence", "0", *AMY, fails=True)
    console("row", "waive", license_row, "--evidence", "0", "--reason", "Seen at the counter.", *AMY)
    assert year[:8] in console("ready")
    assert "Certified until 2027-06-30" in console("certify", year, *AMY)
    assert database.value("SELECT certified_by FROM animal_control.dangerous_registration") == AMY[1]
    county = str(dangerous.row(pepper, Requirement.COUNTY).stored.id)
    console("row", "reopen", county, "--evidence", "1", "--reason", "The county has one now.", *AMY)
    console("row", "not-applicable", county, "--evidence", "1", *AMY)


def test_an_owner_told_of_another_place(console, dangerous, registrations):
    """Example 13."""
    rex = registrations.dog("Rex", is_declared_dangerous_elsewhere=True)
    assert "stated" in console("list")
    stated = str(dangerous.seen(rex).designation.id)
    assert f"stands from {ago(10)}" in console("confirm", stated, "--noticed", ago(10), *AMY)


def test_notices_hearings_reviews_and_seizures(console, dangerous, pepper, gateways):
    designation = str(dangerous.designated(pepper, noticed_on=date(2026, 11, 12)).designation.id)
    city, clock = gateways.city, gateways.clock
    told = NoticeTold(
        key=uuid4(),
        kind=NoticeKind.DEATH,
        happens_on=date(2026, 11, 24),
        owner_name="Pat",
        owner_address="1310 Idaho Ave",
        signed_name="Pat",
    )
    asked = HearingAsked(key=uuid4(), kind=Designated.DANGEROUS, dog="Pepper", name="Pat", signed_name="Pat")
    again = ReviewAsked(key=uuid4(), changes=(Change.AGE,), told="Old now.", signed_name="Pat")
    mine = {"animal_id": pepper.animal_id, "person_id": pepper.person_id, "city": city, "clock": clock}
    by_whom = {"person_id": pepper.person_id, "city": city, "clock": clock}

    def tell(session):
        tell_dangerous_notice(session, told, **mine)
        request_hearing(session, asked, designation=None, **by_whom)
        request_review(session, again, **mine)

    dangerous.by_owner(tell)
    assert "death  2026-11-24" in console("notice", "list")
    assert "Affidavit asked:       20" in console("notice", "show", str(told.key), "--ask-affidavit", *AMY)
    assert console("notice", "list") == "No notice waits.\n"

    hearing = str(asked.key)
    assert "match it" in console("hearing", "list")
    assert "is matched" in console("hearing", "match", hearing, designation, *AMY)
    place = ("--place", "City Hall", "--heard-by", "Lee Berg")
    assert "is set" in console("hearing", "set", hearing, "--at", "2026-12-10 10:00", *place, *AMY)
    assert "Decide by" in console("hearing", "held", hearing, "--on", ago(10), *AMY)
    assert "upheld" in console("hearing", "decide", hearing, "upheld", "--on", ago(9), *AMY)
    assert f"received {ago(8)}" in console("hearing", "received", hearing, "--on", ago(8), *AMY)
    assert "Heard by:" in console("hearing", "show", hearing)
    assert console("hearing", "list") == "No hearing is open.\n"

    where = ("--kept-at", "City pound", "--contact", "Amy", "--phone", "320-555-0101")
    added = console("seizure", "add", designation, "--on", ago(6), *where, *AMY)
    assert "security is shown for" in added
    seizure = added.split()[1].rstrip(":")
    assert "Noted" in console("seizure", "note", seizure, "--security-cents", "20000", "--posted", ago(2), *AMY)
    assert f"$200.00   posted {ago(2)}" in console("seizure", "list")

    assert "age" in console("review", "list")
    assert "Say why" in console("review", "decide", str(again.key), "kept", *AMY, fails=True)
    assert "rescinded" in console("review", "decide", str(again.key), "rescinded", *AMY)
    assert console("list") == "No dog is designated.\n"
