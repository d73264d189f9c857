"""A keeper tells that an animal died, left the city or was given away; it can be taken back for 30 days.

No refund follows from a death or from leaving (90.04(B)(5)), and nothing is charged or asked for afterwards.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from uuid import UUID

from sqlalchemy import exists, or_, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.days import spoken
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.departures import Departure, DepartureKind
from portal.schema.licenses import License
from portal.schema.orders import Order, OrderLine, OrderState, Payment
from portal.schema.tag_requests import TagRequest
from portal.services.duplicate_tag import cancel_duplicates
from portal.services.issue_license import withdraw_unissued
from portal.services.open_order import license_ids_of
from portal.services.orders import UNSETTLED
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused

UNDO_FOR = timedelta(days=30)
IN_FUTURE = "{day} is still to come. Check the month and the year"
TOO_LATE = "This was told more than 30 days ago. Call the police department to change it"


@dataclass(frozen=True, kw_only=True)
class GoneAnswers:
    """What became of the animal, when, and anything the keeper adds."""

    animal_id: UUID
    kind: DepartureKind
    happened_on: date | None
    note: str | None


def tell_gone(session: Session, answers: GoneAnswers, *, person_id: UUID | None, clock: Clock) -> Departure:
    """Note the departure; telling it twice changes nothing. Raises NotTheirs, or Refused for a day still to come."""
    animal = _own_animal(session, answers.animal_id, person_id=person_id)
    if standing := _standing(session, animal.id):
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
    record_event(session, f"animal.{answers.kind.value}", animal, actor=keeper(person_id))
    _cancel_unpaid(session, animal.id, actor=keeper(person_id), clock=clock)
    return departure


def undo_gone(session: Session, *, animal_id: UUID, person_id: UUID | None, clock: Clock) -> None:
    """Take it back within 30 days; raises Refused later, and does nothing when nothing was told."""
    animal = _own_animal(session, animal_id, person_id=person_id)
    departure = _standing(session, animal.id)
    if departure is None:
        return
    if clock.now() - departure.created_at > UNDO_FOR:
        raise Refused([Refusal("90.04(B)(5)", TOO_LATE)])
    departure.undone_at = clock.now()
    animal.state = AnimalState.KEPT
    animal.state_since = clock.now()
    session.flush()
    record_event(session, "animal.kept_again", animal, actor=keeper(person_id))


def _own_animal(session: Session, animal_id: UUID, *, person_id: UUID | None) -> Animal:
    mine = (
        select(Animal)
        .join(Keeper, Keeper.animal_id == Animal.id)
        .where(Animal.id == animal_id, Keeper.person_id == person_id, Keeper.until.is_(None))
        .with_for_update(of=Animal)
    )
    animal = session.scalar(mine, execution_options={"populate_existing": True})
    if animal is None:
        raise NotTheirs("No such animal")
    return animal


def _standing(session: Session, animal_id: UUID) -> Departure | None:
    told = select(Departure).where(Departure.animal_id == animal_id, Departure.undone_at.is_(None))
    return session.scalar(told)


def _cancel_unpaid(session: Session, animal_id: UUID, *, actor: str, clock: Clock) -> None:
    """Orders that are for this animal alone and that nobody has begun to pay are owed no more.

    The orders are locked before their payments are looked at: somebody may be pressing the button just now.
    """
    its_licenses = list(session.scalars(select(License.id).where(License.animal_id == animal_id)))
    its_requests = list(session.scalars(select(TagRequest.id).where(TagRequest.license_id.in_(its_licenses))))
    is_its = or_(OrderLine.license_id.in_(its_licenses), OrderLine.tag_request_id.in_(its_requests))
    pays_for_it = exists().where(OrderLine.order_id == Order.id, is_its)
    pays_for_more = exists().where(OrderLine.order_id == Order.id, is_its.is_not(True))
    unpaid = select(Order).where(Order.state == OrderState.OPEN, pays_for_it, ~pays_for_more).order_by(Order.id)
    locked = session.scalars(unpaid.with_for_update()).all()
    begun = select(Payment.order_id).where(
        Payment.order_id.in_([order.id for order in locked]), Payment.state.in_(UNSETTLED)
    )
    is_begun = set(session.scalars(begun))
    for order in (order for order in locked if order.id not in is_begun):
        order.state = OrderState.CANCELED
        session.flush()
        record_event(session, "order.canceled", order, actor=actor, because="the animal is gone")
        withdraw_unissued(session, license_ids_of(session, order.id), actor=actor)
        cancel_duplicates(session, order.id, clock=clock)
