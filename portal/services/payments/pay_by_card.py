"""Pay an order by card on the processor's own page.

First the attempt is committed, then the page is asked for, then its address is noted: whatever dies in between, the
next press of the button finds the same attempt and the processor gives the same page.
"""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.payments.processor import Checkout, CheckoutLine, CheckoutRequest
from portal.ordinance.finding import Refusal
from portal.schema.orders import Order, OrderLine, OrderState, Payment, PaymentMethod, PaymentState
from portal.services.licensing.cancel_unpaid import leave_out_gone
from portal.services.orders.standing import UNSETTLED, lock_order
from portal.services.record_event import SYSTEM, keeper, record_event
from portal.services.refusal import Refused

PAGE_LASTS = timedelta(hours=2)
# Stripe closes a page no sooner than 30 minutes from now; a page asked for again must still have that long.
SOONEST_END = timedelta(minutes=31)

IS_CLOSED = "There is nothing more to pay here"
ON_ITS_WAY = "Your bank payment is on its way. You don’t need to pay again"
IN_QUESTION = "A payment came that differs from what is owed. We look into it; please don’t pay again"


@dataclass(frozen=True)
class CardAttempt:
    """An attempt to pay: the page to go to, or what to ask the processor for."""

    payment_id: UUID
    url: str | None
    request: CheckoutRequest


def begin_card_payment(
    session: Session, *, order_id: UUID, person_id: UUID | None, email: str, base_url: str, clock: Clock
) -> CardAttempt | None:
    """The order's open attempt, or a new one; None when what it asks for is owed no more.

    Raises Refused when more money could come twice.
    """
    order = lock_order(session, person_id=person_id, order_id=order_id)
    if order.state is not OrderState.OPEN:
        raise Refused([Refusal("90.04(B)(4)", IS_CLOSED)])
    if _has_mismatch(session, order):
        raise Refused([Refusal("90.04(B)(4)", IN_QUESTION)])
    payment = _open_attempt(session, order, clock=clock)
    if payment is None:
        if leave_out_gone(session, order, actor=SYSTEM, clock=clock) is not order:
            return None
        payment = _new_attempt(session, order, clock=clock)
    return CardAttempt(payment.id, payment.checkout_url, _request(session, order, payment, email, base_url))


def note_checkout(session: Session, *, payment_id: UUID, checkout: Checkout) -> None:
    """Note the processor's page for the attempt."""
    payment = session.get_one(Payment, payment_id, with_for_update=True)
    payment.checkout_reference = checkout.reference
    payment.checkout_url = checkout.url
    payment.checkout_expires_at = checkout.expires_at
    session.flush()


def give_up_attempt(session: Session, *, payment_id: UUID) -> None:
    """The processor refused the attempt: the next press of the button begins another, under its own key."""
    payment = session.get_one(Payment, payment_id, with_for_update=True)
    if payment.state is PaymentState.PENDING and payment.checkout_reference is None:
        payment.state = PaymentState.FAILED
        session.flush()
        record_event(session, "payment.failed", payment, actor=SYSTEM)


def _has_mismatch(session: Session, order: Order) -> bool:
    mismatch = exists().where(Payment.order_id == order.id, Payment.state == PaymentState.MISMATCH)
    return bool(session.scalar(select(mismatch)))


def _open_attempt(session: Session, order: Order, *, clock: Clock) -> Payment | None:
    unsettled = select(Payment).where(Payment.order_id == order.id, Payment.state.in_(UNSETTLED)).with_for_update()
    payment = session.scalar(unsettled, execution_options={"populate_existing": True})
    if payment is None:
        return None
    if payment.state is PaymentState.PROCESSING:
        raise Refused([Refusal("90.04(B)(4)", ON_ITS_WAY)])
    ends_at = payment.checkout_expires_at
    needed = timedelta(0) if payment.checkout_url else SOONEST_END
    if ends_at and ends_at > clock.now() + needed:
        return payment
    payment.state = PaymentState.EXPIRED
    session.flush()
    record_event(session, "payment.expired", payment, actor=SYSTEM)
    return None


def _new_attempt(session: Session, order: Order, *, clock: Clock) -> Payment:
    payment = Payment(
        order_id=order.id,
        method=PaymentMethod.CARD,
        state=PaymentState.PENDING,
        amount_cents=order.total_cents,
        checkout_expires_at=(clock.now() + PAGE_LASTS).replace(microsecond=0),
    )
    session.add(payment)
    session.flush()
    record_event(session, "payment.begun", payment, actor=keeper(order.person_id), amount_cents=payment.amount_cents)
    return payment


def _request(session: Session, order: Order, payment: Payment, email: str, base_url: str) -> CheckoutRequest:
    if payment.checkout_expires_at is None:
        raise ValueError("Every card attempt is made with an end")
    lines = select(OrderLine).where(OrderLine.order_id == order.id, OrderLine.amount_cents > 0).order_by(OrderLine.id)
    return CheckoutRequest(
        payment_id=payment.id,
        lines=tuple(CheckoutLine(line.description, line.amount_cents) for line in session.scalars(lines)),
        email=email,
        return_url=f"{base_url}/pay/{order.id}/return",
        cancel_url=f"{base_url}/pay/{order.id}",
        expires_at=payment.checkout_expires_at,
    )
