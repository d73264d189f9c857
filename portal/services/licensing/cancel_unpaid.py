"""What is owed for an animal is owed no more: it is gone, its keeper left, or it has its license already."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, exists, func, or_, select, true
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.dangerous import DangerousRegistration
from portal.schema.licenses import License
from portal.schema.orders import Order, OrderLine, OrderState, Payment
from portal.schema.people import Person
from portal.schema.tag_requests import TagRequest
from portal.services.licensing.duplicate_tag import cancel_duplicates
from portal.services.licensing.issue_license import issue_ready, withdraw_unissued
from portal.services.orders.open_order import Charge, license_ids_of, open_order
from portal.services.orders.standing import UNSETTLED
from portal.services.record_event import record_event

IS_GONE = "the animal is gone"
GONE_OR_LEFT = "the animal is gone, or whoever owes for it keeps it no more"


def cancel_unpaid(
    session: Session, animal_id: UUID, *, because: str, actor: str, clock: Clock, owed_by: UUID | None = None
) -> None:
    """Cancel orders, one person's or anyone's, that this animal is in and that nobody has begun to pay.

    What such an order asks for other animals is asked for anew by an order of its own. The orders are locked before
    their payments are looked at: somebody may be pressing the button just now.
    """
    is_its = _is_for(session, [animal_id])
    locked, begun = _unpaid(session, is_its, Order.person_id == owed_by if owed_by else true())
    for order in (order for order in locked if order.id not in begun):
        _cancel(session, order, is_its, because=because, actor=actor, clock=clock)


def is_being_paid(session: Session, animal_id: UUID) -> bool:
    """Whether somebody is paying for this animal just now: a card page is open, or a bank debit is on its way.

    Its unpaid orders stay locked, so that nobody begins to pay before the commit.
    """
    return bool(_unpaid(session, _is_for(session, [animal_id]), true())[1])


def leave_out_gone(session: Session, order: Order, *, actor: str, clock: Clock) -> Order | None:
    """The same for a locked order whose attempt to pay came to nothing, if an animal in it is gone meanwhile.

    Or if whoever owes has left it: else the others who keep it could neither pay nor apply.

    What is owed from now on: the order as it is, the one that asks anew for the other animals, or nothing.
    """
    if order.state is not OrderState.OPEN:
        return None
    its_license = func.coalesce(OrderLine.license_id, TagRequest.license_id)
    its_animal = func.coalesce(License.animal_id, DangerousRegistration.animal_id)
    is_left = ~exists().where(
        Keeper.animal_id == Animal.id, Keeper.person_id == order.person_id, Keeper.until.is_(None)
    )
    gone = (
        select(Animal.id)
        .select_from(OrderLine)
        .outerjoin(TagRequest, TagRequest.id == OrderLine.tag_request_id)
        .outerjoin(License, License.id == its_license)
        .outerjoin(DangerousRegistration, DangerousRegistration.id == OrderLine.dangerous_registration_id)
        .join(Animal, Animal.id == its_animal)
        .where(OrderLine.order_id == order.id, or_(Animal.state != AnimalState.KEPT, is_left))
    )
    if not (gone_ids := session.scalars(gone.distinct()).all()):
        return order
    return _cancel(session, order, _is_for(session, gone_ids), because=GONE_OR_LEFT, actor=actor, clock=clock)


def _unpaid(
    session: Session, is_its: ColumnElement[bool], whose: ColumnElement[bool]
) -> tuple[Sequence[Order], set[UUID]]:
    """The open orders, locked, that a line of is `is_its`; and which of them somebody has begun to pay."""
    pays_for_it = exists().where(OrderLine.order_id == Order.id, is_its)
    unpaid = select(Order).where(Order.state == OrderState.OPEN, whose, pays_for_it).order_by(Order.id)
    locked = session.scalars(unpaid.with_for_update()).all()
    begun = select(Payment.order_id).where(
        Payment.order_id.in_([order.id for order in locked]), Payment.state.in_(UNSETTLED)
    )
    return locked, {order_id for order_id in session.scalars(begun) if order_id}


def _is_for(session: Session, animal_ids: Sequence[UUID]) -> ColumnElement[bool]:
    """Whether a line pays for one of these animals."""
    its_licenses = list(session.scalars(select(License.id).where(License.animal_id.in_(animal_ids))))
    its_requests = list(session.scalars(select(TagRequest.id).where(TagRequest.license_id.in_(its_licenses))))
    its_years = select(DangerousRegistration.id).where(DangerousRegistration.animal_id.in_(animal_ids))
    return or_(
        OrderLine.license_id.in_(its_licenses),
        OrderLine.tag_request_id.in_(its_requests),
        OrderLine.dangerous_registration_id.in_(list(session.scalars(its_years))),
    )


def _cancel(
    session: Session, order: Order, is_its: ColumnElement[bool], *, because: str, actor: str, clock: Clock
) -> Order | None:
    """The order that asks anew for what is not the animal's, if there is anything."""
    order.state = OrderState.CANCELED
    session.flush()
    record_event(session, "order.canceled", order, actor=actor, because=because)
    of_it = OrderLine.order_id == order.id
    others = session.scalars(select(OrderLine).where(of_it, is_its.is_not(True)).order_by(OrderLine.id)).all()
    its_own = session.scalars(select(OrderLine.license_id).where(of_it, is_its, OrderLine.license_id.is_not(None)))
    withdraw_unissued(session, [license_id for license_id in its_own if license_id], actor=actor)
    if others:
        return _ask_anew(session, order, others, actor=actor, clock=clock)
    cancel_duplicates(session, order.id, clock=clock)
    return None


def _ask_anew(session: Session, canceled: Order, lines: Sequence[OrderLine], *, actor: str, clock: Clock) -> Order:
    """The same fees as quoted before, without the animal's; where its person chose the counter they still do."""
    charges = [
        Charge(
            kind=line.kind,
            description=line.description,
            amount_cents=line.amount_cents,
            resolution=line.resolution,
            license_id=line.license_id,
            tag_request_id=line.tag_request_id,
            dangerous_registration_id=line.dangerous_registration_id,
        )
        for line in lines
    ]
    person = session.get_one(Person, canceled.person_id)
    order = open_order(session, person=person, charges=charges, actor=actor, clock=clock)
    order.counter_chosen_at = canceled.counter_chosen_at
    session.flush()
    issue_ready(session, license_ids_of(session, order.id), clock=clock)
    return order
