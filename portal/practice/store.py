"""The practice processor's memory: one SQLite file that outlives a killed process.

A payment and the events that tell of it are written in one transaction, so neither exists without the other.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

Json = dict[str, Any]

NEVER_FAULTY = ("payment_intent.", "refund.created")  # sent as Stripe does, and of no interest to the portal

TABLES = """
CREATE TABLE IF NOT EXISTS payment (
    session_id TEXT PRIMARY KEY,
    intent_id TEXT NOT NULL UNIQUE,
    charge_id TEXT NOT NULL UNIQUE,
    created INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    params TEXT NOT NULL,               -- the form that opened it, as JSON
    lines TEXT NOT NULL,                -- [{name, amount_cents}]
    amount_cents INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'open',
    payment_status TEXT NOT NULL DEFAULT 'unpaid',
    settles_at INTEGER,                    -- a bank debit under way
    refunded_cents INTEGER NOT NULL DEFAULT 0,
    dispute_status TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS answer (     -- what an idempotency key was answered with
    key TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS event (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES payment,
    type TEXT NOT NULL,
    created INTEGER NOT NULL,
    body TEXT NOT NULL,
    copies_left INTEGER NOT NULL DEFAULT 1,
    tries INTEGER NOT NULL DEFAULT 0,
    next_try_at REAL NOT NULL DEFAULT 0,
    waits_for_a_later_one INTEGER NOT NULL DEFAULT 0,
    last_answer TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS fault (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    seconds REAL NOT NULL
) STRICT;
"""


@dataclass(frozen=True)
class Store:
    """Opens a connection for each transaction, so any thread may use it."""

    path: Path

    def create(self) -> None:
        """The tables, if they are not there yet."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connect()) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(TABLES)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All of the block or none of it; one writer at a time."""
        with closing(self._connect()) as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        db.row_factory = sqlite3.Row
        return db


def new_id(prefix: str) -> str:
    """An id in the processor's manner, told apart from a real one at a glance."""
    return f"{prefix}_practice_{uuid4().hex}"


def payment(db: sqlite3.Connection, reference: str) -> sqlite3.Row | None:
    """A payment by the id of its session, its intent or its charge."""
    row: sqlite3.Row | None = db.execute(
        "SELECT * FROM payment WHERE ? IN (session_id, intent_id, charge_id)", (reference,)
    ).fetchone()
    return row


def add_event(db: sqlite3.Connection, *, session_id: str, kind: str, content: Json, now: int) -> None:
    """Something happened that the portal is to hear of."""
    event = {
        "id": new_id("evt"),
        "object": "event",
        "api_version": "practice",
        "created": now,
        "livemode": False,
        "pending_webhooks": 1,
        "request": {"id": None, "idempotency_key": None},
        "type": kind,
        "data": {"object": content},
    }
    is_faulty = not kind.startswith(NEVER_FAULTY)
    duplicate = is_faulty and take_fault(db, "duplicate_event")
    overtaken = is_faulty and take_fault(db, "late_event")
    db.execute(
        "INSERT INTO event (id, session_id, type, created, body, copies_left, waits_for_a_later_one)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (event["id"], session_id, kind, event["created"], json.dumps(event), 2 if duplicate else 1, bool(overtaken)),
    )


def take_fault(db: sqlite3.Connection, kind: str) -> sqlite3.Row | None:
    """The oldest fault of this kind that was asked for; each happens once."""
    row: sqlite3.Row | None = db.execute(
        "DELETE FROM fault WHERE number = (SELECT min(number) FROM fault WHERE kind = ?) RETURNING *", (kind,)
    ).fetchone()
    return row
