"""What the states of a payment mean, and how the processor's word changes them."""

from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.orders import Payment, PaymentState
from portal.services.record_event import PROCESSOR, record_event

MONEY_CAME = frozenset(
    {
        PaymentState.PAID,
        PaymentState.PARTLY_REFUNDED,
        PaymentState.REFUNDED,
        PaymentState.DISPUTED,
        PaymentState.DUPLICATE,
        PaymentState.MISMATCH,
    }
)


def kept_state(payment: Payment) -> PaymentState:
    """The state of money that came, by how much of it went back."""
    if payment.refunded_cents == 0:
        return PaymentState.PAID if payment.receipt_number else PaymentState.DUPLICATE
    is_whole = payment.refunded_cents == payment.amount_cents
    return PaymentState.REFUNDED if is_whole else PaymentState.PARTLY_REFUNDED


def note_state(session: Session, payment: Payment, state: PaymentState, *, clock: Clock) -> None:
    """The processor says so: from now on the payment is in this state, and the feed tells."""
    payment.state = state
    if state in MONEY_CAME and payment.paid_at is None:
        payment.paid_at = clock.now()
    session.flush()
    record_event(session, f"payment.{state.value}", payment, actor=PROCESSOR, refunded_cents=payment.refunded_cents)
