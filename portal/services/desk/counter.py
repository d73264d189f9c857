"""Fees that people bring to the police counter (90.04(B)(4))."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.orders import Order, OrderLine, OrderState, Payment
from portal.schema.people import Person
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, promised
from portal.services.folding import surname
from portal.services.secrets import read_spoken_code

COMES = (Order.state == OrderState.OPEN, Order.counter_chosen_at.is_not(None))
MOST_FOUND = 50


@dataclass(frozen=True)
class CounterOrder:
    """An order as it lies on the counter: who pays, for what, and what was paid."""

    order: Order
    person: Person
    lines: tuple[OrderLine, ...]
    payments: tuple[Payment, ...]

    @property
    def is_open(self) -> bool:
        """True while it may be paid here."""
        return self.order.state is OrderState.OPEN


def order_view(session: Session, order_id: UUID) -> CounterOrder:
    """One order, whatever its state."""
    order = session.get_one(Order, order_id)
    lines = select(OrderLine).where(OrderLine.order_id == order_id).order_by(OrderLine.description, OrderLine.id)
    payments = select(Payment).where(Payment.order_id == order_id).order_by(Payment.created_at.desc())
    return CounterOrder(
        order,
        session.get_one(Person, order.person_id),
        tuple(session.scalars(lines)),
        tuple(session.scalars(payments)),
    )


def orders_found(session: Session, typed: str) -> list[tuple[Order, Person]]:
    """Open orders by the reference on the slip, or by the payer's family name; those who come here first."""
    is_meant = or_(
        Order.reference == read_spoken_code(typed),
        Order.person_id.in_(select(Person.id).where(func.animal_control.surname(Person.name) == surname(typed))),
    )
    wanted = (
        select(Order, Person)
        .join(Person, Person.id == Order.person_id)
        .where(Order.state == OrderState.OPEN, is_meant)
        .order_by(Order.counter_chosen_at.nulls_last(), Order.created_at)
        .limit(MOST_FOUND)
    )
    return [(order, person) for order, person in session.execute(wanted)]


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    wanted = (
        select(Order, Person.name)
        .join(Person, Person.id == Order.person_id)
        .where(*COMES)
        .order_by(Order.counter_chosen_at)
        .limit(limit)
    )
    return [_line(order, name, city) for order, name in session.execute(wanted)]


def _line(order: Order, name: str, city: City) -> Waiting:
    since = order.counter_chosen_at or order.created_at
    return Waiting(
        item_id=order.id,
        what=f"{name} pays at the counter",
        detail=f"{order.reference}, ${order.total_cents / 100:.2f}",
        since=since,
        due_on=promised(since, city.desk.answer_days, city=city),
    )


HOW_MANY = select(func.count()).select_from(Order).where(*COMES)
COUNTER = Queue("counter", "Paying at the counter", StaffRole.CLERK, _find, HOW_MANY)
