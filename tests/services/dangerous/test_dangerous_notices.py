"""What owners of designated dogs tell and ask, and what becomes of it (90.13(E), (H)(12), (14), (N), (P))."""

from dataclasses import replace
from datetime import date, datetime
from uuid import uuid4

import pytest

from portal.ordinance.dangerous import Change, Designated, Requirement
from portal.schema.dangerous import DesignationState, RegistrationState
from portal.schema.dangerous_notices import HearingOutcome, NoticeKind, ReviewOutcome
from portal.schema.departures import DepartureKind
from portal.services.dangerous.decide_hearing import (
    decide_hearing,
    hold_hearing,
    note_decision_received,
    schedule_hearing,
)
from portal.services.dangerous.designate_dog import confirm_stated, dismiss_stated, note_service
from portal.services.dangerous.dog import Clocked, dangerous_dog_at_desk
from portal.services.dangerous.register_dangerous_dog import begin_for_new_owner
from portal.services.dangerous.request_hearing import HearingAsked, request_hearing
from portal.services.dangerous.request_review import ReviewAsked, decide_review, request_review
from portal.services.dangerous.requirement_history import evidence_pictures, history_of
from portal.services.dangerous.seize_dog import Seized, note_seizure, seize_dog
from portal.services.dangerous.tell_dangerous_notice import NoticeTold, see_notice, tell_dangerous_notice
from portal.services.dangerous.year_fee import order_year
from portal.services.households.tell_gone import GoneAnswers, tell_gone
from portal.services.refusal import NotTheirs, Refused
from tests.support.portal import CHICAGO
from tests.support.registrations import OFFICER


def at(year: int, month: int, day: int, hour: int = 12) -> datetime:
    return datetime(year, month, day, hour, tzinfo=CHICAGO)


@pytest.fixture
def pepper(registrations, clock):
    clock.move_to(at(2026, 11, 12))
    return registrations.licensed("Pepper")


@pytest.fixture
def tell(dangerous, gateways):
    """The owner tells: `tell(dog, NoticeKind.MOVE, date(...), new_address=...)`."""

    def tell(dog, kind, happens_on, **about):
        told = NoticeTold(
            key=uuid4(),
            kind=kind,
            happens_on=happens_on,
            owner_name="Pat O’Brien",
            owner_address="1310 Idaho Ave, Benson",
            signed_name="Pat O’Brien",
        )
        return dangerous.by_owner(
            lambda session: tell_dangerous_notice(
                session,
                replace(told, **about),
                animal_id=dog.animal_id,
                person_id=dog.person_id,
                city=gateways.city,
                clock=gateways.clock,
            )
        )

    return tell


@pytest.fixture
def ask(dangerous, gateways):
    """Somebody asks for a hearing: `ask(dog)`, or `ask(None)` without a dog that is known."""

    def ask(dog, **about):
        asked = HearingAsked(
            key=uuid4(),
            kind=Designated.DANGEROUS,
            dog="Black Labrador",
            name="Pat O’Brien",
            signed_name="Pat O’Brien",
            email="pat@example.com",
        )
        return dangerous.by_owner(
            lambda session: request_hearing(
                session,
                replace(asked, **about),
                designation=dangerous.seen(dog).designation if dog else None,
                person_id=dog.person_id if dog else None,
                city=gateways.city,
                clock=gateways.clock,
            )
        )

    return ask


@pytest.fixture
def review(dangerous, gateways):
    def review(dog, **about):
        asked = ReviewAsked(
            key=uuid4(), changes=(Change.TRAINING, Change.AGE), told="A year of training.", signed_name="Pat O’Brien"
        )
        return dangerous.by_owner(
            lambda session: request_review(
                session,
                replace(asked, **about),
                animal_id=dog.animal_id,
                person_id=dog.person_id,
                city=gateways.city,
                clock=gateways.clock,
            )
        )

    return review


def test_a_move_is_told_before_and_confirmed_after(dangerous, pepper, tell, clock, outbox):
    """Examples 55 and 62."""
    dangerous.designated(pepper)
    clock.move_to(at(2027, 2, 12))
    moves = {"new_address": "200 13th St N, Benson", "leaves_city": False}
    before = tell(pepper, NoticeKind.MOVE, date(2027, 2, 28), **moves)
    assert (before.show_by, before.legal_last_day, before.is_late) == (date(2027, 2, 12), date(2027, 2, 14), False)
    clock.move_to(at(2027, 2, 15))
    assert tell(pepper, NoticeKind.MOVE, date(2027, 2, 28), **moves).is_late
    clock.move_to(at(2027, 3, 2))
    after = tell(pepper, NoticeKind.MOVE, date(2027, 2, 28), confirms_id=before.id, **moves)
    assert (after.confirms_id, after.is_late, after.legal_last_day) == (before.id, False, date(2027, 3, 30))
    assert outbox.templates().count("dangerous_notice") == 3


def test_a_potentially_dangerous_dog_is_sold_with_fourteen_days_notice_too(dangerous, pepper, tell):
    """Example 62."""
    dangerous.designated(pepper, kind=Designated.POTENTIALLY_DANGEROUS)
    with pytest.raises(Refused, match="new owner"):
        tell(pepper, NoticeKind.TRANSFER, date(2026, 12, 1))
    sold = tell(pepper, NoticeKind.TRANSFER, date(2026, 12, 1), new_owner_name="Ann Lee", new_owner_was_told=True)
    assert (sold.legal_last_day, sold.is_late) == (date(2026, 11, 17), False)
    assert not tell(pepper, NoticeKind.DEATH, date(2026, 9, 1)).is_late


def test_a_death_is_told_and_an_affidavit_only_if_it_is_asked_for(dangerous, pepper, tell, clock, outbox):
    """Example 56."""
    dangerous.designated(pepper)
    clock.move_to(at(2026, 11, 30))
    with pytest.raises(Refused, match="once it has happened"):
        tell(pepper, NoticeKind.DEATH, date(2026, 12, 24))
    told = tell(pepper, NoticeKind.DEATH, date(2026, 11, 24))
    assert (told.legal_last_day, told.is_late, told.affidavit_asked_at) == (date(2026, 12, 24), False, None)
    assert "affidavit_asked" not in outbox.templates()
    dangerous.at_desk(see_notice, notice_id=told.id, officer=OFFICER, asks_affidavit=True)
    assert outbox.templates().count("affidavit_asked") == 1


def test_the_same_notice_twice_is_one_and_another_dogs_is_nobodys(dangerous, pepper, tell, registrations, database):
    dangerous.designated(pepper)
    key = uuid4()
    first = tell(pepper, NoticeKind.DEATH, date(2026, 11, 11), key=key)
    assert tell(pepper, NoticeKind.DEATH, date(2026, 11, 11), key=key).id == first.id
    assert database.value("SELECT count(*) FROM animal_control.dangerous_notice") == 1
    rex = registrations.dog("Rex", email="gavin@example.com")
    with pytest.raises(NotTheirs):
        tell(rex, NoticeKind.DEATH, date(2026, 11, 11))


def test_a_hearing_is_asked_for_with_a_receipt_to_the_second_and_nothing_to_pay(dangerous, pepper, ask, clock, outbox):
    """Examples 51 and 53."""
    dangerous.designated(pepper)
    clock.move_to(at(2026, 11, 27, 23))
    request = ask(pepper, interpreter="Somali", grounds="It was provoked.")
    assert (request.is_late, request.legal_last_day) == (False, date(2026, 11, 27))
    (receipt,) = outbox.letters(template="hearing_received")
    assert "arrived on November 27, 2026 at 11:00:00 p.m." in receipt.text
    assert "nothing to pay" in receipt.text
    assert outbox.templates().count("hearing_requested") == 1
    seen = dangerous.seen(pepper)
    assert {row.requirement for row in seen.rows if row.due} == {
        Requirement.ENCLOSURE,
        Requirement.RESTRAINT,
        Requirement.DEATH_OR_TRANSFER,
    }
    assert seen.row(Requirement.ENCLOSURE).due.show_by == date(2026, 11, 27)


def test_a_late_request_and_one_about_a_notice_nobody_knows_are_taken(dangerous, pepper, ask, clock):
    dangerous.designated(pepper)
    clock.move_to(at(2026, 12, 20))
    assert ask(pepper).is_late
    unknown = ask(None, noticed_on=date(2026, 12, 10))
    assert (unknown.designation_id, unknown.is_late, unknown.legal_last_day) == (None, False, date(2026, 12, 24))
    assert not ask(None).is_late
    with pytest.raises(Refused, match="sign"):
        ask(None, signed_name=" ")


def test_a_decision_that_upholds_starts_the_days_to_comply(dangerous, pepper, ask, clock, gateways, outbox):
    """Example 53: asked on Friday the 11th, held on the 28th, to be decided by the 7th."""
    dangerous.designated(pepper, noticed_on=date(2026, 11, 12))
    clock.move_to(at(2026, 12, 11))
    request = ask(pepper)
    assert request.hold_by == date(2026, 12, 28)
    set_for = {"at": at(2026, 12, 28, 10), "place": "City Hall", "heard_by": "Lee Berg, hearing officer"}
    dangerous.at_desk(schedule_hearing, request_id=request.id, officer=OFFICER, city=gateways.city, **set_for)
    (letter,) = outbox.letters(template="hearing_set")
    assert "December 28, 2026 at 10:00:00 a.m." in letter.text
    clock.move_to(at(2027, 1, 10))
    on = {"officer": OFFICER, "request_id": request.id}
    held = dangerous.at_desk(hold_hearing, held_on=date(2026, 12, 28), city=gateways.city, **on)
    assert held.decide_by == date(2027, 1, 7)
    dangerous.at_desk(decide_hearing, outcome=HearingOutcome.UPHELD, decided_on=date(2027, 1, 4), **on)
    dangerous.at_desk(note_decision_received, received_on=date(2027, 1, 6), **on)
    with pytest.raises(Refused, match="decided already"):
        dangerous.at_desk(decide_hearing, outcome=HearingOutcome.UPHELD, decided_on=date(2027, 1, 4), **on)
    seen = dangerous.seen(pepper)
    signs = seen.row(Requirement.SIGNS).due
    assert (signs.show_by, signs.legal_last_day) == (date(2027, 1, 15), date(2027, 1, 20))
    assert seen.row(Requirement.STERILIZATION).due.show_by == date(2027, 2, 3)


def test_a_designation_that_is_not_upheld_asks_nothing_more(dangerous, pepper, ask, database):
    dangerous.designated(pepper)
    request = ask(pepper)
    not_upheld = {"outcome": HearingOutcome.NOT_UPHELD, "decided_on": date(2026, 11, 12)}
    dangerous.at_desk(decide_hearing, request_id=request.id, officer=OFFICER, **not_upheld)
    seen = dangerous.seen(pepper)
    assert (seen.designation.state, seen.year, seen.days) == (DesignationState.NOT_UPHELD, None, ())
    assert database.value("SELECT state FROM animal_control.dangerous_registration") == RegistrationState.WITHDRAWN


def test_a_review_that_comes_early_is_kept_with_its_day_and_the_next_is_a_year_later(
    dangerous, pepper, review, clock, outbox
):
    """Example 61."""
    dangerous.designated(pepper, noticed_on=date(2026, 8, 31))
    early = review(pepper)
    assert (early.is_early, early.from_day) == (True, date(2027, 2, 28))
    assert "can be asked for from February 28, 2027" in outbox.letters(template="review_received")[0].text
    clock.move_to(at(2027, 3, 1))
    assert not review(pepper).is_early
    clock.move_to(at(2027, 9, 1))
    again = review(pepper)
    assert (again.is_early, again.from_day) == (True, date(2028, 3, 1))


def test_a_review_rescinds_or_keeps_with_a_reason(dangerous, pepper, review, outbox):
    dangerous.designated(pepper)
    first, second = review(pepper), review(pepper)
    kept = {"outcome": ReviewOutcome.KEPT, "officer": OFFICER}
    with pytest.raises(Refused, match="Say why"):
        dangerous.at_desk(decide_review, request_id=first.id, reason=None, **kept)
    dangerous.at_desk(decide_review, request_id=first.id, reason="Too soon to tell.", **kept)
    assert dangerous.seen(pepper).is_standing
    rescinded = ReviewOutcome.RESCINDED
    dangerous.at_desk(decide_review, request_id=second.id, outcome=rescinded, reason=None, officer=OFFICER)
    assert dangerous.seen(pepper).designation.state is DesignationState.RESCINDED
    assert outbox.templates().count("review_decided") == 2


def test_security_is_due_on_the_seventh_day_and_late_is_taken(dangerous, pepper, clock, gateways, outbox):
    """Example 54, T4. Entering a seizure writes to nobody."""
    designation = dangerous.designated(pepper).designation
    clock.move_to(at(2026, 11, 24))
    before = outbox.templates()
    where = {"kept_at": "City pound", "contact_name": "Amy", "contact_phone": "320-555-0101"}
    seized = dangerous.at_desk(
        seize_dog,
        Seized(seized_on=date(2026, 11, 24), **where),
        designation_id=designation.id,
        officer=OFFICER,
        city=gateways.city,
    )
    assert (seized.show_by, seized.legal_last_day) == (date(2026, 11, 30), date(2026, 11, 30))
    assert outbox.templates() == before
    days = {day.about: day.deadline.legal_last_day for day in dangerous.seen(pepper).days}
    assert days[Clocked.RECLAIM_BY_STATE_LAW] == date(2026, 12, 1)
    assert days[Clocked.RECLAIM] == date(2026, 12, 8)
    clock.move_to(at(2026, 12, 2))
    posted = dangerous.at_desk(note_seizure, seizure_id=seized.id, officer=OFFICER, posted_on=date(2026, 12, 1))
    assert posted.is_late
    with pytest.raises(Refused, match="before the seizure"):
        dangerous.at_desk(note_seizure, seizure_id=seized.id, officer=OFFICER, released_on=date(2026, 11, 1))


def test_a_statement_about_another_place_becomes_the_citys_own_with_its_notice(
    dangerous, registrations, clock, gateways
):
    """Example 13."""
    rex = registrations.dog("Rex", is_declared_dangerous_elsewhere=True)
    stated = dangerous.seen(rex).designation
    entered = {"designation_id": stated.id, "officer": OFFICER}
    dangerous.at_desk(confirm_stated, noticed_on=clock.today(), city=gateways.city, **entered)
    seen = dangerous.seen(rex)
    assert (seen.designation.state, len(seen.rows)) == (DesignationState.STANDING, 16)
    assert seen.row(Requirement.SIGNS).due.show_by == date(2026, 12, 14)
    with pytest.raises(Refused, match="not one that an owner told"):
        dangerous.at_desk(confirm_stated, noticed_on=clock.today(), city=gateways.city, **entered)


def test_a_mistaken_statement_about_another_place_is_dismissed_and_its_owner_told(
    dangerous, registrations, clock, outbox
):
    rex = registrations.dog("Rex", is_declared_dangerous_elsewhere=True)
    stated = dangerous.seen(rex).designation
    ended = dangerous.at_desk(dismiss_stated, designation_id=stated.id, officer=OFFICER)
    assert (ended.state, ended.ended_on) == (DesignationState.RESCINDED, clock.today())
    (letter,) = outbox.letters(template="statement_dismissed")
    assert "Rex is not on the city’s list of dangerous dogs" in letter.text
    with pytest.raises(Refused, match="not one that an owner told"):
        dangerous.at_desk(dismiss_stated, designation_id=stated.id, officer=OFFICER)


def test_dates_of_the_notice_are_written_down_later(dangerous, pepper, clock):
    designation = dangerous.designated(pepper).designation
    clock.move_to(at(2026, 11, 20))
    dated = dangerous.at_desk(
        note_service,
        designation_id=designation.id,
        officer=OFFICER,
        sent_on=date(2026, 11, 13),
        received_on=date(2026, 11, 16),
    )
    assert (dated.sent_on, dated.received_on, dated.final_on) == (date(2026, 11, 13), date(2026, 11, 16), None)
    due = dangerous.row(pepper, Requirement.SIGNS).due
    assert (due.show_by, due.legal_last_day) == (date(2026, 11, 25), date(2026, 11, 27))
    with pytest.raises(Refused, match="in the future"):
        dangerous.at_desk(note_service, designation_id=designation.id, officer=OFFICER, final_on=date(2026, 12, 1))


def test_of_two_designations_the_dangerous_one_is_shown(dangerous, pepper):
    dangerous.designated(pepper, kind=Designated.POTENTIALLY_DANGEROUS)
    dangerous.designated(pepper)
    seen = dangerous.seen(pepper)
    assert seen.designation.is_dangerous
    assert [one.kind for one in seen.others] == [Designated.POTENTIALLY_DANGEROUS]


@pytest.fixture
def hand_over(dangerous, registrations, database):
    """A dog goes to Gavin: the same dog, as his."""

    def hand_over(dog):
        gavin = registrations.dog("Rex", email="gavin@example.com")
        database.run("UPDATE animal_control.keeper SET until = now() WHERE animal_id = :id", id=dog.animal_id)
        database.run(
            "INSERT INTO animal_control.keeper (animal_id, person_id, role, since)"
            " VALUES (:id, :person, 'owner', now())",
            id=dog.animal_id,
            person=gavin.person_id,
        )
        dangerous.at_desk(begin_for_new_owner, animal_id=dog.animal_id, person_id=gavin.person_id, actor=OFFICER)
        return replace(dog, person_id=gavin.person_id)

    return hand_over


def test_the_papers_of_a_former_owner_stay_theirs_where_the_row_goes_on(dangerous, pepper, hand_over):
    dangerous.designated(pepper, kind=Designated.POTENTIALLY_DANGEROUS)
    sent = dangerous.send(pepper, Requirement.MICROCHIP)
    row = dangerous.row(pepper, Requirement.MICROCHIP).stored
    sees = {"animal_id": pepper.animal_id, "evidence_id": sent}
    assert dangerous.by_owner(lambda s: evidence_pictures(s, person_id=pepper.person_id, **sees))
    gavins = hand_over(pepper)
    assert dangerous.by_owner(lambda session: history_of(session, row.id)).evidence == ()
    with pytest.raises(NotTheirs):
        dangerous.by_owner(lambda session: evidence_pictures(session, person_id=gavins.person_id, **sees))


def test_a_new_owner_begins_anew_and_reads_nothing_of_the_one_before(dangerous, pepper, tell, hand_over, gateways):
    """90.13(H)(14): no day is stated for the new owner, and none is invented."""
    dangerous.designated(pepper)
    dangerous.send(pepper, Requirement.INSURANCE)
    tell(pepper, NoticeKind.TRANSFER, date(2026, 12, 1), new_owner_name="Gavin")
    gavins = hand_over(pepper)
    with pytest.raises(NotTheirs):
        dangerous.seen(pepper)
    seen = dangerous.seen(gavins)
    assert seen.year.person_id == gavins.person_id
    assert seen.row(Requirement.INSURANCE).evidence is None
    assert (seen.notices, seen.days) == ((), ())
    at_desk = dangerous.at_desk(dangerous_dog_at_desk, animal_id=pepper.animal_id, city=gateways.city)
    assert len(at_desk.notices) == 1


def test_the_affidavit_is_asked_of_whoever_wrote_the_notice_once_the_dog_is_anothers(
    dangerous, pepper, tell, hand_over, outbox
):
    """347.52(c): the new owner told nothing, and is not to read that there was a notice."""
    dangerous.designated(pepper)
    told = tell(pepper, NoticeKind.TRANSFER, date(2026, 12, 1), new_owner_name="Gavin")
    hand_over(pepper)
    dangerous.at_desk(see_notice, notice_id=told.id, officer=OFFICER, asks_affidavit=True)
    assert [letter.to for letter in outbox.messages(template="affidavit_asked")] == ["pat@example.com"]


def test_a_dog_that_died_owes_no_fee(dangerous, pepper, gateways, database):
    dangerous.designated(pepper)
    mine = {"animal_id": pepper.animal_id, "person_id": pepper.person_id}
    dangerous.by_owner(lambda session: order_year(session, city=gateways.city, clock=gateways.clock, **mine))
    died = GoneAnswers(animal_id=pepper.animal_id, kind=DepartureKind.DIED, happened_on=None, note=None)
    dangerous.by_owner(lambda session: tell_gone(session, died, person_id=pepper.person_id, clock=gateways.clock))
    assert database.value("SELECT state FROM animal_control.fee_order WHERE total_cents = 30000") == "canceled"
