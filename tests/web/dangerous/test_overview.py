"""A designation in plain words, the list of what is asked, every date: 90.13, examples 51, 54, 57, 61."""

from datetime import date, timedelta

import pytest

from portal.ordinance.dangerous import Designated, Requirement
from portal.schema.dangerous_requirements import Decision
from portal.services.dangerous.seize_dog import Seized, note_seizure, seize_dog
from tests.support.registrations import OFFICER


def here(dog):
    return f"/dogs/{dog.animal_id}/dangerous"


def test_a_dog_that_nobody_designated_has_a_page_that_says_so_and_no_link_to_it(resident, pepper):
    resident.visit(f"/dogs/{pepper.animal_id}")
    assert "Dangerous-dog registration" not in resident.links
    resident.visit(here(pepper))
    assert resident.h1 == "Nothing is entered for Pepper"


def test_a_designated_dog_leads_to_what_is_due_and_by_when(resident, pepper, dangerous):
    """Example 51: the earliest defensible day is shown, the legal last one and what it is counted from too."""
    dangerous.designated(pepper)
    resident.visit(f"/dogs/{pepper.animal_id}").click("Dangerous-dog registration")
    assert resident.h1 == "Pepper: dangerous dog"
    assert "11 things to show, the first by Wednesday, November 25, 2026." in resident.text
    assert "ask for a hearing by Wednesday, November 25, 2026" in resident.text
    assert "Counted: 14 days from the date on the notice, November 12, 2026." in resident.text
    assert "By law it is in time until Friday, November 27, 2026." in resident.text
    assert "Sterilization due Dec 11" in resident.text
    assert "City Code § 90.13(H)(15)" in resident.text


def test_the_notice_says_each_right_with_its_day_and_its_section(resident, pepper, dangerous):
    dangerous.designated(pepper, circumstances="November 10, 2026, about 5 p.m., 14th Street South")
    resident.visit(here(pepper)).click("What the notice means")
    for said in (
        "Without provocation, the dog inflicted substantial bodily harm on a person.",
        "November 10, 2026, about 5 p.m., 14th Street South",
        "Asking costs nothing. The city will tell you who hears it.",
        "you pay what the hearing cost, at most $1,000",
        "Three things are due at once",
        "14 days from the day you receive the decision",
        "at least 14 days before",
        "For Pepper from May 12, 2027.",
    ):
        assert said in resident.text
    for section in ("(E)", "(E)(1)", "(E)(3)(a)(v)", "(E)(3)(a)(vi)", "(H)", "(I)", "(N)", "(P)"):
        assert f"City Code § 90.13{section}" in resident.text


def test_nothing_announces_a_seizure_or_the_end_of_a_dog_or_asks_about_convictions(resident, pepper, dangerous):
    entered = dangerous.designated(pepper)
    pages = [
        "",
        "/notice",
        "/tell",
        "/review",
        "/hearing",
        *(f"/rows/{row.requirement}" for row in dangerous.seen(pepper).rows),
    ]
    for path in pages:
        resident.visit(f"{here(pepper)}{path}")
        told = resident.text.lower()
        for word in (
            "destroy",
            "destruction",
            "disposed",
            "euthan",
            "will be seized",
            "convict",
            "in violation",
            "countdown",
        ):
            assert word not in told, (path, word)
    assert entered.designation.is_dangerous


def test_a_potentially_dangerous_dog_is_asked_for_its_microchip_alone(resident, pepper, dangerous):
    """90.13(G), 347.515."""
    dangerous.designated(pepper, kind=Designated.POTENTIALLY_DANGEROUS)
    resident.visit(here(pepper))
    assert resident.h1 == "Pepper: potentially dangerous dog"
    assert "1 thing to show by Wednesday, November 25, 2026." in resident.text
    assert "Insurance" not in resident.text
    resident.visit(f"{here(pepper)}/notice")
    assert "Minn. Stat. § 347.515" in resident.text
    resident.visit(f"{here(pepper)}/rows/insurance", status=404)


def test_the_dates_go_into_a_calendar_and_move_there_when_they_change(resident, pepper, dangerous, clock):
    dangerous.designated(pepper)
    first = resident.client.get(f"{here(pepper)}/dates.ics")
    assert first.mimetype == "text/calendar"
    told = first.text.replace("\r\n ", "")
    assert "SUMMARY:Pepper: Ask for a hearing\\, if you disagree" in told
    assert told.count("DTSTART;VALUE=DATE:20261125") == 2
    assert "DTSTART;VALUE=DATE:20270512" in told
    keys = {line for line in told.splitlines() if line.startswith("UID")}
    clock.move_to(clock.at + timedelta(days=1))
    second = resident.client.get(f"{here(pepper)}/dates.ics").text.replace("\r\n ", "")
    assert {line for line in second.splitlines() if line.startswith("UID")} == keys


@pytest.fixture
def seized(dangerous, clock):
    """An officer takes the dog on November 24, and enters it."""

    def seized(entered):
        clock.move_to(clock.at + timedelta(days=12))
        taken = Seized(
            seized_on=date(2026, 11, 24),
            kept_at="City pound",
            contact_name="Officer Dale",
            contact_phone="320-555-0101",
            amount_cents=24_000,
        )
        where = {"designation_id": entered.designation.id, "officer": OFFICER, "city": dangerous.gateways.city}
        return dangerous.at_desk(seize_dog, taken, **where)

    return seized


def test_a_dog_that_is_held_is_shown_where_and_what_to_do_by_the_earlier_day(resident, pepper, dangerous, seized):
    """90.13(E)(2), (J), example 54, and the seven days of state law: nothing counts down."""
    seized(dangerous.designated(pepper))
    resident.visit(here(pepper))
    assert "Pepper is held by animal control" in resident.text
    resident.click("What to do, and by when")
    assert "Animal control asks for $240.00." in resident.text
    assert "Post it by Monday, November 30, 2026." in resident.text
    assert "Act by Tuesday, December 1, 2026." in resident.text
    assert "the city code 14, which end on Tuesday, December 8, 2026" in resident.text
    resident.visit(here(pepper))
    assert "Post security for the dog’s care" in resident.text


def test_the_owner_of_a_dog_that_is_still_held_once_they_were_right_reads_how_to_take_it_home(
    resident, pepper, dangerous, seized, database
):
    """Nothing was posted: there is nothing to post or to show any more (90.13(K))."""
    taken = seized(dangerous.designated(pepper))
    database.run("UPDATE animal_control.dangerous_designation SET state = 'not_upheld', ended_on = '2026-11-24'")
    resident.visit(here(pepper)).click("What to do, and by when")
    assert "Call animal control to ask when you can take Pepper home" in resident.text
    assert "Once you are told that you may reclaim Pepper, you have 14 days." in resident.text
    for over in ("Post security", "requirement is met", "Act by", "ask for a hearing"):
        assert over not in resident.text
    dangerous.at_desk(note_seizure, seizure_id=taken.id, officer=OFFICER, reclaim_told_on=date(2026, 11, 24))
    resident.visit(f"{here(pepper)}/held")
    assert "Take Pepper home by Tuesday, December 8, 2026, 14 days after that." in resident.text
    assert "City Code § 90.13(K)" in resident.text


def test_an_owner_who_was_told_that_they_may_reclaim_a_dog_has_fourteen_days_from_then(
    resident, pepper, dangerous, seized, clock
):
    """90.13(K). The day that was counted from the seizure is told until it has gone by."""
    taken = seized(dangerous.designated(pepper))
    dangerous.at_desk(note_seizure, seizure_id=taken.id, officer=OFFICER, reclaim_told_on=date(2026, 11, 24))
    assert "Act by Tuesday, December 1, 2026." in resident.visit(f"{here(pepper)}/held").text
    clock.move_to(clock.at + timedelta(days=8))
    for path in ("", "/held"):
        resident.visit(f"{here(pepper)}{path}")
        assert "Tuesday, December 8, 2026" in resident.text
        assert "City Code § 90.13(K)" in resident.text
        assert "December 1, 2026" not in resident.text
    assert "Reclaim the dog, now that you were told you may" in resident.visit(here(pepper)).text


def test_a_dog_that_was_taken_as_potentially_dangerous_is_still_held_once_it_is_declared_dangerous(
    resident, pepper, dangerous, seized
):
    seized(dangerous.designated(pepper, kind=Designated.POTENTIALLY_DANGEROUS))
    dangerous.designated(pepper)
    resident.visit(here(pepper))
    assert resident.h1 == "Pepper: dangerous dog"
    assert "At City pound. Ask Officer Dale, 320-555-0101." in resident.text
    assert "Post security for the dog’s care" in resident.text
    resident.click("What to do, and by when")
    assert "Post it by Monday, November 30, 2026." in resident.text


def test_a_designation_that_ended_asks_for_nothing_more(resident, pepper, dangerous, database):
    dangerous.designated(pepper)
    database.run("UPDATE animal_control.dangerous_designation SET state = 'rescinded', ended_on = '2026-11-20'")
    resident.visit(here(pepper))
    assert "The designation has ended" in resident.text
    assert "to show by" not in resident.text


def test_another_keepers_address_and_other_peoples_dogs_stay_theirs(another_resident, pepper, dangerous):
    dangerous.designated(pepper)
    for path in ("", "/notice", "/rows/insurance", "/dates.ics", "/tell", "/held"):
        another_resident.visit(f"{here(pepper)}{path}", status=404)


def test_the_page_asks_the_database_as_often_however_much_was_sent(resident, pepper, dangerous, queries):
    dangerous.designated(pepper)
    with queries() as before:
        resident.visit(here(pepper))
    for requirement in (Requirement.INSURANCE, Requirement.ENCLOSURE, Requirement.SIGNS):
        dangerous.send(pepper, requirement)
        dangerous.decide(pepper, requirement, Decision.SENT_BACK, reason="Send it again")
        dangerous.send(pepper, requirement)
    with queries() as after:
        resident.visit(here(pepper))
    assert len(after) == len(before)
