"""What came too early, and what another program finished: acted on without anybody asking."""

from dataclasses import replace
from datetime import UTC, date, datetime
from uuid import uuid4

import pytest
from sqlalchemy.orm import Session

from portal.gateways.payments.processor import EventKind, ProcessorEvent
from portal.ordinance.rabies import Gate
from portal.services.certificates.decide_certificate import keep_certificate
from portal.services.licensing.look_again import animals_to_look_at_again
from portal.services.payments.receive_event import receive_event
from portal.worker.jobs import catch_up
from portal.worker.schedule import one_by_one
from tests.support.registrations import CERTIFICATE

RUNS_OUT = replace(CERTIFICATE, due_on=date(2026, 12, 4))
IN_QUESTION = "SELECT count(*) FROM animal_control.vaccination WHERE needs_review"
TOLD_OF_IT = "SELECT string_agg(actor, ', ') FROM animal_control.event WHERE kind = 'certificate.in_question'"
LABEL_GATES = pytest.mark.parametrize("gate", [Gate.CERTIFICATE, Gate.STRICTEST])


def never() -> bool:
    return False


def event(kind: EventKind, **about: object) -> ProcessorEvent:
    usual = {
        "id": f"evt_{uuid4().hex}",
        "kind": kind,
        "occurred_at": datetime(2026, 11, 30, tzinfo=UTC),
        "payment_id": None,
        "checkout_reference": None,
        "charge_reference": None,
        "amount_cents": 1000,
        "currency": "usd",
        "refunded_cents": None,
        "detail": None,
    }
    return ProcessorEvent(**{**usual, **about})


def receive(gateways, received):
    with Session(gateways.engine) as session, session.begin():
        return receive_event(session, received, clock=gateways.clock)


def accepted_beside(database, dog, *, due_on, is_taken_back=False):
    """A second accepted certificate of the same dog; taken back by its clinic since, where that is said."""
    database.run(
        "INSERT INTO animal_control.vaccination (animal_id, source, evidence, given_on, ordinance_until,"
        " certificate_due_on, dose, vaccine_type, needs_review, state, decided_at)"
        " VALUES (:animal_id, 'clinic', 'certificate', '2025-11-03', '2028-11-03',"
        " :due_on, 'booster', 'unknown', :is_taken_back, 'accepted', now())",
        animal_id=dog.animal_id,
        due_on=due_on,
        is_taken_back=is_taken_back,
    )


def going_by(gate, parts):
    """The worker of a city with this gate."""
    city = parts.gateways.city
    city = replace(city, policy=replace(city.policy, vaccination_gate=gate))
    return replace(parts, gateways=replace(parts.gateways, city=city))


def to_look_at_again(parts):
    with parts.transaction() as session:
        return animals_to_look_at_again(session, city=parts.gateways.city, clock=parts.gateways.clock)


def test_an_event_that_came_before_its_payment_is_acted_on_later(parts, gateways, registrations, database):
    """P2: a webhook for a page whose row is not there yet."""
    dog = registrations.dog()
    assert receive(gateways, event(EventKind.PAID, checkout_reference="cs_early")) is None
    catch_up(parts, never)
    assert database.value("SELECT handled_at FROM portal.processor_event") is None
    database.run(
        "INSERT INTO animal_control.payment (order_id, method, state, amount_cents, checkout_reference)"
        " VALUES (:order_id, 'card', 'pending', 1000, 'cs_early')",
        order_id=dog.order_id,
    )
    catch_up(parts, never)
    assert database.value("SELECT outcome FROM portal.processor_event") == "paid"
    assert database.value("SELECT state FROM animal_control.fee_order") == "paid"


def test_one_event_that_fails_does_not_stop_the_others(parts, gateways, registrations, database, caplog, clock):
    dog = registrations.dog()
    receive(gateways, event(EventKind.PAID, id="evt_broken", checkout_reference="cs_broken"))
    receive(gateways, event(EventKind.PAID, id="evt_good", checkout_reference="cs_good"))
    database.run(
        "UPDATE portal.processor_event SET facts = '{}', received_at = :at WHERE id = 'evt_broken'", at=clock.now()
    )
    database.run(
        "INSERT INTO animal_control.payment (order_id, method, state, amount_cents, checkout_reference)"
        " VALUES (:order_id, 'card', 'pending', 1000, 'cs_good')",
        order_id=dog.order_id,
    )
    catch_up(parts, never)
    assert database.value("SELECT outcome FROM portal.processor_event WHERE id = 'evt_good'") == "paid"
    assert "processor event failed, reference" in caplog.text


def test_a_hundred_events_about_nothing_of_ours_hold_no_other_up(parts, gateways, registrations, database):
    """Others may take payments on the same account; ours came after all of theirs."""
    dog = registrations.dog()
    receive(gateways, event(EventKind.PAID, id="evt_theirs", checkout_reference="cs_theirs"))
    receive(gateways, event(EventKind.PAID, id="evt_ours", checkout_reference="cs_ours"))
    database.run(
        "INSERT INTO portal.processor_event (id, kind, facts, received_at)"
        " SELECT id || n, kind, facts, received_at - interval '1 hour'"
        " FROM portal.processor_event, generate_series(1, 250) AS n WHERE id = 'evt_theirs'"
    )
    database.run(
        "INSERT INTO animal_control.payment (order_id, method, state, amount_cents, checkout_reference)"
        " VALUES (:order_id, 'card', 'pending', 1000, 'cs_ours')",
        order_id=dog.order_id,
    )
    catch_up(parts, never)
    assert database.value("SELECT outcome FROM portal.processor_event WHERE id = 'evt_ours'") == "paid"
    assert database.value("SELECT count(*) FROM portal.processor_event WHERE handled_at IS NULL") == 251


def test_a_worker_that_is_asked_to_stop_begins_nothing_more():
    done = []
    one_by_one("number", range(10), done.append, stopping=lambda: len(done) == 2)
    assert done == [0, 1]


def test_a_certificate_accepted_by_other_software_issues_the_paid_license(parts, registrations, database, outbox):
    """The schema is shared: another program may write the row that a license waits for."""
    paid, unpaid = registrations.dog("Pepper"), registrations.dog("Rex", email="gavin@example.com")
    registrations.pay(paid)
    database.run("UPDATE animal_control.vaccination SET state = 'accepted', decided_at = now(), decided_by = 'other'")
    catch_up(parts, never)
    catch_up(parts, never)
    issued = database.rows("SELECT id, number FROM animal_control.license WHERE state = 'issued'")
    assert [(row.id, row.number) for row in issued] == [(paid.license_id, 1)]
    assert unpaid.license_id != paid.license_id
    assert outbox.templates().count("license_issued") == 1


def test_a_license_that_is_paid_for_after_the_label_ran_out_waits_for_a_person(
    parts, registrations, database, clock, desk_engine
):
    """90.04(B)(3): the day of issue counts. Pat applied while the label ran, and brought the money a week later."""
    pepper = registrations.dog("Pepper", certificate=RUNS_OUT)
    rex = registrations.dog("Rex", email="gavin@example.com")
    for dog in (pepper, rex):
        registrations.accept(dog)
    clock.move_to(clock.at.replace(month=12, day=7))
    catch_up(parts, never)
    for dog in (pepper, rex):
        registrations.pay(dog)
    issued = "SELECT animal_id FROM animal_control.license WHERE state = 'issued'"
    assert database.value(issued) == rex.animal_id
    with Session(desk_engine) as session, session.begin():
        keep_certificate(session, vaccination_id=pepper.vaccination_id, officer="kim", clock=clock)
    assert len(database.rows(issued)) == 2
    catch_up(parts, never)
    assert database.value("SELECT bool_or(needs_review) FROM animal_control.vaccination") is False


@LABEL_GATES
def test_a_certificate_that_an_officer_kept_is_asked_about_once_and_carries_the_license(
    parts, registrations, database, clock, desk_engine, gate
):
    pepper, worker = registrations.dog("Pepper", certificate=RUNS_OUT), going_by(gate, parts)
    registrations.accept(pepper)
    clock.move_to(clock.at.replace(month=12, day=7))
    catch_up(worker, never)
    assert database.value(TOLD_OF_IT) == "system"
    with Session(desk_engine) as session, session.begin():
        keep_certificate(session, vaccination_id=pepper.vaccination_id, officer="kim", clock=clock)
    catch_up(worker, never)
    assert (database.value(IN_QUESTION), to_look_at_again(worker)) == (0, [])
    registrations.pay(pepper)
    assert database.value("SELECT state FROM animal_control.license") == "issued"
    assert database.value(TOLD_OF_IT) == "system"


@LABEL_GATES
def test_an_old_certificate_beside_a_good_one_is_not_looked_at_while_the_fee_is_unpaid(
    parts, registrations, database, clock, gate
):
    pepper, worker = registrations.dog("Pepper"), going_by(gate, parts)
    registrations.accept(pepper)
    accepted_beside(database, pepper, due_on=date(2026, 12, 4))
    clock.move_to(clock.at.replace(month=12, day=7))
    assert to_look_at_again(worker) == []
    catch_up(worker, never)
    assert (database.value(IN_QUESTION), database.value(TOLD_OF_IT)) == (0, None)


@LABEL_GATES
def test_one_that_was_kept_does_not_vouch_once_its_three_years_are_over(parts, registrations, database, clock, gate):
    """90.04(D)(1): it counts for nothing then, and the other one's label has run out since."""
    pepper, worker = registrations.dog("Pepper", certificate=RUNS_OUT), going_by(gate, parts)
    registrations.accept(pepper)
    accepted_beside(database, pepper, due_on=date(2025, 11, 3))
    database.run(
        "UPDATE animal_control.vaccination SET ordinance_until = '2026-12-06' WHERE certificate_due_on = '2025-11-03'"
    )
    clock.move_to(clock.at.replace(month=12, day=7))
    catch_up(worker, never)
    registrations.pay(pepper)
    assert database.value("SELECT state FROM animal_control.license") == "applied"
    assert (database.value(IN_QUESTION), to_look_at_again(worker)) == (1, [])


def test_a_certificate_that_its_clinic_took_back_does_not_vouch_for_one_whose_label_ran_out(
    parts, registrations, database, clock
):
    pepper = registrations.dog("Pepper", certificate=RUNS_OUT)
    registrations.accept(pepper)
    accepted_beside(database, pepper, due_on=date(2028, 11, 3), is_taken_back=True)
    clock.move_to(clock.at.replace(month=12, day=7))
    catch_up(parts, never)
    registrations.pay(pepper)
    catch_up(parts, never)
    assert database.value("SELECT state FROM animal_control.license") == "applied"
    assert (database.value(IN_QUESTION), to_look_at_again(parts)) == (2, [])


def test_a_city_that_goes_by_the_three_years_alone_asks_nobody_about_a_label(parts, registrations, database, clock):
    pepper = registrations.dog("Pepper", certificate=RUNS_OUT)
    registrations.accept(pepper)
    clock.move_to(clock.at.replace(month=12, day=7))
    catch_up(going_by(Gate.ORDINANCE, parts), never)
    registrations.pay(pepper)
    assert database.value("SELECT state FROM animal_control.license") == "issued"
