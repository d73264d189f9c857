"""What asks for eyes and decides nothing: homes with three dogs (90.09), and applications that a machine may have sent.

Each was asked for in the feed, and waits until the feed tells that somebody looked; asked again, it waits again.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import Subquery, exists, func, select
from sqlalchemy.orm import Session, aliased
from sqlalchemy.orm.attributes import flag_modified

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.animals import Animal, AnimalState, Species
from portal.schema.events import Event
from portal.schema.people import Person, Premises
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, promised
from portal.services.owners.ask_to_look import APPLICATION_ASKED, KENNEL_ASKED
from portal.services.record_event import record_event
from portal.services.refusal import ChangedMeanwhile

KENNEL_LOOKED_AT = "premises.looked_at"
APPLICATION_LOOKED_AT = "application.looked_at"
FINE, TALKED = "fine", "talked"


def _asked(table: str, asked: str, looked_at: str) -> Subquery:
    """The rows of a table that were asked about since somebody looked, and since when."""
    looked = aliased(Event)
    later = exists().where(
        looked.subject_table == table,
        looked.subject_id == Event.subject_id,
        looked.kind == looked_at,
        looked.id > Event.id,
    )
    return (
        select(Event.subject_id.label("key"), func.min(Event.happened_at).label("since"))
        .where(Event.subject_table == table, Event.kind == asked, ~later)
        .group_by(Event.subject_id)
        .subquery()
    )


_KENNELS = _asked("premises", KENNEL_ASKED, KENNEL_LOOKED_AT)
_APPLICATIONS = _asked("person", APPLICATION_ASKED, APPLICATION_LOOKED_AT)
_DOGS_THERE = (
    select(func.count())
    .where(Animal.premises_id == Premises.id, Animal.species == Species.DOG, Animal.state == AnimalState.KEPT)
    .correlate(Premises)
    .scalar_subquery()
)


class PlaceAsked(NamedTuple):
    """A home where three dogs may be kept, since when it waits, and how many are registered there."""

    home: Premises
    since: datetime
    dogs: int


class PersonAsked(NamedTuple):
    """Somebody whose application asks to be looked at, and since when it waits."""

    person: Person
    since: datetime


def kennels_waiting(session: Session, *, limit: int = 100) -> list[PlaceAsked]:
    """The oldest first."""
    waiting = (
        select(Premises, _KENNELS.c.since, _DOGS_THERE)
        .join(_KENNELS, _KENNELS.c.key == Premises.id)
        .where(Premises.kennel_review)
        .order_by(_KENNELS.c.since, Premises.id)
        .limit(limit)
    )
    return [PlaceAsked(*row) for row in session.execute(waiting)]


def applications_waiting(session: Session, *, limit: int = 100) -> list[PersonAsked]:
    """The oldest first."""
    waiting = (
        select(Person, _APPLICATIONS.c.since)
        .join(_APPLICATIONS, _APPLICATIONS.c.key == Person.id)
        .order_by(_APPLICATIONS.c.since, Person.id)
        .limit(limit)
    )
    return [PersonAsked(*row) for row in session.execute(waiting)]


def is_asked_about(session: Session, person_id: UUID) -> bool:
    """Whether somebody still has to look at what this person sent."""
    found = session.scalar(select(exists().where(_APPLICATIONS.c.key == person_id)))
    return bool(found)


def look_at_kennel(session: Session, *, premises_id: UUID, outcome: str, officer: str) -> Premises:
    """An officer has looked (90.09): `outcome` is FINE or TALKED. Raises ChangedMeanwhile if another was quicker."""
    home = session.get_one(Premises, premises_id, with_for_update=True, populate_existing=True)
    if not home.kennel_review:
        raise ChangedMeanwhile(home.__tablename__)
    home.kennel_review = False
    session.flush()
    record_event(session, KENNEL_LOOKED_AT, home, actor=f"officer:{officer}", outcome=outcome)
    return home


def look_at_application(session: Session, *, person_id: UUID, outcome: str, officer: str) -> Person:
    """Somebody has looked whether a person sent it: FINE or TALKED. Raises ChangedMeanwhile if another was quicker."""
    person = session.get_one(Person, person_id, with_for_update=True, populate_existing=True)
    if not is_asked_about(session, person_id):
        raise ChangedMeanwhile(person.__tablename__)
    flag_modified(person, "name")  # another version, for whoever has it open besides
    session.flush()
    record_event(session, APPLICATION_LOOKED_AT, person, actor=f"officer:{officer}", outcome=outcome)
    return person


def _find_kennels(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [
        Waiting(
            item_id=home.id,
            what=f"Three or more dogs at {', '.join(part for part in (home.line1, home.unit) if part)}",
            detail=f"{dogs} registered there",
            since=since,
            due_on=promised(since, city.desk.answer_days, city=city),
        )
        for home, since, dogs in kennels_waiting(session, limit=limit)
    ]


def _find_applications(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [
        Waiting(
            item_id=person.id,
            what=f"Did {person.name} send this?",
            detail="a machine may have",
            since=since,
            due_on=promised(since, city.desk.answer_days, city=city),
        )
        for person, since in applications_waiting(session, limit=limit)
    ]


HOW_MANY_KENNELS = (
    select(func.count())
    .select_from(Premises)
    .join(_KENNELS, _KENNELS.c.key == Premises.id)
    .where(Premises.kennel_review)
)
HOW_MANY_APPLICATIONS = select(func.count()).select_from(_APPLICATIONS)
KENNELS = Queue("kennel", "Three dogs or more", StaffRole.OFFICER, _find_kennels, HOW_MANY_KENNELS)
APPLICATIONS = Queue(
    "application", "Applications to look at", StaffRole.CLERK, _find_applications, HOW_MANY_APPLICATIONS
)
