"""The one queue of the desk: what waits, of every kind, the oldest promise first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol
from uuid import UUID

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.days import office_day_after
from portal.schema.staff import StaffRole

# Of each kind so many at most are looked at to find what is due first; the rest is counted.
SHOWN_OF_A_KIND = 50


@dataclass(frozen=True)
class Waiting:
    """One line: what it is, who it is about, since when it waits and by when somebody was promised an answer."""

    item_id: UUID | None
    what: str
    detail: str
    since: datetime
    due_on: date
    mark: str = ""
    is_first: bool = False
    """Goes before everything else, whatever was promised: a bite."""
    stands_for: int = 1
    """How many this line stands for, where many are done at once: tags to mail. It has no `item_id` then."""


class Find(Protocol):
    """The oldest `limit` of a kind."""

    def __call__(self, session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]: ...


@dataclass(frozen=True)
class Queue:
    """A kind of thing that waits: how its oldest are found, and how many there are when that is more than a page."""

    kind: str
    heading: str
    role: StaffRole
    find: Find
    count: Callable[[Session], int]


@dataclass(frozen=True)
class QueueFound:
    """What waits of one kind."""

    queue: Queue
    lines: tuple[Waiting, ...]
    count: int


def look(session: Session, queues: Sequence[Queue], *, city: City, clock: Clock) -> list[QueueFound]:
    """What waits of each kind. One statement a kind, and one more where there is more than a page of it."""
    found = []
    for queue in queues:
        lines = tuple(queue.find(session, city=city, clock=clock, limit=SHOWN_OF_A_KIND + 1))
        is_all = len(lines) <= SHOWN_OF_A_KIND
        count = sum(line.stands_for for line in lines) if is_all else queue.count(session)
        found.append(QueueFound(queue, lines[:SHOWN_OF_A_KIND], count))
    return found


def in_order(found: Sequence[QueueFound]) -> list[tuple[Queue, Waiting]]:
    """Every line: what goes before all, then by the day of the promise, then by how long it waits."""
    lines = [(one.queue, line) for one in found for line in one.lines]
    return sorted(lines, key=lambda pair: (not pair[1].is_first, pair[1].due_on, pair[1].since))


def promised(since: datetime, days: int, *, city: City) -> date:
    """The office day by which something that came then is due."""
    return office_day_after(since.astimezone(city.time_zone).date(), days, city.calendar)
