"""Money in question pays another order: one that is open and about the same sum, which the payment then belongs to."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.orders import Order, OrderState, Payment, PaymentMethod, PaymentState
from portal.schema.payment_questions import PaymentQuestion
from portal.services.payments.settle_payment import mark_paid
from portal.services.refusal import Refused
from portal.services.secrets import read_spoken_code

WHICH_ORDER = "Enter the reference of an order that is not paid"
KNOWN_NOW = "The portal knows this payment by now"
ANOTHER_SUM = "That order is about another amount"
IS_SPLIT = "A part of this payment counts already: it can’t pay another order"


def other_order(session: Session, question: PaymentQuestion, payment: Payment | None, reference: str) -> Order:
    """An open order of the same sum, locked; raises Refused."""
    wanted = select(Order).where(Order.reference == read_spoken_code(reference), Order.state == OrderState.OPEN)
    other = session.scalar(wanted.with_for_update(), execution_options={"populate_existing": True})
    if other is None:
        raise Refused([Refusal(Rule.FEES, WHICH_ORDER, "against")])
    if other.total_cents != question.amount_cents:
        raise Refused([Refusal(Rule.FEES, ANOTHER_SUM, "against")])
    if payment and (payment.receipt_number or payment.refunded_cents):
        raise Refused([Refusal(Rule.FEES, IS_SPLIT, "outcome")])
    known = select(Payment.id).where(Payment.charge_reference == question.charge_reference)
    if payment is None and session.scalar(known):
        raise Refused([Refusal(Rule.FEES, KNOWN_NOW, "outcome")])
    return other


def set_against(
    session: Session, question: PaymentQuestion, payment: Payment | None, other: Order, *, actor: str, clock: Clock
) -> None:
    """It pays the other order; from now on the payment is that order's."""
    paying = payment or Payment(
        method=PaymentMethod.CARD, state=PaymentState.PENDING, charge_reference=question.charge_reference
    )
    paying.order_id = other.id
    paying.amount_cents = question.amount_cents
    paying.note = question.reason
    mark_paid(session, other, paying, actor=actor, clock=clock)
    question.payment_id = paying.id
