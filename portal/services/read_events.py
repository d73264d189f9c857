"""Following the feed: everything that happened, each event once, whatever is being written meanwhile.

An event is read once no transaction that began before its own is still under way, and events are read in the order of
their transactions. So whatever is read later comes later in the order too, and a reader who remembers the last event
read has read all before it. The order of `id` alone would not do: a number is taken when an event is written, and the
transaction with the higher number may commit first.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BigInteger, Row, Text, cast, func, select, tuple_
from sqlalchemy.orm import Session

from portal.schema.events import Event

CHANNEL = "animal_control_event"
BEGINNING = 0
AT_A_TIME = 500
PLACE = tuple_(Event.transaction_id, Event.id)
SNAPSHOT = func.pg_current_snapshot()


class UnknownCursor(Exception):
    """No event has this number: the cursor belongs to another database, or to a later state of this one."""


class RestoredFeed(Exception):
    """The database was restored from a dump, and nobody has migrated it since: the order of its events is not known."""


def events_after(session: Session, cursor: int, *, limit: int = AT_A_TIME) -> Sequence[Row[Any]]:
    """The next events after the one whose `id` is `cursor`, in the one order in which they are ever read."""
    found = select(
        Event.id, Event.kind, Event.subject_table, Event.subject_id, Event.actor, Event.detail, Event.happened_at
    ).where(Event.transaction_id < _number(func.pg_snapshot_xmin(SNAPSHOT)))
    if cursor != BEGINNING:
        its_transaction = select(Event.transaction_id).where(Event.id == cursor).scalar_subquery()
        found = found.where(tuple_(its_transaction, cursor) < PLACE)
    return session.execute(found.order_by(Event.transaction_id, Event.id).limit(limit)).all()


def newest(session: Session) -> int:
    """The cursor of a reader who wants only what happens from now on."""
    settled = Event.transaction_id < _number(func.pg_snapshot_xmin(SNAPSHOT))
    last = select(Event.id).where(settled).order_by(Event.transaction_id.desc(), Event.id.desc()).limit(1)
    return session.scalar(last) or BEGINNING


def check_cursor(session: Session, cursor: int) -> None:
    """Whether a reader may go on from `cursor` in this database. Otherwise events would be missed, and nobody told."""
    if session.scalar(select(func.max(Event.transaction_id) >= _number(func.pg_snapshot_xmax(SNAPSHOT)))):
        raise RestoredFeed("This database was restored from a dump: run `portal migrate` once, then follow again.")
    if cursor != BEGINNING and session.get(Event, cursor) is None:
        raise UnknownCursor(
            f"There is no event {cursor} here. If the database was restored from an older state, look at what your "
            "software wrote since, then follow again from an event that is there."
        )


def _number(transaction: Any) -> Any:
    return cast(cast(transaction, Text), BigInteger)
