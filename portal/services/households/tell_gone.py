"""A keeper tells that an animal died, left the city or was given away; it can be taken back for 30 days.

No refund follows from a death or from leaving (90.04(B)(5)), and nothing is charged or asked for afterwards.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.days import spoken
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal, AnimalState
from portal.schema.departures import Departure, DepartureKind
from portal.services.households.invite_keeper import is_claimed, withdraw_all
from portal.services.licensing.cancel_unpaid import IS_GONE, cancel_unpaid
from portal.services.notices.change_notice import withdraw_notices_of
from portal.services.owners.keepers_now import locked_animal
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused

UNDO_FOR = timedelta(days=30)
IN_FUTURE = "{day} is still to come. Check the month and the year"
TOO_LATE = "This was told more than 30 days ago. Call the police department to change it"
HAS_NEW_OWNER = "The new owner has said yes already. Call the police department to change it"
CLAIM_WAITS = "Somebody has said that they keep it now. Decide that first"


@dataclass(frozen=True, kw_only=True)
class GoneAnswers:
    """What became of the animal, when, and anything the keeper adds."""

    animal_id: UUID
    kind: DepartureKind
    happened_on: date | None
    note: str | None


def tell_gone(
    session: Session, answers: GoneAnswers, *, person_id: UUID | None, clock: Clock, officer: str | None = None
) -> Departure:
    """Note the departure and tell whoever else keeps it; telling it twice changes nothing.

    `officer` is whoever writes it down for a keeper at the counter, who is written to as well. Raises NotTheirs, or
    Refused for a day to come.
    """
    actor = f"officer:{officer}" if officer else keeper(person_id)
    animal = locked_animal(session, answers.animal_id, person_id=person_id)
    if standing := standing_departure(session, animal.id):
        return standing
    if answers.happened_on and answers.happened_on > clock.today():
        raise Refused([Refusal("90.12(E)", IN_FUTURE.format(day=spoken(answers.happened_on)), "happened_on")])
    departure = Departure(
        animal_id=animal.id,
        told_by=person_id,
        kind=answers.kind,
        happened_on=answers.happened_on,
        note=answers.note,
    )
    session.add(departure)
    animal.state = AnimalState(answers.kind.value)
    animal.state_since = clock.now()
    session.flush()
    record_event(session, f"animal.{answers.kind.value}", animal, actor=actor)
    cancel_unpaid(session, animal.id, because=IS_GONE, actor=actor, clock=clock)
    withdraw_notices_of(session, animal_id=animal.id, actor=actor, clock=clock, ends_talks=officer is None)
    context = {
        "kind": answers.kind.value,
        "path": f"/dogs/{animal.id}/farewell",
        "until": (clock.today() + UNDO_FOR).isoformat(),
        "at_counter": officer is not None,
    }
    # Whoever stands at the counter has not proved who they are, and a clerk may choose the wrong line.
    but = None if officer else person_id
    tell_keepers(session, animal, template="told_gone", context=context, clock=clock, but=but)
    return departure


def undo_gone(session: Session, *, animal_id: UUID, person_id: UUID | None, clock: Clock) -> None:
    """Take it back within 30 days, and the invitation of a new owner with it; does nothing when nothing was told.

    Raises Refused later, and once the new owner has said yes.
    """
    animal = locked_animal(session, animal_id, person_id=person_id)
    departure = standing_departure(session, animal.id)
    if departure is None:
        return
    if clock.now() - departure.created_at > UNDO_FOR:
        raise Refused([Refusal("90.04(B)(5)", TOO_LATE)])
    if is_claimed(session, animal.id):
        raise Refused([Refusal("90.04(B)(5)", HAS_NEW_OWNER)])
    withdraw_all(session, animal.id, clock=clock)
    _keep_again(session, animal, departure, actor=keeper(person_id), clock=clock)


def undo_gone_at_counter(session: Session, *, animal_id: UUID, officer: str, clock: Clock) -> bool:
    """The same by staff, however long ago it was told; false when nothing was told, and nothing is done then.

    An invitation from before opens nothing any more (`is_live`). Raises NotTheirs, or Refused while somebody says that
    it is theirs now.
    """
    animal = session.get(Animal, animal_id, with_for_update=True, populate_existing=True)
    if animal is None:
        raise NotTheirs("There is no such animal")
    departure = standing_departure(session, animal.id)
    if departure is None:
        return False
    if is_claimed(session, animal.id):
        raise Refused([Refusal("90.04(B)(5)", CLAIM_WAITS)])
    _keep_again(session, animal, departure, actor=f"officer:{officer}", clock=clock)
    return True


def _keep_again(session: Session, animal: Animal, departure: Departure, *, actor: str, clock: Clock) -> None:
    departure.undone_at = clock.now()
    animal.state = AnimalState.KEPT
    animal.state_since = clock.now()
    session.flush()
    record_event(session, "animal.kept_again", animal, actor=actor)


def standing_departure(session: Session, animal_id: UUID) -> Departure | None:
    """What was told of an animal and was not taken back."""
    told = select(Departure).where(Departure.animal_id == animal_id, Departure.undone_at.is_(None))
    return session.scalar(told)
