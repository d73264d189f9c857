"""0029 says how money went back by what was known of it: when it was settled, and what left the till."""

from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, pool, text

from portal.schema import migrate
from tests.support.cluster import Cluster

OWED = """
    WITH payer AS (INSERT INTO animal_control.person (kind, name) VALUES ('person', 'Pat') RETURNING id),
    owed AS (
        INSERT INTO animal_control.fee_order (reference, person_id, total_cents) SELECT 'AAAA', id, 1000 FROM payer
        RETURNING id
    )
    INSERT INTO animal_control.payment (order_id, method, state, amount_cents, refunded_cents, charge_reference)
    SELECT id, 'card', 'refunded', 1000, 1000, 'pi_1' FROM owed
"""
SETTLED = """
    INSERT INTO animal_control.payment_question
        (key, kind, payment_id, amount_cents, told, outcome, reason, decided_by, decided_at, settled_at)
    SELECT :key, :kind, id, 400, 'Told', :outcome, 'Why', :by, :at, CAST(:at AS timestamptz) + CAST(:later AS interval)
    FROM animal_control.payment
"""
HANDED = """
    INSERT INTO animal_control.counter_refund (payment_id, amount_cents, ledger_code, given_by, why, given_at)
    SELECT id, 400, '101', 'Sam', 'Why', CAST(:at AS timestamptz) + interval '3 milliseconds'
    FROM animal_control.payment
"""
NOON, ONE = "2026-11-30 18:00+00", "2026-11-30 19:00+00"
USUAL = {"kind": "refund_failed", "outcome": "given_back", "by": "Sam", "at": ONE, "later": "0 seconds"}
QUESTIONS = (
    ("settled by the processor's word, a moment later", {"later": "1 microsecond"}, "card"),
    ("asked of the processor, who has not answered", {"later": None}, "card"),
    ("settled at once, when money left the till", {"at": NOON}, "counter"),
    ("settled at once, and the till is as it was", {}, "other"),
    ("given back in the dashboard", {"kind": "refunded_there"}, "card"),
    ("told by the processor of its own accord", {"by": "processor"}, "card"),
    ("kept", {"outcome": "kept"}, None),
)


@pytest.fixture
def before(cluster: Cluster) -> Iterator[str]:
    url = cluster.empty_database()
    migrate.upgrade(url, "0028")
    yield url
    cluster.drop(url)


def test_what_went_back_before_is_told_by_when_it_was_settled(before):
    engine = create_engine(before, poolclass=pool.NullPool)
    with engine.begin() as db:
        db.execute(text(OWED))
        db.execute(text(HANDED), {"at": NOON})
        for key, question, _ in QUESTIONS:
            db.execute(text(SETTLED), USUAL | question | {"key": key})
    migrate.upgrade(before, "0029")
    with engine.connect() as db:
        found = db.execute(text("SELECT key, refund_method FROM animal_control.payment_question"))
        assert {row.key: row.refund_method for row in found} == {key: method for key, _, method in QUESTIONS}


def test_what_was_given_back_beyond_what_was_paid_is_known_afterwards(before):
    engine = create_engine(before, poolclass=pool.NullPool)
    about = USUAL | {"kind": "refunded_there"}
    with engine.begin() as db:
        db.execute(text(OWED))
        payment = db.scalar(text("SELECT id FROM animal_control.payment"))
        db.execute(text(SETTLED), about | {"key": f"refunded_there:{payment}:1000"})
        db.execute(text(SETTLED), about | {"key": "refunded_there:evt_1"})
    migrate.upgrade(before, "0029")
    with engine.connect() as db:
        assert db.scalar(text("SELECT refunded_over_cents FROM animal_control.payment")) == 400
