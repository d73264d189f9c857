"""The till of a day: what was taken at the counter, by whom and for what (90.04(B)(7)). Both sides have one sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.schema.orders import Order, OrderLine, Payment, PaymentMethod, PaymentState
from portal.schema.people import Person

TAKEN = (PaymentState.PAID, PaymentState.PARTLY_REFUNDED, PaymentState.REFUNDED)


@dataclass(frozen=True)
class Taken:
    """One payment at the counter."""

    receipt_number: str
    payer: str
    amount_cents: int
    taken_by: str
    paid_at: datetime


@dataclass(frozen=True)
class Sum:
    """What was taken of one kind."""

    of: str
    count: int
    amount_cents: int


@dataclass(frozen=True)
class Till:
    """A day at the counter. `is_balanced`: what was taken is what the lines of the orders say."""

    on: date
    payments: tuple[Taken, ...]
    by_ledger: tuple[Sum, ...]
    by_person: tuple[Sum, ...]

    @property
    def total_cents(self) -> int:
        """All that was taken."""
        return sum(one.amount_cents for one in self.payments)

    @property
    def lines_cents(self) -> int:
        """All that was owed by what was paid."""
        return sum(one.amount_cents for one in self.by_ledger)

    @property
    def is_balanced(self) -> bool:
        """True when both sums are the same."""
        return self.total_cents == self.lines_cents


def till_of(session: Session, on: date, *, city: City) -> Till:
    """The day's payments at the counter, oldest first, and their sums."""
    begins = datetime.combine(on, time(), city.time_zone)
    ends = datetime.combine(on + timedelta(days=1), time(), city.time_zone)
    that_day = (
        Payment.method == PaymentMethod.COUNTER,
        Payment.paid_at >= begins,
        Payment.paid_at < ends,
        Payment.state.in_(TAKEN),
    )
    wanted = (
        select(Payment.receipt_number, Person.name, Payment.amount_cents, Payment.taken_by, Payment.paid_at)
        .join(Order, Order.id == Payment.order_id)
        .join(Person, Person.id == Order.person_id)
        .where(*that_day)
        .order_by(Payment.paid_at, Payment.id)
    )
    payments = tuple(
        Taken(number or "", payer, cents, by or "", at or begins)
        for number, payer, cents, by, at in session.execute(wanted)
    )
    ledgers = (
        select(OrderLine.ledger_code, func.count(), func.sum(OrderLine.amount_cents))
        .join(Payment, Payment.order_id == OrderLine.order_id)
        .where(*that_day)
        .group_by(OrderLine.ledger_code)
        .order_by(OrderLine.ledger_code)
    )
    by_ledger = tuple(Sum(code, count, int(cents)) for code, count, cents in session.execute(ledgers))
    return Till(on, payments, by_ledger, _by_person(payments))


def _by_person(payments: Sequence[Taken]) -> tuple[Sum, ...]:
    names = sorted({one.taken_by for one in payments})
    mine = {name: [one.amount_cents for one in payments if one.taken_by == name] for name in names}
    return tuple(Sum(name, len(amounts), sum(amounts)) for name, amounts in mine.items())
