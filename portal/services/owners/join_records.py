"""Somebody who was entered at the counter signs in later: what stands on both records ends on one (90.03 OWNER).

Every row that names the counter's record names the other from then on: what they keep, owe, paid, stated, told and
asked. The counter's record stays, and says which one it was joined to. An officer or a clerk who has seen the person
does it; whoever signs in is told.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Table, select, text, update
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.accounts import Account
from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.base import ANIMAL_CONTROL, Base
from portal.schema.people import Person
from portal.services.messages.queue_message import queue_message
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.signing_in.mailbox_owners import MailboxOwner, mailbox_owners

GIVE_RECORD = text("SELECT portal.give_record(lower(btrim(:mailbox)), :person)")
NOBODY = "Nobody has signed in with this address yet. They sign in once with it, then the records can be joined"
SIGNS_IN = "Somebody signs in to this record already"
WAS_JOINED = "This record was joined to another already"


@dataclass(frozen=True)
class Candidate:
    """The account a mailbox signs in to, and the record it acts for; None when it has none yet."""

    owner: MailboxOwner
    person: Person | None


def candidate(session: Session, *, person_id: UUID, mailbox: str, clock: Clock) -> Candidate:
    """Whose record that of the counter may be joined to. Raises NotTheirs, or Refused with what stands in the way."""
    person = session.get(Person, person_id)
    if person is None:
        raise NotTheirs("There is no such person")
    owners = [owner for owner in mailbox_owners(session, mailbox, clock=clock) if owner.is_theirs_now]
    reasons = stands_in_the_way(session, person)
    if not owners:
        reasons.append(Refusal(Rule.OWNER, NOBODY, "mailbox"))
    if reasons:
        raise Refused(reasons)
    [owner] = owners
    return Candidate(owner, session.get_one(Person, owner.person_id) if owner.person_id else None)


def stands_in_the_way(session: Session, person: Person) -> list[Refusal]:
    """Why a record is joined to no other, whosever it be."""
    reasons = []
    if session.scalar(select(Account.id).where(Account.person_id == person.id)):
        reasons.append(Refusal(Rule.OWNER, SIGNS_IN))
    if person.joined_to_id is not None:
        reasons.append(Refusal(Rule.OWNER, WAS_JOINED))
    return reasons


def join_records(session: Session, *, person_id: UUID, mailbox: str, officer: str, clock: Clock) -> Person:
    """Join what stands on the counter's record to the one that the mailbox signs in to; the record that remains.

    Where the mailbox acts for nobody yet, it acts for the counter's record from now on.
    """
    found = candidate(session, person_id=person_id, mailbox=mailbox, clock=clock)
    actor = f"officer:{officer}"
    keys = sorted({person_id, found.person.id} if found.person else {person_id})
    people = select(Person).where(Person.id.in_(keys)).order_by(Person.id).with_for_update()
    locked = {one.id: one for one in session.scalars(people, execution_options={"populate_existing": True})}
    entered = locked[person_id]
    if entered.joined_to_id is not None:
        raise Refused([Refusal(Rule.OWNER, WAS_JOINED)])
    names = _kept_by(session, person_id)
    if found.person is None:
        remains = entered
        if not session.scalar(GIVE_RECORD, {"mailbox": mailbox, "person": person_id}):
            raise Refused([Refusal(Rule.OWNER, NOBODY, "mailbox")])
        entered.email = entered.email or found.owner.email
        session.flush()
        record_event(session, "person.signs_in", entered, actor=actor)
    else:
        remains = locked[found.person.id]
        _keep_together(session, entered, remains, clock=clock)
        moved = _move(session, entered, remains)
        _fill_in(session, entered, remains)
        record_event(session, "person.joined", entered, actor=actor, joined_to=str(remains.id), moved=moved)
        record_event(session, "person.joined_with", remains, actor=actor, joined=str(entered.id))
    context = {"animals": names, "path": "/dogs"}
    queue_message(session, to=found.owner.email, template="records_joined", context=context, at=clock.now())
    return remains


def _kept_by(session: Session, person_id: UUID) -> list[str]:
    theirs = (
        select(Animal.name)
        .join(Keeper, Keeper.animal_id == Animal.id)
        .where(Keeper.person_id == person_id, Keeper.until.is_(None), Animal.state == AnimalState.KEPT)
        .order_by(Animal.name)
    )
    return list(session.scalars(theirs))


def _keep_together(session: Session, entered: Person, remains: Person, *, clock: Clock) -> None:
    """What both keep, one of them keeps once from now on, since the earlier of the two days."""
    now = select(Keeper).where(Keeper.until.is_(None))
    mine = {kept.animal_id: kept for kept in session.scalars(now.where(Keeper.person_id == remains.id))}
    for kept in session.scalars(now.where(Keeper.person_id == entered.id)):
        if together := mine.get(kept.animal_id):
            together.since = min(together.since, kept.since)
            kept.until = clock.now()
    session.flush()


def _move(session: Session, entered: Person, remains: Person) -> dict[str, int]:
    """Every column of the shared schema that names a person; how many rows of each table."""
    moved: dict[str, int] = {}
    for table, column in columns_of_people():
        names_them = update(table).where(table.c[column] == entered.id)
        if count := session.execute(names_them.values({column: remains.id})).rowcount:  # type: ignore[attr-defined]
            moved[table.name] = moved.get(table.name, 0) + count
    return moved


def columns_of_people() -> list[tuple[Table, str]]:
    """Each table and column that refers to a person, but for people themselves."""
    person = Person.__table__
    return [
        (table, column.name)
        for table in Base.metadata.sorted_tables
        if table.schema == ANIMAL_CONTROL and table is not person
        for column in table.columns
        if any(key.column.table is person for key in column.foreign_keys)
    ]


def _fill_in(session: Session, entered: Person, remains: Person) -> None:
    """How to reach them, where only the counter knew; what they said themselves stays."""
    if remains.phone is None:
        remains.phone, remains.phone_e164 = entered.phone, entered.phone_e164
        remains.phone_extension = entered.phone_extension
    if remains.home_premises_id is None:
        remains.home_premises_id, remains.mailing_address = entered.home_premises_id, entered.mailing_address
    entered.joined_to_id = remains.id
    session.flush()
