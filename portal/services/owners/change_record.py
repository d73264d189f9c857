"""A person changes what the city holds about them: name and phone, or where they live and their animals with them.

At the desk an officer or a clerk does it for them: the feed names who did, and the person is told that the city did.
"""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import and_, exists, func, not_, or_, select
from sqlalchemy.orm import Session, aliased

from portal.gateways.clock import Clock
from portal.ordinance.finding import Finding
from portal.schema.accounts import Account
from portal.schema.animals import Animal, AnimalState, Keeper, KeeperRole
from portal.schema.people import Person
from portal.services.draft_answers import HomeAnswers, OwnerAnswers
from portal.services.messages.queue_message import queue_message
from portal.services.owners.filings_waiting import compare_again
from portal.services.owners.home import lives_there, premises_at
from portal.services.owners.record_owner import answers_of_person, owner_of, said_of, write_owner
from portal.services.owners.record_seen import overwritten
from portal.services.owners.rehome import bring_home
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused

_Mine, _Other, _Host = aliased(Keeper), aliased(Keeper), aliased(Person)


@dataclass(frozen=True)
class Moving:
    """An animal that can move with its keeper, whether it lives at their home, and whether somebody else keeps it."""

    animal: Animal
    is_at_home: bool
    is_shared: bool


def change_owner(
    session: Session,
    owner: OwnerAnswers,
    *,
    person_id: UUID | None,
    officer: str | None = None,
    clock: Clock,
    seen: str | None = None,
) -> None:
    """Name, phone, guardian. Raises NotTheirs for somebody without a record, Refused if it is not as they saw it."""
    person = _locked(session, person_id)
    if reasons := overwritten(owner_of(person), owner, seen=seen):
        raise Refused(reasons)
    actor = _actor(person, officer)
    before = said_of(person)
    write_owner(person, owner)
    session.flush()
    if changed := [name for name, value in said_of(person).items() if before[name] != value]:
        record_event(session, "person.changed", person, actor=actor, changed=changed)
        _tell(session, person, template="record_changed", context={"by_city": officer is not None}, clock=clock)
        if "name" in changed:
            compare_again(session, person.id)


def move(
    session: Session,
    home: HomeAnswers,
    *,
    person_id: UUID | None,
    officer: str | None = None,
    clock: Clock,
    animal_ids: Collection[UUID] | None = None,
    seen: str | None = None,
) -> Finding | None:
    """The home changes, and these animals come too, or all that can; licenses and tags stay. What 90.09 says to it.

    An address written in another way is the same home. Raises NotTheirs for somebody without a record, Refused if it
    is not as they saw it.
    """
    person = _locked(session, person_id)
    held = answers_of_person(session, person)
    is_same_home, is_other_mail = lives_there(session, person, home), person.mailing_address != home.mailing_address
    is_changed = is_other_mail or not is_same_home
    if is_changed and held and (reasons := overwritten(held[1], home, seen=seen)):
        raise Refused(reasons)
    actor, by_city = _actor(person, officer), officer is not None
    person.mailing_address = home.mailing_address
    moving = moving_with(session, person_id=person.id)
    if animal_ids is not None:
        moving = [one for one in moving if one.animal.id in animal_ids]
    if is_same_home:
        session.flush()
        if is_other_mail:
            record_event(session, "person.changed", person, actor=actor, changed=["mailing_address"])
            _tell(session, person, template="record_changed", context={"by_city": by_city}, clock=clock)
        moving = [one for one in moving if not one.is_at_home]
        if not moving:
            return None
    else:
        person.home_premises_id = premises_at(session, home).id
        session.flush()
        record_event(session, "person.moved", person, actor=actor)
    animals = [one.animal for one in moving]
    finding = bring_home(session, animals, person, actor=actor, clock=clock)
    context = {"animals": [animal.name for animal in animals], "by_city": by_city}
    _tell(session, person, template="moved", context=context, clock=clock)
    _tell_others(session, [one.animal for one in moving if one.is_shared], person, clock=clock)
    compare_again(session, person.id)
    return finding


def moving_with(session: Session, *, person_id: UUID | None) -> list[Moving]:
    """The animals this person keeps at their home, and those that stayed where they lived before, by name.

    One that lives at another keeper's home stays there, and so does one that was only joined.
    """
    its_other_keepers = (_Other.animal_id == Animal.id, _Other.person_id != _Mine.person_id, _Other.until.is_(None))
    is_shared = exists().where(*its_other_keepers)
    is_anothers_home = exists().where(
        *its_other_keepers, _Host.id == _Other.person_id, _Host.home_premises_id == Animal.premises_id
    )
    is_at_home = func.coalesce(Animal.premises_id == Person.home_premises_id, False)
    was_joined = and_(_Mine.role == KeeperRole.CO_OWNER, is_shared)
    theirs = (
        select(Animal, is_at_home, is_shared)
        .join(_Mine, _Mine.animal_id == Animal.id)
        .join(Person, Person.id == _Mine.person_id)
        .where(
            Person.id == person_id,
            _Mine.until.is_(None),
            or_(is_at_home, and_(not_(is_anothers_home), not_(was_joined))),
            Animal.state == AnimalState.KEPT,
        )
        .order_by(Animal.name, Animal.id)
    )
    return [Moving(*row) for row in session.execute(theirs)]


def _actor(person: Person, officer: str | None) -> str:
    return f"officer:{officer}" if officer else keeper(person.id)


def _locked(session: Session, person_id: UUID | None) -> Person:
    person = session.get(Person, person_id, with_for_update=True, populate_existing=True) if person_id else None
    if person is None:
        raise NotTheirs("Nothing is on record yet")
    return person


def _tell(session: Session, person: Person, *, template: str, context: dict[str, object], clock: Clock) -> None:
    for email in session.scalars(select(Account.email).where(Account.person_id == person.id)):
        queue_message(session, to=email, template=template, context={"path": "/me", **context}, at=clock.now())


def _tell_others(session: Session, animals: list[Animal], mover: Person, *, clock: Clock) -> None:
    """Who keeps one of them too is told that it moved, not where to."""
    theirs = (
        select(Account.email, Animal.id, Animal.name)
        .join(Keeper, Keeper.person_id == Account.person_id)
        .join(Animal, Animal.id == Keeper.animal_id)
        .where(Animal.id.in_([animal.id for animal in animals]), Keeper.until.is_(None), Keeper.person_id != mover.id)
    )
    for email, animal_id, name in session.execute(theirs).all():
        context = {"animal": name, "path": f"/dogs/{animal_id}"}
        queue_message(session, to=email, template="animal_moved", context=context, at=clock.now())
