"""Who keeps an animal together: what each lets the others see, and leaving (90.03 OWNER)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.accounts import Account
from portal.schema.animals import Keeper
from portal.schema.people import Person
from portal.services.licensing.cancel_unpaid import cancel_unpaid
from portal.services.owners.keepers_now import keepings, locked_animal
from portal.services.owners.rehome import bring_home
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused

LAST_ONE = "You are the only one who keeps {name}. Tell us what became of {name} instead"


@dataclass(frozen=True)
class Contact:
    """What a keeper lets the others see."""

    name: str
    phone: str | None
    email: str | None


@dataclass(frozen=True)
class KeptBy:
    """One of an animal's keepers, as another sees them: when they began, and their contact if they share it."""

    since: datetime
    is_me: bool
    shares_contact: bool
    contact: Contact | None


def household_of(session: Session, *, animal_id: UUID, person_id: UUID | None) -> list[KeptBy]:
    """Everyone who keeps an animal of this person's; the contact of those alone who share it. Raises NotTheirs."""
    together = (
        select(Keeper, Person, Account.email)
        .join(Person, Person.id == Keeper.person_id)
        .outerjoin(Account, Account.person_id == Person.id)
        .where(Keeper.animal_id == animal_id, Keeper.until.is_(None))
        .order_by(Keeper.since, Keeper.id)
    )
    found = [
        KeptBy(
            since=kept.since,
            is_me=person.id == person_id,
            shares_contact=kept.shares_contact,
            contact=Contact(person.name, person.phone, email or person.email) if kept.shares_contact else None,
        )
        for kept, person, email in session.execute(together)
    ]
    if not any(one.is_me for one in found):
        raise NotTheirs("No such animal")
    return found


def share_contact(session: Session, *, animal_id: UUID, person_id: UUID | None, is_shared: bool, clock: Clock) -> None:
    """Let the animal's other keepers see name, phone and e-mail, or not any more. Raises NotTheirs."""
    animal = locked_animal(session, animal_id, person_id=person_id)
    [mine] = [kept for kept in keepings(session, animal.id) if kept.person_id == person_id]
    if mine.shares_contact != is_shared:
        mine.shares_contact = is_shared
        session.flush()
        kind = "keeper.shares_contact" if is_shared else "keeper.shares_no_contact"
        record_event(session, kind, animal, actor=keeper(person_id))


def leave_animal(session: Session, *, animal_id: UUID, person_id: UUID | None, clock: Clock) -> None:
    """Keep it no longer; the others go on. Whoever is left over can't leave: Refused. Raises NotTheirs."""
    animal = locked_animal(session, animal_id, person_id=person_id)
    together = keepings(session, animal.id)
    [mine] = [kept for kept in together if kept.person_id == person_id]
    others = [kept for kept in together if kept is not mine]
    if not others:
        raise Refused([Refusal(Rule.OWNER, LAST_ONE.format(name=animal.name))])
    mine.until = clock.now()
    session.flush()
    actor = keeper(person_id)
    record_event(session, "keeper.left", animal, actor=actor, person_id=str(person_id))
    cancel_unpaid(session, animal.id, because="its keeper left", actor=actor, clock=clock, owed_by=person_id)
    leaver = session.get_one(Person, person_id)
    if animal.premises_id == leaver.home_premises_id:
        bring_home(session, [animal], session.get_one(Person, others[0].person_id), actor=actor, clock=clock)
    tell_keepers(session, animal, template="keeper_left", context={}, clock=clock)
