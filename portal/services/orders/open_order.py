"""What a submission costs: one order, one line a fee, each with the resolution that set its fee (90.18)."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.orders import LineKind, Order, OrderLine, OrderState, Payment, PaymentMethod, PaymentState
from portal.schema.people import Person
from portal.services.orders.tell_payer import tell_payer
from portal.services.record_event import SYSTEM, record_event
from portal.services.secrets import new_reference

# 90.04(B)(7): license and tag receipts are kept apart; they first pay for enforcing the section.
LEDGER = "dog-licenses-and-tags"
LEDGER_OF_DANGEROUS_DOGS = "dangerous-dog-registrations"


@dataclass(frozen=True)
class Charge:
    """One fee as quoted, and what it pays for: a license, a duplicate tag or a year of a dangerous dog."""

    kind: LineKind
    description: str
    amount_cents: int
    resolution: str
    license_id: UUID | None = None
    tag_request_id: UUID | None = None
    dangerous_registration_id: UUID | None = None


def open_order(
    session: Session, *, person: Person, charges: list[Charge], actor: str, clock: Clock, key: UUID | None = None
) -> Order:
    """Open an order for the charges. One of nothing is settled at once and never goes to the processor.

    `key`: the order's own, where the same form may be sent twice.
    """
    order = Order(
        id=key or uuid4(),
        reference=new_reference(),
        person_id=person.id,
        total_cents=sum(charge.amount_cents for charge in charges),
    )
    session.add(order)
    session.flush()
    session.add_all(
        OrderLine(
            order_id=order.id,
            kind=charge.kind,
            license_id=charge.license_id,
            tag_request_id=charge.tag_request_id,
            dangerous_registration_id=charge.dangerous_registration_id,
            description=charge.description,
            amount_cents=charge.amount_cents,
            resolution=charge.resolution,
            ledger_code=LEDGER_OF_DANGEROUS_DOGS if charge.kind is LineKind.DANGEROUS_DOG else LEDGER,
        )
        for charge in charges
    )
    session.flush()
    record_event(session, "order.opened", order, actor=actor, total_cents=order.total_cents)
    if order.total_cents == 0:
        _settle_nothing(session, order, clock=clock)
    return order


def license_ids_of(session: Session, order_id: UUID) -> list[UUID]:
    """The licenses an order pays for."""
    paid_for = select(OrderLine.license_id).where(OrderLine.order_id == order_id, OrderLine.license_id.is_not(None))
    return [license_id for license_id in session.scalars(paid_for) if license_id]


def _settle_nothing(session: Session, order: Order, *, clock: Clock) -> None:
    """A receipt of $0.00, at once."""
    order.state = OrderState.PAID
    order.paid_at = clock.now()
    payment = Payment(
        order_id=order.id,
        method=PaymentMethod.NOTHING_DUE,
        state=PaymentState.PAID,
        amount_cents=0,
        receipt_number=order.reference,
        paid_at=order.paid_at,
    )
    session.add(payment)
    session.flush()
    record_event(session, "payment.paid", payment, actor=SYSTEM, amount_cents=0)
    record_event(session, "order.paid", order, actor=SYSTEM)
    tell_payer(session, order, template="receipt", clock=clock, method=payment.method.value)
