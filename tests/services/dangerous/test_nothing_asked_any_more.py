"""What was sent for a dog of which nothing is asked any more waits for no officer, and is nobody else's (90.13(H)(14)).

The queue counts what it lists.
"""

from datetime import datetime

import pytest
from sqlalchemy.orm import Session

from portal.ordinance.dangerous import Designated, Requirement
from portal.schema.dangerous import DesignationState
from portal.schema.dangerous_requirements import Decision
from portal.schema.departures import DepartureKind
from portal.services.dangerous.decide_requirement import Deciding, decide_requirement
from portal.services.dangerous.designate_dog import end_designation, locked_designation
from portal.services.desk.dangerous_rows import DANGEROUS_ROWS
from portal.services.desk.queue import look
from portal.services.households.tell_gone import GoneAnswers, tell_gone, undo_gone
from portal.services.refusal import Refused
from tests.support.portal import CHICAGO
from tests.support.registrations import OFFICER


@pytest.fixture
def pepper(registrations, clock):
    clock.move_to(datetime(2026, 11, 12, 12, tzinfo=CHICAGO))
    return registrations.licensed("Pepper")


@pytest.fixture
def waiting(desk_engine, gateways):
    """What an officer sees in the queue."""

    def waiting():
        with Session(desk_engine) as session:
            [found] = look(session, [DANGEROUS_ROWS], city=gateways.city, clock=gateways.clock)
        assert found.count == len(found.lines)
        return [line.what for line in found.lines]

    return waiting


@pytest.fixture
def end(dangerous):
    """A hearing does not uphold a designation."""

    def end(designation_id):
        def ended(session, clock):
            designation, state = locked_designation(session, designation_id), DesignationState.NOT_UPHELD
            end_designation(session, designation, state=state, ended_on=clock.today(), actor=OFFICER, clock=clock)

        dangerous.at_desk(ended)

    return end


@pytest.fixture
def send_back(dangerous):
    """An officer who has the row before them still sends it back."""

    def send_back(row):
        reason = "The policy names Pat O’Brien alone."
        deciding = Deciding(requirement_id=row.id, outcome=Decision.SENT_BACK, evidence_number=1, reason=reason)
        dangerous.at_desk(decide_requirement, deciding, officer=OFFICER)

    return send_back


def test_a_new_owner_reads_nothing_about_the_policy_of_the_one_before(
    dangerous, pepper, household, waiting, send_back, outbox
):
    dangerous.designated(pepper)
    dangerous.send(pepper, Requirement.INSURANCE)
    row = dangerous.row(pepper, Requirement.INSURANCE).stored
    assert waiting() == ["Insurance of Pepper"]
    household.claims(pepper)
    household.city_accepts()
    assert waiting() == []
    with pytest.raises(Refused, match="has a new owner"):
        send_back(row)
    assert outbox.messages(template="requirement_open") == []


@pytest.mark.parametrize(
    ("kind", "requirement"),
    [(Designated.DANGEROUS, Requirement.SIGNS), (Designated.POTENTIALLY_DANGEROUS, Requirement.MICROCHIP)],
)
def test_whoever_won_their_hearing_is_asked_to_send_nothing_more(
    dangerous, pepper, waiting, send_back, end, outbox, kind, requirement
):
    entered = dangerous.designated(pepper, kind=kind)
    dangerous.send(pepper, requirement)
    row = dangerous.row(pepper, requirement).stored
    end(entered.designation.id)
    assert waiting() == []
    with pytest.raises(Refused, match="the designation has ended"):
        send_back(row)
    assert outbox.messages(template="requirement_open") == []


def test_what_was_sent_waits_on_where_another_designation_stands(dangerous, pepper, waiting, end):
    first, _ = dangerous.designated(pepper), dangerous.designated(pepper)
    dangerous.send(pepper, Requirement.SIGNS)
    end(first.designation.id)
    assert waiting() == ["Signs of Pepper"]
    dangerous.decide(pepper, Requirement.SIGNS)
    assert waiting() == []


def test_nothing_waits_of_a_dog_that_is_gone_until_its_keeper_takes_that_back(
    dangerous, pepper, waiting, send_back, clock
):
    dangerous.designated(pepper)
    dangerous.send(pepper, Requirement.SIGNS)
    row = dangerous.row(pepper, Requirement.SIGNS).stored
    died = GoneAnswers(animal_id=pepper.animal_id, kind=DepartureKind.DIED, happened_on=None, note=None)
    whose = {"person_id": pepper.person_id, "clock": clock}
    dangerous.by_owner(lambda session: tell_gone(session, died, **whose))
    assert waiting() == []
    with pytest.raises(Refused, match="is gone"):
        send_back(row)
    dangerous.by_owner(lambda session: undo_gone(session, animal_id=pepper.animal_id, **whose))
    assert waiting() == ["Signs of Pepper"]


def test_what_is_carried_to_the_next_year_is_not_counted_before_its_owner_sends_the_year(
    dangerous, pepper, waiting, clock
):
    dangerous.designated(pepper)
    dangerous.settle(pepper)
    dangerous.certify(pepper)
    clock.move_to(datetime(2027, 10, 1, 12, tzinfo=CHICAGO))
    dangerous.renew(pepper)
    assert waiting() == []
    dangerous.send_year(pepper)
    assert "Signs of Pepper" in waiting()
