"""Look at what a person owes and has paid; anyone else's orders do not exist for them."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.schema.orders import Order, OrderLine, Payment, PaymentState
from portal.services.refusal import NotTheirs

UNSETTLED = (PaymentState.PENDING, PaymentState.PROCESSING)


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
