"""A wish for a new tag is changed while the fee for it is settled: one waits for the other, and both come to their end.

Both want the order and what it is for. If each began at its own end, each would wait for the other, until the database
turns one of them away.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from portal.gateways.payments.processor import EventKind
from portal.schema.licenses import Delivery
from portal.schema.orders import Order
from portal.schema.tag_requests import TagLoss
from portal.services.licensing.duplicate_tag import (
    NOT_OUT_YET,
    TagAsked,
    request_duplicate_at_counter,
    request_duplicate_tag,
)
from portal.services.orders.standing import lock_order
from portal.services.payments.receive_event import receive_event
from portal.services.refusal import Refused
from tests.services.payments.till import Desk
from tests.support.owing import Owed, committed
from tests.support.registrations import OFFICER

WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
TAGS = "SELECT issue, state, delivery FROM animal_control.tag ORDER BY issue"


@pytest.fixture
def pat(registrations, database):
    """Pat of Pepper, whose tag has gone out."""
    pepper = registrations.licensed("Pepper")
    database.run("UPDATE animal_control.tag SET state = 'sent', sent_at = now()")
    return pepper


@pytest.fixture
def says(pat, gateways):
    """Pat says in a transaction what became of the tag and how the new one comes: on the phone or at the counter."""

    def says(session, where, loss, delivery):
        asked = TagAsked(animal_id=pat.animal_id, loss=loss, told=None, delivery=delivery)
        who = {"person_id": pat.person_id, "city": gateways.city, "clock": gateways.clock}
        if where == "on the phone":
            return request_duplicate_tag(session, asked, **who)
        return request_duplicate_at_counter(session, asked, key=uuid4(), officer=OFFICER, **who)

    return says


@pytest.fixture
def paid(pat, says, gateways, desk_engine):
    """What the processor tells: Pat had asked for a tag by mail, and has paid for it by card."""
    with committed(gateways.engine) as session:
        order = says(session, "on the phone", TagLoss.LOST, Delivery.MAIL)
    till = Desk(gateways.engine, gateways.clock, desk_engine)
    attempt = till.begin(Owed(pat.person_id, pat.account_id, pat.email, order.id, (), ()))
    return till.event(EventKind.PAID, attempt.payment_id, amount_cents=500)


@pytest.fixture
def engine_of(gateways, desk_engine):
    return {"on the phone": gateways.engine, "at the counter": desk_engine}


@pytest.fixture
def somebody_waits(database):
    """Go on once one of the two waits for the other."""

    def somebody_waits():
        until = time.monotonic() + 60
        while not database.value(WAITS):
            assert time.monotonic() < until, "nobody waits for anything"
            time.sleep(0.01)

    return somebody_waits


@pytest.mark.parametrize("where", ["at the counter", "on the phone"])
def test_who_says_it_otherwise_while_the_payment_is_settled_is_told_that_the_new_tag_has_not_gone_out_yet(
    pat, says, paid, engine_of, somebody_waits, gateways, database, where
):
    def otherwise():
        with committed(engine_of[where]) as session:
            says(session, where, TagLoss.DESTROYED, Delivery.PICK_UP)

    [order] = [one for one in database.all(Order) if one.total_cents == 500]
    with ThreadPoolExecutor(1) as other, committed(gateways.engine) as session:
        lock_order(session, person_id=pat.person_id, order_id=order.id)  # with which settling it begins
        change = other.submit(otherwise)
        somebody_waits()
        assert receive_event(session, paid, clock=gateways.clock) == "paid"
    with pytest.raises(Refused, match=NOT_OUT_YET):
        change.result(60)
    assert [tuple(row.values()) for row in database.rows(TAGS)] == [(1, "lost", "mail"), (2, "to_send", "mail")]


@pytest.mark.parametrize("where", ["at the counter", "on the phone"])
def test_a_payment_that_is_settled_while_it_is_said_otherwise_brings_the_tag_as_was_said_last(
    says, paid, engine_of, somebody_waits, gateways, database, where
):
    def settle():
        with committed(gateways.engine) as session:
            return receive_event(session, paid, clock=gateways.clock)

    with ThreadPoolExecutor(1) as other, committed(engine_of[where]) as session:
        says(session, where, TagLoss.DESTROYED, Delivery.PICK_UP)
        settled = other.submit(settle)
        somebody_waits()
    assert settled.result(60) == "paid"
    assert [tuple(row.values()) for row in database.rows(TAGS)] == [(1, "destroyed", "mail"), (2, "to_send", "pick_up")]
