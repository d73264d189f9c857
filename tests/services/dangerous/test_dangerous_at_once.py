"""Two officers and one owner press at the same moment: one decision stands, the others look again, nothing is lost."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from sqlalchemy.orm import Session

from portal.ordinance.dangerous import Requirement, RowState
from portal.schema.dangerous_requirements import Decision
from portal.services.dangerous.certify_dangerous_dog import certify
from portal.services.dangerous.claim_designation import claim_designation
from portal.services.dangerous.decide_requirement import Deciding, decide_requirement
from portal.services.dangerous.register_dangerous_dog import renew_year
from portal.services.dangerous.send_evidence import EvidenceSent, send_evidence
from portal.services.dangerous.year_fee import order_year
from portal.services.refusal import ChangedMeanwhile, Refused
from tests.support.dangerous import MEETS
from tests.support.registrations import OFFICER


@pytest.fixture
def pepper(registrations, dangerous):
    pepper = registrations.licensed("Pepper")
    dangerous.designated(pepper)
    return pepper


def at_once(*deeds):
    """Each of (engine, deed) in a transaction of its own, all at once; what each gave, or how it was refused."""

    def do(pair):
        engine, deed = pair
        try:
            with Session(engine, expire_on_commit=False) as session, session.begin():
                return deed(session)
        except (ChangedMeanwhile, Refused) as no:
            return type(no)

    with ThreadPoolExecutor(len(deeds)) as people:
        return list(people.map(do, deeds))


def test_two_officers_and_the_owner_at_the_same_row(dangerous, pepper, gateways, database):
    dangerous.send(pepper, Requirement.SIGNS)
    row = dangerous.row(pepper, Requirement.SIGNS).stored
    clock, city = gateways.clock, gateways.city

    def decide(outcome, reason=None):
        deciding = Deciding(requirement_id=row.id, outcome=outcome, evidence_number=1, reason=reason)
        return lambda session: decide_requirement(session, deciding, officer=OFFICER, clock=clock)

    def send(session):
        sent = EvidenceSent(key=uuid4(), measures=MEETS[Requirement.SIGNS], version=row.version)
        who = {"animal_id": pepper.animal_id, "person_id": pepper.person_id}
        return send_evidence(session, sent, requirement_id=row.id, city=city, clock=clock, **who)

    desk, web = dangerous.desk, gateways.engine
    found = at_once((desk, decide(Decision.ACCEPTED)), (desk, decide(Decision.SENT_BACK, "Too dark.")), (web, send))
    sent = database.value("SELECT count(*) FROM animal_control.requirement_evidence")
    decided = database.value("SELECT count(*) FROM animal_control.requirement_decision")
    refused = found.count(ChangedMeanwhile)
    assert (sent - 1) + decided == 1
    assert refused == 2
    now = dangerous.row(pepper, Requirement.SIGNS)
    if now.state is RowState.SENT:
        assert now.evidence.number == 2
    else:
        assert now.decision.evidence_number == now.evidence.number == 1


def test_one_code_claimed_and_one_fee_asked_by_two_pages_at_once(dangerous, registrations, gateways, database):
    rex = registrations.licensed("Rex", email="gavin@example.com")
    code = dangerous.designated(None).code
    clock, city, web = gateways.clock, gateways.city, gateways.engine
    mine = {"animal_id": rex.animal_id, "person_id": rex.person_id, "clock": clock}
    at_once(*[(web, lambda session: claim_designation(session, code=code, **mine).id)] * 4)
    assert database.value("SELECT count(*) FROM animal_control.dangerous_registration") == 1
    at_once(*[(web, lambda session: order_year(session, city=city, **mine).id)] * 4)
    assert database.value("SELECT count(*) FROM animal_control.fee_order_line WHERE kind = 'dangerous_dog'") == 1


def test_one_certificate_and_one_next_year_of_two_who_press_at_once(dangerous, pepper, gateways, database, clock):
    dangerous.settle(pepper)
    year = dangerous.seen(pepper).year
    city = gateways.city
    issue = {"registration_id": year.id, "version": year.version, "officer": OFFICER, "city": city, "clock": clock}
    found = at_once(*[(dangerous.desk, lambda session: certify(session, **issue).id)] * 2)
    assert sorted(found, key=str) == sorted([year.id, ChangedMeanwhile], key=str)
    clock.move_to(clock.at.replace(year=2027, month=11, day=1))
    mine = {"animal_id": pepper.animal_id, "person_id": pepper.person_id, "city": city, "clock": clock}
    found = at_once(*[(gateways.engine, lambda session: renew_year(session, **mine).id)] * 4)
    assert len(set(found)) == 1
    assert database.value("SELECT count(*) FROM animal_control.dangerous_registration") == 2
