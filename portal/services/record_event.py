"""Tell the feed what happened, in the same commit as the thing itself."""

from typing import Any
from uuid import UUID

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
    session.add(
        Event(kind=kind, subject_table=subject.__tablename__, subject_id=subject.id, actor=actor, detail=detail)
    )
