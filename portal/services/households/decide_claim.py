"""The city accepts that somebody an animal was given to keeps it now, or says why not. Tag and license stay.

90.04(B)(5): a tag may not go from one dog to another; nothing keeps the same dog from having another owner.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, aliased

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.accounts import Account
from portal.schema.animals import Animal, AnimalState, Keeper, KeeperRole
from portal.schema.departures import ClaimState, Departure, OwnershipClaim
from portal.schema.people import Person, Premises
from portal.services.dangerous.notice_wanted import notice_wanted
from portal.services.dangerous.register_dangerous_dog import begin_for_new_owner
from portal.services.messages.queue_message import queue_message
from portal.services.owners.keepers_now import keepings
from portal.services.owners.rehome import bring_home
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.say_why import said

ALREADY_DECIDED = "This was decided already: it is {state}"
TAKEN_BACK = "The animal is not given away any more"
SAY_WHY = "Say why, in words both will read"


@dataclass(frozen=True)
class ClaimView:
    """A claim as an officer looks at it: the animal, who gave it away, who has it now and where."""

    claim: OwnershipClaim
    animal: Animal
    given_by: Person
    new_owner: Person
    home: Premises | None


def claims_waiting(session: Session, *, limit: int = 100) -> list[ClaimView]:
    """The officer's queue, oldest first."""
    waiting = _views().where(OwnershipClaim.state == ClaimState.WAITING).order_by(OwnershipClaim.created_at)
    return [ClaimView(*row) for row in session.execute(waiting.limit(limit))]


def claim_view(session: Session, claim_id: UUID) -> ClaimView:
    """One claim, whatever its state."""
    return ClaimView(*session.execute(_views().where(OwnershipClaim.id == claim_id)).one())


def accept_claim(session: Session, *, claim_id: UUID, officer: str, city: City, clock: Clock) -> Animal:
    """The new owner keeps it from now on, at their home; whoever kept it before does no longer. All are told.

    All of it is of one moment, by which those who gave it away are known as such (`handed_over`).
    """
    claim, animal = _undecided(session, claim_id)
    actor, now = f"officer:{officer}", clock.now()
    if animal.state is not AnimalState.GIVEN_AWAY:
        raise Refused([Refusal(Rule.TAG, TAKEN_BACK)])
    for kept in keepings(session, animal.id):
        kept.until = now
    session.flush()
    person = session.get_one(Person, claim.claimed_by)
    session.add(Keeper(animal_id=animal.id, person_id=person.id, role=KeeperRole.OWNER, since=now))
    departure = session.get_one(Departure, claim.departure_id)
    departure.undone_at = now
    animal.state = AnimalState.KEPT
    animal.state_since = now
    _decide(claim, ClaimState.ACCEPTED, officer=officer, clock=clock)
    session.flush()
    record_event(session, "ownership.accepted", claim, actor=actor, animal_id=str(animal.id))
    missing = _rule_of_missing_notice(session, departure, city=city)
    context = {"asks_notice": missing, "path": f"/dogs/{animal.id}/dangerous/tell/transfer"}
    tell_keepers(session, animal, template="new_owner_recorded", context=context, clock=clock, until=now)
    bring_home(session, [animal], person, actor=actor, clock=clock)
    begin_for_new_owner(session, animal_id=animal.id, person_id=person.id, actor=actor, clock=clock)
    tell_keepers(session, animal, template="ownership_accepted", context={}, clock=clock)
    return animal


def reject_claim(session: Session, *, claim_id: UUID, officer: str, reason: str, clock: Clock) -> Animal:
    """It stays given away, and whoever gave it away can invite again or take it back. Both are told why."""
    why = said(reason, Rule.TAG, SAY_WHY)
    claim, animal = _undecided(session, claim_id)
    claim.reason = why
    _decide(claim, ClaimState.REJECTED, officer=officer, clock=clock)
    session.flush()
    record_event(session, "ownership.rejected", claim, actor=f"officer:{officer}", animal_id=str(animal.id))
    context = {"animal": animal.name, "reason": claim.reason}
    mailbox = select(Account.email).where(Account.person_id == claim.claimed_by)
    for email in session.scalars(mailbox):
        queue_message(session, to=email, template="ownership_rejected", context=context, at=clock.now())
    tell_keepers(session, animal, template="new_owner_rejected", context={"reason": claim.reason}, clock=clock)
    return animal


def _rule_of_missing_notice(session: Session, departure: Departure, *, city: City) -> str | None:
    """The section that asks for the giver's written notice, while there is none: of a designated dog alone."""
    wanted = notice_wanted(session, departure, city=city)
    if wanted is None or wanted.given:
        return None
    return (Rule.DANGEROUS_NEW_OWNER if wanted.is_dangerous else Rule.RELOCATION).value


def _views() -> Select[OwnershipClaim, Animal, Person, Person, Premises]:
    giver, taker = aliased(Person), aliased(Person)
    return (
        select(OwnershipClaim, Animal, giver, taker, Premises)
        .join(Animal, Animal.id == OwnershipClaim.animal_id)
        .join(Departure, Departure.id == OwnershipClaim.departure_id)
        .join(giver, giver.id == Departure.told_by)
        .join(taker, taker.id == OwnershipClaim.claimed_by)
        .outerjoin(Premises, Premises.id == taker.home_premises_id)
    )


def _decide(claim: OwnershipClaim, state: ClaimState, *, officer: str, clock: Clock) -> None:
    claim.state = state
    claim.decided_at = clock.now()
    claim.decided_by = officer


def _undecided(session: Session, claim_id: UUID) -> tuple[OwnershipClaim, Animal]:
    claim = session.get(OwnershipClaim, claim_id)
    if claim is None:
        raise NotTheirs("There is no such claim")
    animal = session.get_one(Animal, claim.animal_id, with_for_update=True, populate_existing=True)
    session.refresh(claim, with_for_update=True)
    if claim.state is not ClaimState.WAITING:
        raise Refused([Refusal(Rule.TAG, ALREADY_DECIDED.format(state=claim.state.value))])
    return claim, animal
