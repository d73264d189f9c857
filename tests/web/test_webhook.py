"""The processor's webhook over real HTTP: what is believed, what is stored, what is sent again (case P2)."""

import hashlib
import hmac
import json
import time
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
import requests
from sqlalchemy import delete, insert, select, text
from sqlalchemy.orm import Session

from portal.schema.orders import Payment
from portal.schema.outbox import ReceivedEvent
from portal.services.payments.receive_event import events_waiting, try_again
from tests.support.owing import committed, license_numbers, owe, payment_states
from tests.support.paying import SECRET, open_till
from tests.support.practice import wait_for

# Ends the connection of whoever waits for a lock, as when the database goes away.
CUT_OFF = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE wait_event_type = 'Lock' AND datname = current_database()
"""


@pytest.fixture
def till(cluster, tmp_path):
    with open_till(cluster.fresh_database(), tmp_path, webhooks=False) as till:
        yield till


def event(kind="checkout.session.completed", **changes):
    """An event as the processor writes it."""
    session = {
        "id": "cs_1",
        "object": "checkout.session",
        "client_reference_id": str(uuid4()),
        "payment_intent": "pi_1",
        "payment_status": "paid",
        "amount_total": 1000,
        "currency": "usd",
        **changes,
    }
    told = {"id": f"evt_{uuid4().hex}", "created": int(time.time()), "type": kind, "data": {"object": session}}
    return json.dumps({"object": "event", **told})


def signature(body, *, at, secret=SECRET):
    digest = hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


def stored(till):
    with Session(till.engine) as session:
        return session.scalars(select(ReceivedEvent)).all()


def cut_off(engine):
    with committed(engine) as session:
        return session.scalar(text(CUT_OFF))


def test_a_signed_event_needs_no_form_token(till):
    assert till.deliver(event()).status_code == 200
    assert len(stored(till)) == 1


@pytest.mark.parametrize(
    "sign",
    [
        pytest.param(lambda body: "", id="none"),
        pytest.param(lambda body: "t=1,v1=deadbeef", id="made up"),
        pytest.param(lambda body: "é", id="not ASCII"),
        pytest.param(lambda body: signature(body, at=int(time.time()), secret="whsec_other"), id="of another secret"),
        pytest.param(lambda body: signature(body, at=int(time.time()) - 600), id="a replay ten minutes later"),
        pytest.param(lambda body: signature(body, at=int(time.time()) + 600), id="ten minutes ahead"),
        pytest.param(lambda body: signature(body + " ", at=int(time.time())), id="of another body"),
    ],
)
def test_an_event_that_is_not_signed_for_us_just_now_is_refused(till, caplog, sign):
    body = event()
    signed = sign(body).encode().decode("latin-1")
    answer = till.deliver(body, signature=signed)
    assert (answer.status_code, answer.text) == (400, "bad signature")
    assert stored(till) == []
    assert body not in caplog.text


def test_an_event_about_something_else_is_taken_and_forgotten(till):
    assert till.deliver(event("customer.created")).status_code == 200
    assert till.deliver(event(client_reference_id="order 7 of the other shop")).status_code == 200
    assert stored(till) == []


def test_an_event_before_its_row_is_stored_and_acted_on_later(till):
    """P2: the payment's row is not committed when the event comes."""
    owed = owe(till.engine, clock=till.clock, accepted=True)
    payer = till.payer(owed)
    payer.act(payer.go_to_card_page(owed), "card")
    with committed(till.owner) as session:
        row = dict(session.execute(delete(Payment).returning(*Payment.__table__.columns)).mappings().one())
    assert till.deliver(till.last_event()).status_code == 200
    assert [received.handled_at for received in stored(till)] == [None]
    with committed(till.engine) as session:
        session.execute(insert(Payment).values(row))
    with committed(till.engine) as session:
        for event_id in events_waiting(session):
            try_again(session, event_id, clock=till.clock)
    assert payment_states(till.engine, owed.order_id) == ["paid"]
    assert license_numbers(till.engine, owed) == [1]


def test_while_the_database_is_away_the_event_is_to_be_sent_again(till):
    body = event()
    with ThreadPoolExecutor(1) as pool, committed(till.owner) as session:
        session.execute(text("LOCK TABLE portal.processor_event IN ACCESS EXCLUSIVE MODE"))
        answer = pool.submit(till.deliver, body)
        wait_for(lambda: cut_off(till.owner))
        assert answer.result().status_code == 503
    assert till.deliver(body).status_code == 200
    assert len(stored(till)) == 1


def test_an_event_larger_than_any_is_refused_before_it_is_read(till, caplog):
    answer = till.deliver(event(note="x" * 1_000_001))
    assert (answer.status_code, answer.text) == (413, "too large")
    assert stored(till) == []


def test_only_a_post_is_answered(till):
    assert requests.get(f"{till.url}/stripe/webhook", timeout=60).status_code == 405


def test_a_different_amount_is_not_taken_for_the_fee(till):
    owed = owe(till.engine, clock=till.clock, accepted=True)
    payer = till.payer(owed)
    payer.act(payer.go_to_card_page(owed), "card")
    told = json.loads(till.last_event())
    told["data"]["object"]["amount_total"] = 1
    assert till.deliver(json.dumps(told)).status_code == 200
    page = payer.visit(till.path(owed.order_id))
    assert (page.heading, page.buttons) == ("We are looking at your payment", [])
    assert payment_states(till.engine, owed.order_id) == ["mismatch"]
    assert license_numbers(till.engine, owed) == [None]
