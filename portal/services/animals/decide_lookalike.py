"""An officer says whether two animals registered by two people are one. Nobody pays for one dog twice (90.04(B)(1))."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal
from portal.schema.lookalikes import Lookalike
from portal.schema.people import Person
from portal.services.licensing.cancel_unpaid import cancel_unpaid, is_being_paid
from portal.services.owners.keepers_now import first_keeper
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused

ALREADY_DECIDED = "This was decided already: {what}"
IS_BEING_PAID = (
    "Somebody is paying for {name} just now. Decide once that is settled: a card page closes by itself, a bank debit "
    "takes some days"
)


@dataclass(frozen=True)
class LookalikeView:
    """Both animals with whoever keeps each, as an officer looks at them."""

    lookalike: Lookalike
    animal: Animal
    keeper: Person | None
    other: Animal
    other_keeper: Person | None


def lookalikes_waiting(session: Session, *, limit: int = 100) -> list[LookalikeView]:
    """The officer's queue, oldest first."""
    other = aliased(Animal)
    waiting = (
        select(Lookalike, Animal, other)
        .join(Animal, Animal.id == Lookalike.animal_id)
        .join(other, other.id == Lookalike.other_animal_id)
        .where(Lookalike.decided_at.is_(None))
        .order_by(Lookalike.created_at, Lookalike.id)
        .limit(limit)
    )
    return [
        LookalikeView(found, one, first_keeper(session, one.id), two, first_keeper(session, two.id))
        for found, one, two in session.execute(waiting).all()
    ]


def lookalike_view(session: Session, lookalike_id: UUID) -> LookalikeView:
    """One pair, whatever was decided about it."""
    found = session.get_one(Lookalike, lookalike_id)
    one, two = session.get_one(Animal, found.animal_id), session.get_one(Animal, found.other_animal_id)
    return LookalikeView(found, one, first_keeper(session, one.id), two, first_keeper(session, two.id))


def decide_lookalike(session: Session, *, lookalike_id: UUID, is_same: bool, officer: str, clock: Clock) -> Lookalike:
    """When they are one, what is not paid yet for the second registration is owed no more, and its keeper is told.

    Who keeps it is for the people to say: the officer talks with both, and one invites the other. Raises Refused while
    somebody is paying for the second registration: they would read that nothing is owed, and the money would be taken.
    """
    lookalike = session.get(Lookalike, lookalike_id, with_for_update=True)
    if lookalike is None:
        raise NotTheirs("There is no such pair")
    if lookalike.decided_at is not None:
        what = "they are one animal" if lookalike.is_same else "they are two animals"
        raise Refused([Refusal(Rule.APPLICATION, ALREADY_DECIDED.format(what=what))])
    animal = session.get_one(Animal, lookalike.animal_id, with_for_update=True)
    if is_same and is_being_paid(session, animal.id):
        raise Refused([Refusal(Rule.LICENSE, IS_BEING_PAID.format(name=animal.name))])
    lookalike.is_same = is_same
    lookalike.decided_at = clock.now()
    lookalike.decided_by = officer
    session.flush()
    actor = f"officer:{officer}"
    record_event(session, "animal.is_known" if is_same else "animal.is_another", animal, actor=actor)
    if is_same:
        cancel_unpaid(session, animal.id, because="the dog is registered already", actor=actor, clock=clock)
        tell_keepers(session, animal, template="known_already", context={}, clock=clock)
    return lookalike
