"""What is owed for an animal is owed no more: it is gone, its keeper left, or it has its license already."""

from uuid import UUID

from sqlalchemy import ColumnElement, exists, or_, select, true
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.licenses import License
from portal.schema.orders import Order, OrderLine, OrderState, Payment
from portal.schema.tag_requests import TagRequest
from portal.services.duplicate_tag import cancel_duplicates
from portal.services.issue_license import withdraw_unissued
from portal.services.open_order import license_ids_of
from portal.services.orders import UNSETTLED
from portal.services.record_event import record_event


def cancel_unpaid(
    session: Session, animal_id: UUID, *, because: str, actor: str, clock: Clock, owed_by: UUID | None = None
) -> None:
    """Cancel orders, one person's or anyone's, that are for this animal alone and that nobody has begun to pay.

    The orders are locked before their payments are looked at: somebody may be pressing the button just now.
    """
    its_licenses = list(session.scalars(select(License.id).where(License.animal_id == animal_id)))
    its_requests = list(session.scalars(select(TagRequest.id).where(TagRequest.license_id.in_(its_licenses))))
    is_its = or_(OrderLine.license_id.in_(its_licenses), OrderLine.tag_request_id.in_(its_requests))
    pays_for_it = exists().where(OrderLine.order_id == Order.id, is_its)
    pays_for_more = exists().where(OrderLine.order_id == Order.id, is_its.is_not(True))
    whose: ColumnElement[bool] = Order.person_id == owed_by if owed_by else true()
    unpaid = select(Order).where(Order.state == OrderState.OPEN, whose, pays_for_it, ~pays_for_more).order_by(Order.id)
    locked = session.scalars(unpaid.with_for_update()).all()
    begun = select(Payment.order_id).where(
        Payment.order_id.in_([order.id for order in locked]), Payment.state.in_(UNSETTLED)
    )
    is_begun = set(session.scalars(begun))
    for order in (order for order in locked if order.id not in is_begun):
        order.state = OrderState.CANCELED
        session.flush()
        record_event(session, "order.canceled", order, actor=actor, because=because)
        withdraw_unissued(session, license_ids_of(session, order.id), actor=actor)
        cancel_duplicates(session, order.id, clock=clock)
