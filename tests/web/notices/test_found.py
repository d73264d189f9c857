"""Somebody found an animal: the notice, the two hours, and the talk with its owner (90.11(B))."""

from datetime import UTC, datetime

import pytest

from portal.gateways.rate_limits import TAG_SENDS
from portal.ordinance.wall_clock import SKIPPED
from tests.browser.limits import use_up
from tests.support.portal import CHICAGO

FINDER = ("robin@example.com", "555-0177", "a torn left ear", "985112004567890")
HELD = {"place": "Northside park", "holding": "held"}


def test_a_found_animal_needs_no_account_and_opens_with_a_private_link(found, visitor, arrive, outbox):
    reference = found(more={"email": "robin@example.com"})
    assert visitor.h1 == "Your notice: the found dog"
    assert "Save this link" in visitor.text
    path = outbox.messages(to="robin@example.com", template="notice_filed")[0].context["path"]
    elsewhere = arrive()
    elsewhere.visit(path)
    assert elsewhere.path == f"/notices/{reference}"
    assert arrive().visit(f"/notices/{reference}").path.startswith("/sign-in")
    arrive().visit("/notices/open/wrong", status=410)


def test_what_the_finder_keeps_apart_is_on_no_page_and_in_no_event(found, visitor, arrive, database):
    more = {"email": "robin@example.com", "phone": "(320) 555-0177", "withheld_mark": FINDER[2], "chip": FINDER[3]}
    reference = found(more=more)
    stranger = arrive()
    stranger.visit(f"/found/{reference}")
    seen = stranger.page.html + str(database.rows("SELECT * FROM animal_control.event"))
    assert [secret for secret in FINDER if secret in seen] == []


@pytest.mark.parametrize(
    ("now", "since", "by"),
    [
        pytest.param(
            datetime(2026, 11, 1, 1, 0, tzinfo=CHICAGO),
            "12:30 AM",
            "November 1, 2026 at 1:30 a.m.",
            id="example 44 autumn",
        ),
        pytest.param(
            datetime(2027, 3, 14, 3, 20, tzinfo=CHICAGO),
            "1:15 AM",
            "March 14, 2027 at 4:15 a.m.",
            id="example 44 spring",
        ),
    ],
)
def test_the_two_hours_run_from_when_it_was_taken_in(find, visitor, clock, database, outbox, gateways, now, since, by):
    clock.move_to(now)
    find(where=HELD | {"since": since})
    assert f"Tell the police by {by}" in visitor.text
    visitor.submit(button="Show it to everybody")
    assert f"Tell the police by {by}" in visitor.text
    [event] = database.rows("SELECT detail FROM animal_control.event WHERE kind = 'notice.found'")
    assert event.detail["holding"] == "held"
    assert event.detail["report_by"].endswith("+00:00")
    assert outbox.letters(to=gateways.city.police.email, template="pet_held")


def test_a_time_that_the_clock_skipped_is_asked_for_again(visitor, clock):
    clock.move_to(datetime(2027, 3, 14, 4, 0, tzinfo=CHICAGO))
    visitor.visit("/found/new").submit(button="Start with a photo").submit(button="Go on without a photo")
    visitor.submit(HELD | {"since": "2:30 AM"}, button="Continue", status=422)
    assert visitor.errors == [SKIPPED]


def test_after_the_two_hours_it_says_to_call_now_and_takes_the_notice(find, visitor, clock):
    clock.move_to(datetime(2026, 11, 30, 20, 0, tzinfo=CHICAGO))
    find(where=HELD | {"since": "5:00 PM"})
    assert "Call the police now: the two hours ended on November 30, 2026 at 7:00 p.m." in visitor.text
    visitor.submit(button="Show it to everybody")
    assert visitor.h1.startswith("Your notice")


def test_the_hours_stay_when_the_notice_is_changed_later(found, visitor, database, clock):
    found(where=HELD)
    before = database.value("SELECT confined_at FROM animal_control.pet_notice")
    clock.move_to(datetime(2026, 12, 2, 12, 0, tzinfo=CHICAGO))
    visitor.submit(button="Change the notice").visit("/found/new/where").submit(
        {"place": "Main Street"}, button="Continue"
    )
    visitor.submit(button="Save the changes")
    assert database.value("SELECT confined_at FROM animal_control.pet_notice") == before
    assert before.astimezone(UTC) == datetime(2026, 11, 30, 16, 0, tzinfo=UTC)


def test_who_takes_it_in_later_is_told_of_to_the_police_once(found, visitor, outbox, clock):
    found(where={"place": "Northside park", "holding": "following"})
    assert not outbox.messages(template="pet_held")
    for place in ("Main Street", "Main Street, the yard"):
        visitor.submit(button="Change the notice").visit("/found/new/where")
        visitor.submit({"place": place, "holding": "held"}, button="Continue").submit(button="Save the changes")
    [letter] = outbox.letters(template="pet_held")
    assert "Taken in: November 30, 2026 at 10:00 a.m. The two hours end: November 30, 2026 at 12:00 p.m." in letter.text


def test_the_people_of_a_tag_are_told_and_not_named(found, registrations, visitor, outbox):
    """Example 45: a number leads to a message, and to no name."""
    registrations.licensed("Pepper")
    found(more={"tag": "2026-1"})
    assert "Its people are being told" in visitor.text
    letter = outbox.letters(to="pat@example.com", template="tag_found")[0]
    assert letter.subject == "Pepper may have been found"
    assert visitor.path.replace("/notices/", "/found/") in letter.text
    visitor.click("read their answers")
    assert visitor.h1 == "Pepper’s people are being told"
    for secret in ("Pat", "O’Brien", "pat@example.com"):
        assert secret not in visitor.text


def test_the_people_of_a_chip_are_told(found, registrations, outbox):
    registrations.licensed("Pepper", microchip="985112003456789")
    found(more={"chip": "985 112 003 456 789"})
    letter = outbox.letters(to="pat@example.com", template="tag_found")[0]
    assert "Somebody who read the microchip wrote to Pepper's people" in letter.text


def test_numbers_are_not_counted_through_here_either(find, visitor, gateways, database):
    """V3: as many tries as under /tags, right or wrong."""
    find(more={"tag": "2026-1"})
    use_up(gateways.limits, TAG_SENDS, "127.0.0.1")
    visitor.submit(button="Show it to everybody", status=429)
    assert database.value("SELECT count(*) FROM animal_control.pet_notice") == 0


def test_a_wrong_number_costs_the_finder_nothing(found, visitor):
    found(more={"tag": "2026-77", "chip": "985112000000000"})
    assert visitor.h1 == "Your notice: the found dog"


def test_an_owner_writes_and_the_finder_answers_and_neither_learns_who(found, visitor, arrive, outbox, database):
    reference = found(more={"email": "robin@example.com"})
    owner = arrive()
    owner.visit(f"/found/{reference}").click("This may be mine")
    owner.submit(message="She has a scar under the chin.", email="mai@example.com", button="Send to the finder")
    assert owner.h1 == "The finder is being told"
    letter = outbox.letters(to="robin@example.com", template="notice_words")[0]
    assert "a scar under the chin" in letter.text
    assert "mai@example.com" not in letter.text + letter.html
    talk = next(href for href in visitor.visit(f"/notices/{reference}").links.values() if "/talk/" in href)
    visitor.visit(talk).submit(message="That is her!", button="Send")
    assert "That is her!" in visitor.text
    assert "That is her!" in owner.visit("/tags/talk").text
    assert "robin" not in owner.page.html
    assert outbox.letters(to="mai@example.com", template="finder_answer")[0].subject == "An answer from the finder"
    visitor.visit(f"/notices/{reference}").submit(button="It is back with its people")
    assert outbox.templates(to="mai@example.com")[-1] == "finder_thanks"
    assert owner.visit("/tags/talk").h1.startswith("This talk")


def test_this_device_forgets_it(found, visitor):
    reference = found()
    visitor.submit(button="Forget this notice on this device")
    assert visitor.visit(f"/notices/{reference}").path.startswith("/sign-in")
