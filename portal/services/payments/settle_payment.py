"""Act on what the processor says became of a payment.

Safe to call twice: processors deliver at least once, and in any order. The state is the guard, and money that was
confirmed never becomes unconfirmed because an older event comes late.
"""

from collections.abc import Callable
from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.payments.processor import EventKind, ProcessorEvent, sum_in
from portal.schema.orders import Order, OrderState, Payment, PaymentState
from portal.schema.payment_questions import QuestionKind
from portal.services.licensing.cancel_unpaid import leave_out_gone
from portal.services.licensing.duplicate_tag import issue_duplicates
from portal.services.licensing.issue_license import issue_ready
from portal.services.orders.open_order import license_ids_of
from portal.services.orders.standing import UNSETTLED
from portal.services.orders.tell_payer import tell_payer
from portal.services.payments.note_dispute import note_dispute, note_dispute_closed
from portal.services.payments.note_refund import note_failed_refund, note_refund
from portal.services.payments.questions import USD, Doubt, ask_about_payment
from portal.services.payments.states import MONEY_CAME, note_state
from portal.services.record_event import PROCESSOR, record_event


def settle(session: Session, event: ProcessorEvent, *, clock: Clock) -> str | None:
    """What was done about the event, in a word; None when it has to wait for a row or an event still to come."""
    payment_id = _payment_id(session, event)
    if payment_id is None:
        return None
    order, payment = _lock(session, payment_id)
    if event.charge_reference and not payment.charge_reference:
        payment.charge_reference = event.charge_reference
    return _DEEDS[event.kind](session, order, payment, event, clock)


def mark_paid(session: Session, order: Order, payment: Payment, *, actor: str, clock: Clock) -> None:
    """The money for an open order is there: receipt, and each license that only waited for it."""
    now = clock.now()
    payment.state = PaymentState.PAID
    payment.paid_at = now
    payment.receipt_number = order.reference
    order.state = OrderState.PAID
    order.paid_at = now
    session.add(payment)
    session.flush()
    record_event(session, "payment.paid", payment, actor=actor, amount_cents=payment.amount_cents)
    record_event(session, "order.paid", order, actor=actor)
    tell_payer(session, order, template="receipt", clock=clock, method=payment.method.value)
    issue_ready(session, license_ids_of(session, order.id), clock=clock)
    issue_duplicates(session, order.id, clock=clock)


def _paid(session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock) -> str:
    if payment.state in MONEY_CAME:
        return "already settled"
    if event.amount_cents != payment.amount_cents or (event.currency or "").lower() != USD:
        return _another_amount(session, payment, event, clock)
    if order.state is not OrderState.OPEN:
        note_state(session, payment, PaymentState.DUPLICATE, clock=clock)
        return "paid twice"
    mark_paid(session, order, payment, actor=PROCESSOR, clock=clock)
    return "paid"


def _another_amount(session: Session, payment: Payment, event: ProcessorEvent, clock: Clock) -> str:
    """From now on the payment says what came; what was asked is in its order."""
    came, currency = event.amount_cents or 0, (event.currency or "").lower()
    payment.note = f"Paid {sum_in(came, currency or USD)}, asked {sum_in(payment.amount_cents, USD)}"
    if currency == USD:
        payment.amount_cents = came
    note_state(session, payment, PaymentState.MISMATCH, clock=clock)
    doubt = Doubt(kind=QuestionKind.AMOUNT_DIFFERS, told=payment.note, amount_cents=came, currency=currency)
    ask_about_payment(session, payment, doubt, actor=PROCESSOR)
    return "amount differs"


def _unpaid(session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock) -> str:
    is_ours_to_reopen = payment.state is PaymentState.EXPIRED and not _has_open_attempt(session, order)
    if payment.state is not PaymentState.PENDING and not is_ours_to_reopen:
        return "already known"
    note_state(session, payment, PaymentState.PROCESSING, clock=clock)
    return "on its way"


def _failed(session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock) -> str:
    if payment.state not in (PaymentState.PENDING, PaymentState.PROCESSING):
        return "already known"
    note_state(session, payment, PaymentState.FAILED, clock=clock)
    if owed := leave_out_gone(session, order, actor=PROCESSOR, clock=clock):
        tell_payer(session, owed, template="payment_failed", clock=clock)
    return "failed"


def _expired(session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock) -> str:
    if payment.state is not PaymentState.PENDING:
        return "already known"
    note_state(session, payment, PaymentState.EXPIRED, clock=clock)
    leave_out_gone(session, order, actor=PROCESSOR, clock=clock)
    return "expired"


_DEEDS: dict[EventKind, Callable[[Session, Order, Payment, ProcessorEvent, Clock], str | None]] = {
    EventKind.PAID: _paid,
    EventKind.UNPAID: _unpaid,
    EventKind.FAILED: _failed,
    EventKind.EXPIRED: _expired,
    EventKind.REFUNDED: note_refund,
    EventKind.REFUND_FAILED: note_failed_refund,
    EventKind.DISPUTED: note_dispute,
    EventKind.DISPUTE_CLOSED: note_dispute_closed,
}


def _payment_id(session: Session, event: ProcessorEvent) -> UUID | None:
    """By our own key when the event carries it, else by what the processor calls the page or the charge."""
    for column, value in (
        (Payment.id, event.payment_id),
        (Payment.checkout_reference, event.checkout_reference),
        (Payment.charge_reference, event.charge_reference),
    ):
        if value is not None and (found := session.scalar(select(Payment.id).where(column == value))):
            return found
    return None


def _has_open_attempt(session: Session, order: Order) -> bool:
    open_attempt = exists().where(Payment.order_id == order.id, Payment.state.in_(UNSETTLED))
    return bool(session.scalar(select(open_attempt)))


def _lock(session: Session, payment_id: UUID) -> tuple[Order, Payment]:
    """The order first, then its payment: the same order of locks everywhere."""
    fresh = {"populate_existing": True}
    its_order = select(Order).join(Payment, Payment.order_id == Order.id).where(Payment.id == payment_id)
    order = session.scalars(its_order.with_for_update(of=Order), execution_options=fresh).one()
    payment = session.get_one(Payment, payment_id, with_for_update=True, populate_existing=True)
    return order, payment
