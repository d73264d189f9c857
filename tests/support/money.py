"""Money that came by card: as it was asked, or another amount."""

from contextlib import contextmanager

import pytest
from sqlalchemy.orm import Session

from portal.gateways.payments.processor import EventKind, ProcessorEvent, ProcessorUnavailable
from portal.services.payments.receive_event import receive_event

OPEN = """
    SELECT kind || ', ' || amount_cents FROM animal_control.payment_question
    WHERE settled_at IS NULL ORDER BY created_at, kind
"""


def at_card(card_page):
    """How much the processor gave back."""
    with card_page.office.store.transaction() as db:
        return db.execute("SELECT refunded_cents FROM payment").fetchone()[0]


@pytest.fixture
def paid(resident, registrations, card_page, app):
    """Pat pays $10.00 for Pepper by card; the address of the processor's page."""
    dog = registrations.dog()
    resident.visit(f"/pay/{dog.order_id}").submit(status=303)
    page = resident.location
    card_page.pay(page)
    card_page.deliver(app)
    return page


@pytest.fixture
def another_amount(registrations, resident, card_page, database, gateways):
    """Pat is asked for $10.00, and the processor says that $8.00 came."""
    dog = registrations.dog()
    resident.visit(f"/pay/{dog.order_id}").submit(status=303)
    payment_id = database.value("SELECT id FROM animal_control.payment")

    def comes(cents=800, currency="usd"):
        event = ProcessorEvent(
            id="evt_other",
            kind=EventKind.PAID,
            occurred_at=gateways.clock.now(),
            payment_id=payment_id,
            checkout_reference=None,
            charge_reference="pi_unknown",
            amount_cents=cents,
            currency=currency,
            refunded_cents=None,
            detail=None,
        )
        with Session(gateways.engine) as session, session.begin():
            receive_event(session, event, clock=gateways.clock)
        return dog

    return comes


@pytest.fixture
def four_dollars_failed(clerk, paid, card_page, app, database):
    """Pat was to have $4.00 of the $10.00 back, and the bank did not take it; the processor's page."""
    payment = database.value("SELECT id FROM animal_control.payment")
    clerk.visit(f"/desk/payments/{payment}/give-back").submit(amount="4", why="Wrong fee")
    card_page.deed(paid, "fail_refunds")
    card_page.deliver(app)
    return paid


@pytest.fixture
def still_asked(database):
    """The questions that wait: their kinds and their cents."""

    def still_asked():
        return [next(iter(row.values())) for row in database.rows(OPEN)]

    return still_asked


@pytest.fixture
def answer_is_lost(card_page, monkeypatch):
    """As long as the block lasts the processor gives money back, and its answer never arrives."""
    processor = type(card_page.processor)
    real = processor.refund

    def lost(self, **asked):
        real(self, **asked)
        raise ProcessorUnavailable("no answer")

    @contextmanager
    def answer_is_lost():
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(processor, "refund", lost)
            yield

    return answer_is_lost
