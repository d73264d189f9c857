"""Two ask about one designation, or one about two: each is answered with what is so (90.13(E)(1), (P))."""

from datetime import timedelta
from uuid import uuid4

import pytest

from portal.ordinance.dangerous import Change, Designated
from portal.schema.dangerous import DesignationState
from portal.schema.dangerous_notices import HearingOutcome, ReviewOutcome
from portal.services.dangerous.decide_hearing import decide_hearing, hearings_open
from portal.services.dangerous.request_hearing import HearingAsked, request_hearing
from portal.services.dangerous.request_review import ReviewAsked, decide_review, request_review
from portal.services.households.household import leave_animal
from portal.services.refusal import Refused
from tests.support.registrations import OFFICER

STATE = "SELECT state FROM animal_control.dangerous_designation"
ENDED = "SELECT count(*) FROM animal_control.event WHERE kind IN ('designation.rescinded', 'designation.not_upheld')"


@pytest.fixture
def pepper(registrations, dangerous):
    pepper = registrations.licensed("Pepper")
    dangerous.designated(pepper)
    return pepper


@pytest.fixture
def heard(dangerous, pepper, gateways, clock):
    """Somebody asks for a hearing, and the city decides: `heard("Pat")()`."""

    def ask(name):
        asked = HearingAsked(key=uuid4(), kind=Designated.DANGEROUS, dog="Pepper", name=name, signed_name=name)
        about = dangerous.seen(pepper).designation
        dangerous.by_owner(
            lambda session: request_hearing(
                session, asked, designation=about, person_id=pepper.person_id, city=gateways.city, clock=clock
            )
        )

        def decide(outcome=HearingOutcome.NOT_UPHELD):
            decided = {"outcome": outcome, "decided_on": clock.today(), "officer": OFFICER}
            return dangerous.at_desk(decide_hearing, request_id=asked.key, **decided)

        return decide

    return ask


@pytest.fixture
def reviewed(dangerous, pepper, gateways, clock):
    """Somebody asks to look at it again, and animal control decides: `reviewed()(ReviewOutcome.RESCINDED)`."""

    def ask():
        asked = ReviewAsked(key=uuid4(), changes=(Change.AGE,), told="Old now.", signed_name="Pat")
        mine = {"animal_id": pepper.animal_id, "person_id": pepper.person_id}
        dangerous.by_owner(
            lambda session: request_review(session, asked, **mine, city=gateways.city, clock=gateways.clock)
        )

        def decide(outcome, reason=None):
            return dangerous.at_desk(
                decide_review, request_id=asked.key, outcome=outcome, reason=reason, officer=OFFICER
            )

        return decide

    return ask


def test_two_keepers_who_each_asked_for_a_hearing_both_read_that_it_is_not_upheld(heard, dangerous, database):
    pats, gavins = heard("Pat"), heard("Gavin")
    assert pats().outcome is gavins().outcome is HearingOutcome.NOT_UPHELD
    assert (database.value(STATE), database.value(ENDED)) == (DesignationState.NOT_UPHELD, 1)
    assert dangerous.by_owner(hearings_open) == []


def test_two_who_each_asked_for_a_review_are_both_told_that_it_is_rescinded(reviewed, database, outbox):
    first, second = reviewed(), reviewed()
    first(ReviewOutcome.RESCINDED)
    second(ReviewOutcome.RESCINDED)
    assert (database.value(STATE), database.value(ENDED)) == (DesignationState.RESCINDED, 1)
    letters = outbox.letters(template="review_decided")
    assert ["is rescinded" in letter.text for letter in letters] == [True, True]


def test_nobody_is_told_that_a_designation_stays_after_a_hearing_has_ended_it(heard, reviewed, database, outbox):
    hearing, review = heard("Pat"), reviewed()
    hearing()
    with pytest.raises(Refused, match="has ended already"):
        review(ReviewOutcome.KEPT, "Too soon to tell.")
    assert outbox.messages(template="review_decided") == []
    review(ReviewOutcome.RESCINDED)
    assert database.value(STATE) == DesignationState.NOT_UPHELD


def test_whoever_asked_reads_why_a_designation_stays_and_the_new_owner_does_not(reviewed, pepper, household, outbox):
    """Pat asked, and gave Pepper to Gavin while the city considered it."""
    review = reviewed()
    household.claims(pepper)
    household.city_accepts()
    review(ReviewOutcome.KEPT, "You told of your illness; the dog is as it was.")
    [letter] = outbox.letters(template="review_decided")
    assert letter.to == "pat@example.com"
    assert "the dog is as it was" in letter.text
    assert "Open the page" not in letter.text


def test_whoever_kept_the_dog_with_whoever_asked_reads_why_it_stays_though_the_asker_has_left(
    reviewed, pepper, household, dangerous, clock, outbox
):
    """Gavin, who was written to when Pat asked, keeps Pepper alone by now."""
    household.joins(pepper, "gavin@example.com")
    clock.move_to(clock.now() + timedelta(hours=1))
    review = reviewed()
    assert outbox.letters(to="gavin@example.com", template="review_received")
    mine = {"animal_id": pepper.animal_id, "person_id": pepper.person_id, "clock": clock}
    dangerous.by_owner(lambda session: leave_animal(session, **mine))
    review(ReviewOutcome.KEPT, "Too soon to tell.")
    [pats] = outbox.letters(to="pat@example.com", template="review_decided")
    [gavins] = outbox.letters(to="gavin@example.com", template="review_decided")
    assert "Too soon to tell." in pats.text
    assert "Too soon to tell." in gavins.text
    assert ("Open the page" in pats.text, "Open the page" in gavins.text) == (False, True)


def test_a_new_owner_is_told_that_a_designation_has_ended_and_nothing_of_who_asked(reviewed, pepper, household, outbox):
    review = reviewed()
    household.claims(pepper)
    household.city_accepts()
    review(ReviewOutcome.RESCINDED, "You told of your illness.")
    [pats] = outbox.letters(to="pat@example.com", template="review_decided")
    [gavins] = outbox.letters(to="gavin@example.com", template="review_decided")
    assert ("your illness" in pats.text, "your illness" in gavins.text) == (True, False)
    assert "is rescinded" in gavins.text


def test_what_was_asked_under_an_earlier_designation_is_shown_under_the_next(
    heard, reviewed, dangerous, pepper, registrations
):
    heard("Pat")
    reviewed()
    first = dangerous.seen(pepper)
    dangerous.designated(pepper)
    seen = dangerous.seen(pepper)
    assert seen.designation.id != first.designation.id
    assert (seen.hearing, seen.reviews) == (None, ())
    assert [asked.id for asked in seen.earlier_hearings] == [first.hearing.id]
    assert [asked.id for asked in seen.earlier_reviews] == [first.reviews[0].id]
