"""Tell the feed what happened, in the same commit as the thing itself."""

from typing import Any
from uuid import UUID

from sqlalchemy import insert
from sqlalchemy.orm import Session

from portal.schema.events import Event

SYSTEM = "system"
PROCESSOR = "processor"
TRAPPED = "the spam trap was filled in"


def keeper(person_id: UUID | None) -> str:
    """The actor when a keeper acts: their key, never a name."""
    return f"keeper:{person_id}" if person_id else "keeper"


def record_event(session: Session, kind: str, subject: Any, *, actor: str, **detail: Any) -> None:
    """Add an event about the row `subject`; it must have its key by now."""
    record_event_about(session, kind, subject.__tablename__, subject.id, actor=actor, **detail)


def record_event_about(session: Session, what: str, table: str, key: UUID, /, *, actor: str, **detail: Any) -> None:
    """Add an event about a row that the writer may not read. Of an event nothing is read back either (13.82)."""
    event = {"kind": what, "subject_table": table, "subject_id": key, "actor": actor, "detail": detail}
    session.connection().execute(insert(Event).inline(), event)
