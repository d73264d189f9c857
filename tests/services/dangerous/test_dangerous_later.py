"""What comes later to a dog that is registered as dangerous: a second notice, a cancellation, a new rabies shot."""

from dataclasses import replace
from datetime import date, datetime
from uuid import uuid4

import pytest

from portal.ordinance.dangerous import Requirement, RowState
from portal.schema.dangerous import DesignationState, RegistrationState
from portal.services.dangerous.answer_for_evidence import answer_link, cancel_policy
from portal.services.dangerous.ask_for_evidence import ask_for_evidence
from portal.services.dangerous.certify_dangerous_dog import check_certificate, years_ready
from portal.services.dangerous.claim_designation import claim_designation, state_declared_elsewhere
from portal.services.dangerous.days_to_know import Day, days_to_know
from portal.services.dangerous.designate_dog import end_designation, locked_designation
from portal.services.dangerous.send_evidence import EvidenceSent
from portal.services.owners.keepers_now import locked_animal
from tests.support.dangerous import POLICY
from tests.support.portal import CHICAGO
from tests.support.registrations import OFFICER

LASTING = replace(POLICY, last_day=date(2028, 12, 31))


@pytest.fixture
def pepper(registrations, clock):
    clock.move_to(datetime(2026, 11, 12, 12, tzinfo=CHICAGO))
    return registrations.licensed("Pepper")


@pytest.fixture
def days(dangerous, gateways):
    """What its keeper is told: `days(dog)[Day.RENEWAL]`."""

    def days(dog):
        found = days_to_know(dangerous.seen(dog), city=gateways.city, on=gateways.clock.today())
        return {known.what: known for known in found}

    return days


@pytest.fixture
def ready(dangerous, gateways):
    return lambda: [year.id for year in dangerous.at_desk(years_ready, city=gateways.city)]


@pytest.fixture
def told_of_elsewhere(dangerous, pepper, gateways):
    """The owner moved here with a dog that another place declared dangerous."""

    def told(session):
        animal = locked_animal(session, pepper.animal_id, person_id=pepper.person_id)
        return state_declared_elsewhere(
            session, animal, person_id=pepper.person_id, city=gateways.city, clock=gateways.clock
        )

    return dangerous.by_owner(told)


def test_what_was_shown_before_the_citys_own_notice_counts_for_it(
    dangerous, pepper, told_of_elsewhere, days, clock, ready
):
    dangerous.send(pepper, Requirement.MICROCHIP)
    assert Day.REVIEW not in days(pepper)  # six months of what?
    clock.move_to(datetime(2026, 11, 13, 12, tzinfo=CHICAGO))
    entered = dangerous.designated(None)
    dangerous.by_owner(
        lambda session: claim_designation(
            session, code=entered.code, animal_id=pepper.animal_id, person_id=pepper.person_id, clock=clock
        )
    )
    seen = dangerous.seen(pepper)
    assert (seen.designation.state, len(seen.rows)) == (DesignationState.STANDING, 16)
    assert dangerous.row(pepper, Requirement.MICROCHIP).state is RowState.SENT
    assert days(pepper)[Day.REQUIREMENTS].on == date(2026, 11, 27)
    dangerous.settle(pepper)
    assert ready() == [seen.year.id]
    dangerous.certify(pepper)
    code = dangerous.seen(pepper).year.certificate_code
    assert dangerous.by_owner(lambda session: check_certificate(session, code=code)).is_in_force(clock.today())


def test_of_two_designations_the_year_lasts_as_long_as_one(dangerous, pepper):
    first, second = dangerous.designated(pepper), dangerous.designated(pepper)
    year = dangerous.seen(pepper).year

    def end(designation_id):
        def ended(session, clock):
            designation = locked_designation(session, designation_id)
            state = DesignationState.NOT_UPHELD
            end_designation(session, designation, state=state, ended_on=clock.today(), actor=OFFICER, clock=clock)

        dangerous.at_desk(ended)

    end(first.designation.id)
    assert (dangerous.seen(pepper).year.id, len(dangerous.seen(pepper).rows)) == (year.id, 16)
    end(second.designation.id)
    assert (dangerous.seen(pepper).year, dangerous.seen(pepper).rows) == (None, ())


def test_a_policy_that_was_carried_to_the_next_year_is_canceled_there_too(dangerous, pepper, gateways, clock, outbox):
    dangerous.designated(pepper)
    row = dangerous.row(pepper, Requirement.INSURANCE).stored
    made = dangerous.by_owner(
        lambda session: ask_for_evidence(
            session,
            animal_id=pepper.animal_id,
            requirement_id=row.id,
            person_id=pepper.person_id,
            addressee="Prairie Mutual",
            email=None,
            clock=clock,
        )
    )
    sent = EvidenceSent(key=uuid4(), measures=LASTING)
    dangerous.by_owner(lambda session: answer_link(session, sent, token=made.token, city=gateways.city, clock=clock))
    dangerous.decide(pepper, Requirement.INSURANCE)
    dangerous.settle(pepper)
    dangerous.certify(pepper)
    clock.move_to(datetime(2027, 10, 12, 12, tzinfo=CHICAGO))
    dangerous.renew(pepper)
    assert dangerous.row(pepper, Requirement.INSURANCE).state is RowState.SENT
    ends_on = date(2027, 10, 31)
    dangerous.by_owner(lambda session: cancel_policy(session, token=made.token, ends_on=ends_on, clock=clock))
    row = dangerous.row(pepper, Requirement.INSURANCE)
    assert (row.state, row.decision.reason) == (
        RowState.NOT_YET,
        "The insurer told the city that this policy ends on October 31, 2027",
    )
    assert dangerous.seen(pepper).year_before.state is RegistrationState.OPEN
    assert len(outbox.letters(template="requirement_open")) == 1


def test_a_row_that_opens_again_after_the_certificate_is_not_late(dangerous, pepper, clock):
    dangerous.designated(pepper)
    dangerous.settle(pepper)
    dangerous.certify(pepper)
    clock.move_to(datetime(2027, 5, 3, 12, tzinfo=CHICAGO))
    dangerous.send(pepper, Requirement.INSURANCE, LASTING)
    row = dangerous.row(pepper, Requirement.INSURANCE)
    assert (row.due, row.evidence.is_late) == (None, False)


def test_a_new_rabies_certificate_lets_the_certificate_be_issued_again(dangerous, pepper, clock, days, ready, database):
    dangerous.designated(pepper)
    dangerous.settle(pepper, Requirement.INSURANCE)
    dangerous.send(pepper, Requirement.INSURANCE, LASTING)
    dangerous.decide(pepper, Requirement.INSURANCE)
    ends_on(database, pepper, date(2026, 12, 15))
    dangerous.certify(pepper)
    known = days(pepper)
    assert (known[Day.RABIES].on, known[Day.RABIES].title) == (date(2026, 12, 15), "Send the next rabies certificate")
    assert (known[Day.RENEWAL].on, known[Day.RENEWAL].last) == (date(2027, 11, 10), date(2027, 11, 11))
    assert known[Day.RENEWAL].counted == "the last day of the registration, November 11, 2027"
    assert ready() == []
    ends_on(database, pepper, date(2028, 12, 15))
    assert ready() == [dangerous.seen(pepper).year.id]
    dangerous.certify(pepper)
    assert dangerous.seen(pepper).year.certificate_until == date(2027, 11, 11)
    assert ready() == []


def ends_on(database, dog, day):
    """The rabies certificate is good to another day."""
    database.run(
        "UPDATE animal_control.vaccination SET certificate_due_on = :day WHERE animal_id = :dog",
        day=day,
        dog=dog.animal_id,
    )
