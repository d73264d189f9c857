"""Every day of a designated dog is told before it comes, once at each step, with its section (90.13)."""

from datetime import date, datetime
from uuid import uuid4

import pytest

from portal.schema.dangerous_notices import NoticeKind
from portal.schema.departures import DepartureKind
from portal.services.dangerous.tell_dangerous_notice import NoticeTold, tell_dangerous_notice
from portal.services.households.tell_gone import GoneAnswers, tell_gone
from portal.worker.jobs import deliver_letters
from portal.worker.reminders import send_reminders
from tests.support.portal import CHICAGO

TEMPLATE = "reminder_dangerous"


def never():
    return False


@pytest.fixture
def told_on(parts, clock, outbox):
    """Let the worker remind on a morning; the letters about designated dogs that it has written by then."""

    def told_on(month, day, year=2026):
        clock.move_to(datetime(year, month, day, 10, tzinfo=CHICAGO))
        send_reminders(parts, never)
        return len(outbox.messages(template=TEMPLATE))

    return told_on


@pytest.fixture
def pepper(clock, registrations, dangerous):
    """Designated on Thursday, November 12, 2026, with a hostile name."""
    clock.move_to(datetime(2026, 11, 12, 9, tzinfo=CHICAGO))
    pepper = registrations.licensed("[Pay now](http://evil.example)")
    dangerous.designated(pepper)
    return pepper


def test_a_week_before_and_on_the_day_before_once_each(pepper, told_on):
    assert told_on(11, 17) == 0
    assert told_on(11, 18) == 1, "a week before the 25th"
    assert told_on(11, 18) == 1
    assert told_on(11, 19) == 1
    assert told_on(11, 24) == 2
    assert told_on(12, 4) == 3, "sterilizing, by December 11"


def test_the_letter_names_each_thing_its_counting_and_its_section_and_makes_no_link_of_a_name(
    pepper, told_on, parts, outbox
):
    told_on(11, 18)
    deliver_letters(parts, never)
    [letter] = outbox.letters(template=TEMPLATE)
    for part in (letter.text, letter.html):
        assert "Ask for a hearing, if you disagree" in part
        assert "Show that each requirement is met" in part
        assert "90.13(E)(3)(a)(v)" in part
        assert "14 days from the date on the notice, November 12, 2026" in part
        assert "http://evil.example" not in part
    assert "November 25, 2026" in letter.subject
    assert f"/dogs/{pepper.animal_id}/dangerous" in letter.text
    assert letter.unsubscribe_url


def test_a_day_that_is_kept_is_told_no_more(pepper, told_on, dangerous):
    dangerous.settle(pepper)
    assert told_on(12, 4) == 0, "every row is shown, and the days for a hearing are over"


def test_a_certificate_that_runs_out_is_told_before_it_does(pepper, told_on, dangerous, registrations):
    dangerous.settle(pepper)
    dangerous.certify(pepper)
    before = told_on(6, 1, year=2027)
    assert told_on(6, 23, year=2027) == before + 1, "the policy, and the certificate with it, end on June 30"


def test_a_death_that_nobody_wrote_down_is_told_before_the_last_day_for_it(pepper, told_on, dangerous, clock, outbox):
    """90.13(H)(12), example 56: it died on November 24, so until December 24."""
    clock.move_to(datetime(2026, 11, 30, 9, tzinfo=CHICAGO))
    died = GoneAnswers(animal_id=pepper.animal_id, kind=DepartureKind.DIED, happened_on=date(2026, 11, 24), note=None)
    dangerous.by_owner(lambda session: tell_gone(session, died, person_id=pepper.person_id, clock=clock))
    assert told_on(12, 16) == 0
    assert told_on(12, 17) == 1
    assert told_on(12, 18) == 1
    assert told_on(12, 23) == 2
    [letter, _] = outbox.letters(to="pat@example.com", template=TEMPLATE)
    assert "Write to animal control that it died" in letter.text
    assert "90.13(H)(12)" in letter.text
    assert "30 days from the day it happened, November 24, 2026" in letter.text


def test_whoever_gave_a_dog_away_is_reminded_of_the_notice_also_once_it_is_anothers(
    pepper, told_on, dangerous, household, gateways, outbox
):
    """Told on November 30 without a day: thirty days from then."""
    household.claims(pepper)
    household.city_accepts()
    assert told_on(12, 22) == 0
    assert told_on(12, 23) == 1
    [letter] = outbox.letters(to="pat@example.com", template=TEMPLATE)
    assert "Write to animal control who has it now" in letter.text
    assert "30 days from the day the city was told, November 30, 2026" in letter.text
    told = NoticeTold(
        key=uuid4(),
        kind=NoticeKind.TRANSFER,
        happens_on=date(2026, 11, 30),
        owner_name="Pat",
        owner_address="1310 Idaho Ave",
        signed_name="Pat",
        new_owner_name="Gavin Lind",
    )
    mine = {"animal_id": pepper.animal_id, "person_id": pepper.person_id}
    city, clock = gateways.city, gateways.clock
    dangerous.by_owner(lambda session: tell_dangerous_notice(session, told, **mine, city=city, clock=clock))
    assert told_on(12, 29) == 1, "the notice is there"
