"""Pay an order at the police counter: the person says so, and staff take the money (90.04(B)(4))."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.schema.orders import Order, OrderState, Payment, PaymentMethod, PaymentState
from portal.services.orders.standing import lock_order
from portal.services.payments.pay_by_card import IS_CLOSED
from portal.services.payments.settle_payment import mark_paid
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import read_spoken_code


def choose_counter(session: Session, *, order_id: UUID, person_id: UUID | None, clock: Clock) -> Order:
    """Note that the person will come to the counter; they may still pay by card."""
    order = lock_order(session, person_id=person_id, order_id=order_id)
    if order.state is not OrderState.OPEN:
        raise Refused([Refusal("90.04(B)(4)", IS_CLOSED)])
    if order.counter_chosen_at is None:
        order.counter_chosen_at = clock.now()
        session.flush()
        record_event(session, "order.counter_chosen", order, actor=keeper(order.person_id))
    return order


def take_counter_payment(session: Session, *, reference: str, officer: str, clock: Clock) -> Payment:
    """Staff took the whole amount at the counter; raises NotTheirs or Refused."""
    wanted = select(Order).where(Order.reference == read_spoken_code(reference)).with_for_update()
    order = session.scalar(wanted, execution_options={"populate_existing": True})
    if order is None:
        raise NotTheirs(f"There is no order {reference}")
    if order.state is not OrderState.OPEN:
        raise Refused([Refusal("90.04(B)(4)", f"Order {order.reference} is {order.state.value} already")])
    payment = Payment(
        order_id=order.id,
        method=PaymentMethod.COUNTER,
        state=PaymentState.PENDING,
        amount_cents=order.total_cents,
        taken_by=officer,
    )
    mark_paid(session, order, payment, actor=f"officer:{officer}", clock=clock)
    return payment
