"""Remind people, a page of them at a time: one letter a person, a day and a kind, about everything that is due.
Where texts are wanted, a phone gets one a day.

Each kind of reminder says what it looks for (`Sort`); the law says which step is due. The row in `portal.reminder` is
the guard: who writes it first sends the letter, in the same transaction, so any number of workers may do this at once
and each may be killed at any moment.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Date, Row, Select, Text, Uuid, and_, any_, case, cast, exists, func, select, text
from sqlalchemy.orm import InstrumentedAttribute, Session
from sqlalchemy.sql.elements import ColumnElement

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.reminders import step_due
from portal.schema.accounts import Account
from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.outbox import Channel, OutgoingMessage
from portal.schema.reminders import Reminder, ReminderChoice, ReminderKind
from portal.services.messages.dead_mailboxes import is_answering
from portal.services.messages.queue_message import REMINDER_TEXT, QueuedMessage, queue_messages
from portal.services.messages.reminder_choices import TEXTS_WANTED
from portal.services.reminders.signed_links import Purpose, signed

CLAIM = text(
    """
    INSERT INTO portal.reminder (account_id, kind, subject_id, due_on, step_days, created_at)
    SELECT account_id, :kind, subject_id, due_on, step_days, :at
    FROM unnest(
        CAST(:accounts AS uuid[]), CAST(:subjects AS uuid[]), CAST(:due_on AS date[]), CAST(:steps AS integer[])
    ) AS due (account_id, subject_id, due_on, step_days)
    ON CONFLICT DO NOTHING RETURNING account_id, subject_id
    """
)
# Always in one order, and after the rows above are claimed: two workers never wait for each other.
LOCK_PHONES = text(
    """
    SELECT pg_advisory_xact_lock(key)
    FROM (SELECT DISTINCT hashtextextended(phone, 0) AS key FROM unnest(CAST(:phones AS text[])) AS phone) AS keys
    ORDER BY key
    """
)


@dataclass(frozen=True)
class Asking:
    """For which city, when, and where a thing can be looked at closely."""

    city: City
    clock: Clock
    session: Session

    @property
    def today(self) -> date:
        return self.clock.today()

    def civil(self, instant: datetime) -> date:
        """The city's day of an instant."""
        return instant.astimezone(self.city.time_zone).date()

    def civil_column(self, instant: InstrumentedAttribute[datetime]) -> ColumnElement[date]:
        """The same, worked out by the database."""
        return cast(func.timezone(self.city.time_zone.key, instant), Date)

    def beginning_of(self, day: date) -> datetime:
        """Its first instant."""
        return datetime(day.year, day.month, day.day, tzinfo=self.city.time_zone)


@dataclass(frozen=True)
class Thing:
    """One thing that somebody could be reminded of: the day it leads up to, since when there is it, what to tell."""

    due_on: date | None
    since: date | None
    told: dict[str, Any]


@dataclass(frozen=True)
class Sort:
    """One kind of reminder.

    `find` selects everything that may be due, begun with `reminders_of` or `reminders_of_pets`; None when nothing can
    be. `read` makes a thing of a row. `letter` is what the letter says about a person's things, given how to write a
    path of ours that opens after the mailbox was proved.
    """

    kind: ReminderKind
    steps: Callable[[City], tuple[int, ...]]
    find: Callable[[Asking, tuple[int, ...]], Select[Any] | None]
    read: Callable[[Row[Any], Asking], Thing]
    letter: Callable[[list[dict[str, Any]], Callable[[str], str]], dict[str, Any]]

    @property
    def template(self) -> str:
        return f"reminder_{self.kind.value}"


@dataclass(frozen=True)
class Due:
    """A thing at a step, and whom to tell."""

    row: Row[Any]
    thing: Thing
    step: int


def reminders_of(
    kind: ReminderKind, subject: InstrumentedAttribute[UUID], *more: Any, due_on: ColumnElement[date] | None = None
) -> Select[Any]:
    """Accounts that want reminders, each with a subject and the last step that was sent of it.

    `due_on` is for subjects whose day can move: steps sent of another day don't count.
    """
    sent = select(func.min(Reminder.step_days)).where(
        Reminder.account_id == Account.id, Reminder.kind == kind, Reminder.subject_id == subject
    )
    if due_on is not None:
        sent = sent.where(Reminder.due_on == due_on)
    return (
        select(
            Account.id.label("account_id"),
            Account.email,
            case((TEXTS_WANTED, ReminderChoice.sms_phone)).label("phone"),
            subject.label("subject_id"),
            sent.scalar_subquery().label("sent"),
            *more,
        )
        .outerjoin(ReminderChoice, ReminderChoice.account_id == Account.id)
        .where(Account.closed_at.is_(None), ReminderChoice.stopped_at.is_(None), is_answering())
        .order_by(Account.id)
    )


def reminders_of_pets(
    kind: ReminderKind, subject: InstrumentedAttribute[UUID], *more: Any, due_on: ColumnElement[date] | None = None
) -> Select[Any]:
    """The same of animals that are kept, by name, each with the person who keeps it now and since when."""
    pet = (Animal.id.label("animal_id"), Animal.name, Keeper.since)
    return (
        reminders_of(kind, subject, *pet, *more, due_on=due_on)
        .join(Keeper, and_(Keeper.person_id == Account.person_id, Keeper.until.is_(None)))
        .join(Animal, Animal.id == Keeper.animal_id)
        .where(Animal.state == AnimalState.KEPT)
        .order_by(func.lower(Animal.name), Animal.id)
    )


def accounts_to_remind(session: Session, sort: Sort, *, city: City, clock: Clock) -> list[UUID]:
    """Whoever may be due for this kind: all of them at once, since each page would otherwise look for them anew."""
    found = _found(sort, Asking(city, clock, session))
    if found is None:
        return []
    accounts = found.with_only_columns(Account.id).distinct().order_by(None).order_by(Account.id)
    return list(session.scalars(accounts))


def remind(
    session: Session, sort: Sort, account_ids: Sequence[UUID], *, city: City, clock: Clock, secret_key: str
) -> None:
    """Queue the letters of these accounts; what is not due any more, or was sent meanwhile, is passed over."""
    asking = Asking(city, clock, session)
    found = _found(sort, asking)
    if found is None:
        return
    theirs = found.where(Account.id == any_(cast(list(account_ids), ARRAY(Uuid))))
    rows = session.connection().execute(theirs).all()
    due = _claimed(session, sort.kind, list(_due(rows, sort, asking)), at=clock.now())
    letters = list(_letters(due, sort, secret_key=secret_key))
    texts = _texts(session, {one.row.phone for one in due if one.row.phone}, since=asking.beginning_of(asking.today))
    queue_messages(session, [*letters, *texts], at=clock.now())


def _found(sort: Sort, asking: Asking) -> Select[Any] | None:
    """Everything of this kind that may be due, of accounts that had no letter of the kind today."""
    steps = sort.steps(asking.city)
    found = sort.find(asking, steps) if steps else None
    if found is None:
        return None
    told_today = exists().where(
        Reminder.account_id == Account.id,
        Reminder.kind == sort.kind,
        Reminder.created_at >= asking.beginning_of(asking.today),
    )
    return found.where(~told_today)


def _due(rows: Sequence[Row[Any]], sort: Sort, asking: Asking) -> Iterator[Due]:
    steps = sort.steps(asking.city)
    for row in rows:
        thing = sort.read(row, asking)
        if thing.due_on is None:
            continue
        step = step_due(thing.due_on, steps, on=asking.today, since=thing.since, sent=row.sent)
        if step is not None:
            yield Due(row, thing, step)


def _claimed(session: Session, kind: ReminderKind, due: list[Due], *, at: datetime) -> list[Due]:
    """Those that nobody else has claimed. Always in one order, so that two workers never wait for each other."""
    if not due:
        return []
    ordered = sorted(due, key=lambda one: (one.row.account_id, one.row.subject_id))
    guards = {
        "kind": kind.value,
        "at": at,
        "accounts": [one.row.account_id for one in ordered],
        "subjects": [one.row.subject_id for one in ordered],
        "due_on": [one.thing.due_on for one in ordered],
        "steps": [one.step for one in ordered],
    }
    claimed = session.execute(CLAIM, guards)
    ours = {tuple(row) for row in claimed}
    return [one for one in due if (one.row.account_id, one.row.subject_id) in ours]


def _letters(due: list[Due], sort: Sort, *, secret_key: str) -> Iterator[QueuedMessage]:
    """A letter for each account."""
    for account_id, same in groupby(due, key=attrgetter("row.account_id")):
        first, *others = same
        opens = _opener(signed(account_id, Purpose.OPEN, key=secret_key))
        context = sort.letter([one.thing.told for one in (first, *others)], opens)
        context["stop_path"] = f"/reminders/stop/{signed(account_id, Purpose.STOP, key=secret_key)}"
        yield QueuedMessage(Channel.EMAIL, first.row.email, sort.template, context)


def _texts(session: Session, phones: set[str], *, since: datetime) -> Iterator[QueuedMessage]:
    """A text that says only that there is a letter: one a phone and day, of however many kinds the letters are.

    Another worker may be about to text the same phone for another kind: whoever comes second waits, and finds that.
    """
    if not phones:
        return
    session.execute(LOCK_PHONES, {"phones": sorted(phones)})
    told_today = select(OutgoingMessage.recipient).where(
        OutgoingMessage.recipient == any_(cast(sorted(phones), ARRAY(Text))),
        OutgoingMessage.channel == Channel.SMS,
        OutgoingMessage.template == REMINDER_TEXT,
        OutgoingMessage.not_before >= since,
    )
    for phone in sorted(phones - set(session.scalars(told_today))):
        yield QueuedMessage(Channel.SMS, phone, REMINDER_TEXT, {"path": "/dogs"})


def _opener(token: str) -> Callable[[str], str]:
    """Writes a path of ours so that it opens once the mailbox is proved."""
    return lambda path: f"/reminders/open/{token}{path}"
