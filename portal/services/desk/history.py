"""What happened to some rows, as the feed tells it: the history of a dog, a person or an address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from portal.schema.events import Event

MOST = 200
READ = "desk.read"
# A clerk decides nothing of these and is not told of them.
FOR_OFFICERS = (
    *("animal.may_be_known", "animal.is_known", "animal.is_another"),
    "animal.declared_dangerous_elsewhere",
)
# What a reference in `actor` begins with, and who that is; an officer's address is shown itself.
ACTORS = {"keeper": "a keeper", "clinic": "a clinic", "processor": "the card processor", "system": "the portal"}


@dataclass(frozen=True)
class Entry:
    """One line: what happened to which row, when, and who did it."""

    at: datetime
    kind: str
    table: str
    subject_id: UUID
    actor: str
    detail: Mapping[str, object]

    @property
    def words(self) -> str:
        """Certificate sent back"""
        return self.kind.replace(".", " ").replace("_", " ").capitalize()

    @property
    def who(self) -> str:
        role, _, name = self.actor.partition(":")
        return name if role == "officer" and name else ACTORS.get(role, self.actor)


def history_of(session: Session, rows: Mapping[str, Sequence[UUID]], *, for_officer: bool) -> tuple[Entry, ...]:
    """The latest of what happened to these rows, by table, the newest first. Only tables that the reader may see.

    That somebody read what was reported of an address tells that there is something to read: it stands elsewhere.
    """
    about = [and_(Event.subject_table == table, Event.subject_id.in_(keys)) for table, keys in rows.items() if keys]
    if not about:
        return ()
    wanted = (
        select(Event.happened_at, Event.kind, Event.subject_table, Event.subject_id, Event.actor, Event.detail)
        .where(or_(*about), Event.kind.not_in((READ,) if for_officer else (READ, *FOR_OFFICERS)))
        .order_by(Event.id.desc())
        .limit(MOST)
    )
    return tuple(Entry(*row) for row in session.execute(wanted))
