"""Two people on one item: each decision carries the version that was seen, and the second of two is stopped.

The version of a row is PostgreSQL's own (`xmin`, the transaction that last wrote it), so it changes whoever writes:
a colleague, the worker, or other software of the city.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, String, cast, literal_column, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.events import Event
from portal.schema.staff import DeskOpening, Staff
from portal.services.refusal import ChangedMeanwhile, NotTheirs

# Whoever opened something longer ago has gone to lunch.
STILL_OPEN = timedelta(minutes=15)


@dataclass(frozen=True)
class Opening:
    """A colleague who has it open."""

    email: str
    opened_at: datetime


@dataclass(frozen=True)
class Happened:
    """The last thing the feed tells of a row."""

    kind: str
    actor: str
    at: datetime

    @property
    def words(self) -> str:
        """Certificate sent back"""
        return self.kind.replace(".", " ").replace("_", " ").capitalize()

    @property
    def who(self) -> str:
        """The officer’s address, or what acted."""
        return self.actor.removeprefix("officer:")


def version_of(session: Session, model: Any, key: UUID, *, rows: ColumnElement[bool] | None = None) -> str:
    """The version of a row, or of all `rows` that are decided with it; raises NotTheirs when there is none."""
    return _joined(session.scalars(_versions(model, key, rows)).all(), model)


def expect_version(
    session: Session, model: Any, key: UUID, seen: str, *, rows: ColumnElement[bool] | None = None
) -> None:
    """Lock the row, and raise ChangedMeanwhile unless it is as it was seen. Call before anything is decided."""
    found = session.scalars(_versions(model, key, rows).with_for_update()).all()
    if _joined(found, model) != seen:
        raise ChangedMeanwhile(model.__tablename__)


def last_happened(session: Session, table: str, key: UUID) -> Happened | None:
    """What became of it, for whoever came second."""
    wanted = (
        select(Event.kind, Event.actor, Event.happened_at)
        .where(Event.subject_table == table, Event.subject_id == key)
        .order_by(Event.id.desc())
        .limit(1)
    )
    found = session.execute(wanted).first()
    return Happened(found.kind, found.actor, found.happened_at) if found else None


def note_opening(session: Session, *, kind: str, item_id: UUID, staff_id: UUID, clock: Clock) -> None:
    """Note that somebody opened an item."""
    now = clock.now()
    note = insert(DeskOpening).values(kind=kind, item_id=item_id, staff_id=staff_id, opened_at=now)
    item = [DeskOpening.kind, DeskOpening.item_id, DeskOpening.staff_id]
    session.execute(note.on_conflict_do_update(index_elements=item, set_={"opened_at": now}))


def also_open(session: Session, *, kind: str, item_id: UUID, staff_id: UUID, clock: Clock) -> tuple[Opening, ...]:
    """The colleagues who have it open, the latest first."""
    others = (
        select(Staff.email, DeskOpening.opened_at)
        .join(Staff, Staff.id == DeskOpening.staff_id)
        .where(
            DeskOpening.kind == kind,
            DeskOpening.item_id == item_id,
            DeskOpening.staff_id != staff_id,
            DeskOpening.opened_at > clock.now() - STILL_OPEN,
        )
        .order_by(DeskOpening.opened_at.desc())
    )
    return tuple(Opening(email, opened_at) for email, opened_at in session.execute(others))


def note_closing(session: Session, *, kind: str, item_id: UUID, staff_id: UUID) -> None:
    """They are done with it."""
    mine = select(DeskOpening).where(
        DeskOpening.kind == kind, DeskOpening.item_id == item_id, DeskOpening.staff_id == staff_id
    )
    for opening in session.scalars(mine):
        opening.opened_at = opening.opened_at - STILL_OPEN


def _versions(model: Any, key: UUID, rows: ColumnElement[bool] | None) -> Select[str]:
    version = cast(literal_column(f"{model.__table__.fullname}.xmin"), String)
    return select(version).where(model.id == key if rows is None else rows).order_by(model.id)


def _joined(found: Sequence[Any], model: Any) -> str:
    if not found:
        raise NotTheirs(f"There is no such {model.__tablename__}")
    return ",".join(map(str, found))
