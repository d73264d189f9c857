"""Tags of issued licenses that are still here (90.04(B)(5)): to mail, or to hand over at the counter."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import Select, exists, func, select
from sqlalchemy.orm import Session, aliased

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.licenses import Delivery, License, Tag, TagState
from portal.schema.people import Person, Premises
from portal.schema.staff import StaffRole
from portal.schema.tag_requests import TagRequest, TagRequestState
from portal.services.desk.queue import Queue, Waiting, promised

# What a person puts into envelopes at a time: four sheets of labels.
A_BATCH = 120
# A dog that is not kept here any more gets none.
IS_HERE = (Tag.state == TagState.TO_SEND, Animal.state == AnimalState.KEPT)


@dataclass(frozen=True)
class TagToSend:
    """A tag, and the envelope it goes into: to whoever has kept the dog longest."""

    tag_id: UUID
    number: str
    animal: str
    keeper: str
    address: tuple[str, ...]
    since: datetime
    due_on: date
    keep_here: str | None
    """What is stamped on the tag before it, where that never went out: it does not count any more."""
    is_asked_again: bool
    """A duplicate was asked for and is not paid yet: until then this one counts, and goes out."""


def tags_to_send(session: Session, *, delivery: Delivery, city: City, limit: int = A_BATCH) -> list[TagToSend]:
    """The oldest of those that are mailed, or picked up."""
    longest = (
        select(Keeper.person_id)
        .where(Keeper.animal_id == License.animal_id, Keeper.until.is_(None))
        .order_by(Keeper.since, Keeper.id)
        .limit(1)
        .correlate(License)
        .scalar_subquery()
    )
    before = aliased(Tag)
    never_out = (
        select(func.max(before.issue))
        .where(before.license_id == Tag.license_id, before.issue < Tag.issue, before.sent_at.is_(None))
        .correlate(Tag)
        .scalar_subquery()
    )
    asked_again = exists().where(TagRequest.license_id == Tag.license_id, TagRequest.state == TagRequestState.OPEN)
    wanted = (
        select(Tag, Animal.name, Person, Premises, never_out, asked_again)
        .join(License, License.id == Tag.license_id)
        .join(Animal, Animal.id == License.animal_id)
        .join(Person, Person.id == longest)
        .outerjoin(Premises, Premises.id == Person.home_premises_id)
        .where(*IS_HERE, Tag.delivery == delivery)
        .order_by(Tag.created_at, Tag.id)
        .limit(limit)
    )
    return [
        TagToSend(
            tag_id=tag.id,
            number=stamped(tag),
            animal=name,
            keeper=person.name,
            address=envelope(person, home),
            since=tag.created_at,
            due_on=promised(tag.created_at, city.license.tag_mail_days, city=city),
            keep_here=stamp(tag.year, tag.number, kept) if kept else None,
            is_asked_again=again,
        )
        for tag, name, person, home, kept, again in session.execute(wanted)
    ]


def stamped(tag: Tag) -> str:
    """What tells one tag from the others: 2026-12, and its issue when it is a duplicate."""
    return stamp(tag.year, tag.number, tag.issue)


def stamp(year: int, number: int, issue: int) -> str:
    """The same of a tag that is not at hand."""
    return f"{year}-{number}" if issue == 1 else f"{year}-{number}, issue {issue}"


def envelope(person: Person, home: Premises | None) -> tuple[str, ...]:
    """The lines of an address. A mailing address comes before the home."""
    if person.mailing_address:
        return (person.name, *person.mailing_address.splitlines())
    if home is None:
        return (person.name,)
    street = f"{home.line1}, {home.unit}" if home.unit else home.line1
    return (person.name, street, f"{home.city}, {home.state} {home.postal_code}")


def _waiting(delivery: Delivery) -> Select[int, datetime]:
    """Asked of each tag by itself: those that wait are few, and a join reads every license there is."""
    its_animal = (
        select(Animal.state)
        .join(License, License.animal_id == Animal.id)
        .where(License.id == Tag.license_id)
        .correlate(Tag)
        .scalar_subquery()
    )
    waits = (Tag.state == TagState.TO_SEND, Tag.delivery == delivery, its_animal == AnimalState.KEPT)
    return select(func.count(), func.min(Tag.created_at)).where(*waits)


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    count, since = session.execute(_waiting(Delivery.MAIL)).one()
    if not count:
        return []
    due_on = promised(since, city.license.tag_mail_days, city=city)
    what = "1 tag to mail" if count == 1 else f"{count} tags to mail"
    return [Waiting(None, what, "labels and envelopes", since, due_on, stands_for=count)]


TAGS = Queue("tag", "Tags to mail", StaffRole.CLERK, _find, None)
