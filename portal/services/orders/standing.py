"""Look at what a person owes and has paid; anyone else's orders do not exist for them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.schema.orders import Order, OrderLine, OrderState, Payment, PaymentState
from portal.services.refusal import NotTheirs

UNSETTLED = (PaymentState.PENDING, PaymentState.PROCESSING)
# How the note of a payment begins that the bank did not take back; a person has to find another way.
REFUND_FAILED = "Refund failed: "
NOT_CHARGED = (PaymentState.FAILED, PaymentState.EXPIRED)


class Standing(StrEnum):
    """Where an order stands, as the person who owes it reads it."""

    OPEN = "open"
    STARTED = "started"  # a card page is open; it may have been paid a moment ago
    ON_ITS_WAY = "on_its_way"  # a bank debit that takes days
    IN_QUESTION = "in_question"  # money came that is not what was asked: a person looks at it
    PAID = "paid"
    REFUNDED = "refunded"
    CANCELED = "canceled"


CLOSED = {
    OrderState.PAID: Standing.PAID,
    OrderState.REFUNDED: Standing.REFUNDED,
    OrderState.CANCELED: Standing.CANCELED,
}


@dataclass(frozen=True)
class OrderView:
    """An order with its lines and its attempts to pay, newest first."""

    order: Order
    lines: tuple[OrderLine, ...]
    payments: tuple[Payment, ...]

    @property
    def settled(self) -> Payment | None:
        """The payment that the receipt is for."""
        return next((payment for payment in self.payments if payment.receipt_number), None)

    @property
    def attempt(self) -> Payment | None:
        """The attempt that is still open, if any."""
        return next((payment for payment in self.payments if payment.state in UNSETTLED), None)

    @property
    def last(self) -> Payment | None:
        """The newest attempt."""
        return self.payments[0] if self.payments else None

    @property
    def surplus(self) -> tuple[Payment, ...]:
        """Money that came although the order was paid already; it is given back."""
        return tuple(payment for payment in self.payments if payment.paid_at and not payment.receipt_number)

    @property
    def resolutions(self) -> tuple[str, ...]:
        """The resolutions that set the fees, each once (90.18)."""
        return tuple(dict.fromkeys(line.resolution for line in self.lines))

    def standing(self, *, now: datetime) -> Standing:
        """Where the order stands."""
        if self.order.state in CLOSED:
            return CLOSED[self.order.state]
        if any(payment.state is PaymentState.MISMATCH for payment in self.payments):
            return Standing.IN_QUESTION
        attempt = self.attempt
        if attempt is None:
            return Standing.OPEN
        if attempt.state is PaymentState.PROCESSING:
            return Standing.ON_ITS_WAY
        ends_at = attempt.checkout_expires_at
        return Standing.STARTED if attempt.checkout_url and ends_at and ends_at > now else Standing.OPEN

    def was_not_charged(self, *, now: datetime) -> bool:
        """The newest attempt came to nothing, and the order can be paid anew."""
        last = self.last
        return last is not None and last.state in NOT_CHARGED and self.standing(now=now) is Standing.OPEN


def order_of(session: Session, *, person_id: UUID | None, order_id: UUID) -> OrderView:
    """A person's own order; raises NotTheirs."""
    mine = select(Order).where(Order.id == order_id, Order.person_id == person_id)
    order = session.scalar(mine)
    if order is None:
        raise NotTheirs("No such order")
    lines = select(OrderLine).where(OrderLine.order_id == order.id).order_by(OrderLine.description)
    payments = select(Payment).where(Payment.order_id == order.id).order_by(Payment.created_at.desc())
    return OrderView(order, tuple(session.scalars(lines)), tuple(session.scalars(payments)))


def lock_order(session: Session, *, person_id: UUID | None, order_id: UUID) -> Order:
    """The same, locked before anything about it is decided; payments are always locked after their order."""
    mine = select(Order).where(Order.id == order_id, Order.person_id == person_id).with_for_update()
    order = session.scalar(mine, execution_options={"populate_existing": True})
    if order is None:
        raise NotTheirs("No such order")
    return order
