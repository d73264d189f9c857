"""The one queue of the desk: what waits, of every kind, the oldest promise first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol
from uuid import UUID

from sqlalchemy import DateTime, Select, bindparam, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.days import office_day_after
from portal.schema.staff import StaffRole

# Of one kind so many are shown, and of all together; the rest is counted.
SHOWN_OF_A_KIND = 50
SHOWN_OF_ALL = 25
# Of each kind so many are looked at first: seldom are more of them among those that are due first of all.
LOOKED_AT_FIRST = 10
# What a count may compare with.
NOW = bindparam("now", type_=DateTime(timezone=True))


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
    """The first `limit` of a kind, by `place_in_queue`: `look` takes what it is not given to go after what it is."""

    def __call__(self, session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]: ...


@dataclass(frozen=True)
class Queue:
    """A kind of thing that waits: how its oldest are found, and how many there are."""

    kind: str
    heading: str
    role: StaffRole
    find: Find
    how_many: Select[int] | None
    """Counts them; None where one line stands for all of them, and says how many."""


@dataclass(frozen=True)
class QueueFound:
    """What waits of one kind."""

    queue: Queue
    lines: tuple[Waiting, ...]
    count: int


def look(
    session: Session, queues: Sequence[Queue], *, kind: str | None = None, city: City, clock: Clock
) -> list[QueueFound]:
    """How many wait of each kind, in one statement, and what is due first of all of them, or of one `kind`.

    One statement more a kind that has any, and again one for those of which much is due.
    """
    counts = _counts(session, queues, clock=clock)
    asked = [queue for queue in queues if queue.how_many is None or (counts[queue.kind] and kind in (None, queue.kind))]
    limit = SHOWN_OF_A_KIND if kind else LOOKED_AT_FIRST
    lines = {queue.kind: queue.find(session, city=city, clock=clock, limit=limit) for queue in asked}
    for queue in asked:
        if queue.how_many is None:
            counts[queue.kind] = sum(line.stands_for for line in lines[queue.kind])
    if kind is None:
        for queue in list(_much_is_due(asked, lines, counts)):
            lines[queue.kind] = queue.find(session, city=city, clock=clock, limit=SHOWN_OF_ALL)
    return [
        QueueFound(queue, tuple(lines.get(queue.kind, ())) if kind in (None, queue.kind) else (), counts[queue.kind])
        for queue in queues
    ]


def _counts(session: Session, queues: Sequence[Queue], *, clock: Clock) -> dict[str, int]:
    asked = {queue.kind: queue.how_many for queue in queues if queue.how_many is not None}
    if not asked:
        return {}
    each = select(*(how_many.scalar_subquery() for how_many in asked.values()))
    return dict(zip(asked, session.execute(each, {NOW.key: clock.now()}).one(), strict=True))


def _much_is_due(
    asked: Sequence[Queue], lines: Mapping[str, Sequence[Waiting]], counts: Mapping[str, int]
) -> Iterator[Queue]:
    """Kinds of which there is more, and all that was looked at is among what is due first of all."""
    due_first = sorted(place_in_queue(line) for found in lines.values() for line in found)[:SHOWN_OF_ALL]
    is_short = len(due_first) < SHOWN_OF_ALL
    for queue in asked:
        found = lines[queue.kind]
        has_more = found and counts[queue.kind] > sum(line.stands_for for line in found)
        if has_more and (is_short or place_in_queue(found[-1]) <= due_first[-1]):
            yield queue


def place_in_queue(line: Waiting) -> tuple[bool, date, datetime]:
    """What goes before all, then by the day of the promise, then by how long it waits."""
    return not line.is_first, line.due_on, line.since


def in_order(found: Sequence[QueueFound]) -> list[tuple[Queue, Waiting]]:
    """Every line, what is due first first."""
    lines = [(one.queue, line) for one in found for line in one.lines]
    return sorted(lines, key=lambda pair: place_in_queue(pair[1]))


def promised(since: datetime, days: int, *, city: City) -> date:
    """The office day by which something that came then is due."""
    return office_day_after(since.astimezone(city.time_zone).date(), days, city.calendar)
