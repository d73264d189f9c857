"""The till of a day: what was taken at the counter, by whom and for what, and what was given back (90.04(B)(7)).

Both sides have one sum: what was taken is what the lines of the orders say, and what was given back is what the
payments say of themselves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from sqlalchemy import ColumnElement, case, exists, func, select, union
from sqlalchemy.orm import Session

from portal.city import City
from portal.schema.orders import Order, OrderLine, Payment, PaymentMethod, PaymentState
from portal.schema.people import Person
from portal.schema.refunds import CounterRefund

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
class GivenBack:
    """Money handed back, whenever it was taken, from one account of the city's books."""

    receipt_number: str
    payer: str
    amount_cents: int
    ledger_code: str
    given_by: str
    given_at: datetime
    why: str


@dataclass(frozen=True)
class Sum:
    """What was taken of one kind, and what of that kind was given back."""

    of: str
    count: int
    amount_cents: int
    given_back_cents: int = 0

    @property
    def left_cents(self) -> int:
        """What lies in the till."""
        return self.amount_cents - self.given_back_cents


@dataclass(frozen=True)
class Till:
    """A day at the counter."""

    on: date
    payments: tuple[Taken, ...]
    given_back: tuple[GivenBack, ...]
    by_ledger: tuple[Sum, ...]
    by_person: tuple[Sum, ...]
    refunds_agree: bool
    """What was given back of the day's payments is what each of them says was."""

    @property
    def total_cents(self) -> int:
        """All that was taken."""
        return sum(one.amount_cents for one in self.payments)

    @property
    def given_back_cents(self) -> int:
        """All that was given back."""
        return sum(one.amount_cents for one in self.given_back)

    @property
    def left_cents(self) -> int:
        """What has to lie in the till."""
        return self.total_cents - self.given_back_cents

    @property
    def lines_cents(self) -> int:
        """All that was owed by what was paid."""
        return sum(one.amount_cents for one in self.by_ledger)

    @property
    def is_balanced(self) -> bool:
        """True when both sides have one sum."""
        return self.total_cents == self.lines_cents and self.refunds_agree


def till_of(session: Session, on: date, *, city: City) -> Till:
    """The day's payments at the counter and what was given back there, oldest first, and their sums."""
    begins = datetime.combine(on, time(), city.time_zone)
    ends = datetime.combine(on + timedelta(days=1), time(), city.time_zone)
    payments = _payments(session, begins, ends)
    given_back = _given_back(session, begins, ends)
    return Till(
        on,
        payments,
        given_back,
        _by_ledger(session, begins, ends, given_back),
        _by_person(payments, given_back),
        refunds_agree=_refunds_agree(session, begins, ends),
    )


def _payments(session: Session, begins: datetime, ends: datetime) -> tuple[Taken, ...]:
    wanted = (
        select(Payment.receipt_number, Person.name, Payment.amount_cents, Payment.taken_by, Payment.paid_at)
        .join(Order, Order.id == Payment.order_id)
        .join(Person, Person.id == Order.person_id)
        .where(*_taken(begins, ends))
        .order_by(Payment.paid_at, Payment.id)
    )
    return tuple(
        Taken(number or "", payer, cents, by or "", at or begins)
        for number, payer, cents, by, at in session.execute(wanted)
    )


def _given_back(session: Session, begins: datetime, ends: datetime) -> tuple[GivenBack, ...]:
    wanted = (
        select(
            Payment.receipt_number,
            Person.name,
            CounterRefund.amount_cents,
            CounterRefund.ledger_code,
            CounterRefund.given_by,
            CounterRefund.given_at,
            CounterRefund.why,
        )
        .join(Payment, Payment.id == CounterRefund.payment_id)
        .join(Order, Order.id == Payment.order_id)
        .join(Person, Person.id == Order.person_id)
        .where(CounterRefund.given_at >= begins, CounterRefund.given_at < ends)
        .order_by(CounterRefund.given_at, CounterRefund.id)
    )
    return tuple(
        GivenBack(number or "", payer, cents, code, by, at, why)
        for number, payer, cents, code, by, at, why in session.execute(wanted)
    )


def _by_ledger(session: Session, begins: datetime, ends: datetime, given_back: Sequence[GivenBack]) -> tuple[Sum, ...]:
    lines = (
        select(OrderLine.ledger_code, func.count(), func.sum(OrderLine.amount_cents))
        .join(Payment, Payment.order_id == OrderLine.order_id)
        .where(*_taken(begins, ends))
        .group_by(OrderLine.ledger_code)
    )
    taken = {code: (count, int(cents)) for code, count, cents in session.execute(lines)}
    returned = _sums((one.ledger_code, one.amount_cents) for one in given_back)
    return tuple(Sum(code, *taken.get(code, (0, 0)), returned.get(code, 0)) for code in sorted(taken | returned))


def _by_person(payments: Sequence[Taken], given_back: Sequence[GivenBack]) -> tuple[Sum, ...]:
    taken = _sums((one.taken_by, one.amount_cents) for one in payments)
    returned = _sums((one.given_by, one.amount_cents) for one in given_back)
    number = {name: sum(one.taken_by == name for one in payments) for name in taken}
    return tuple(
        Sum(name, number.get(name, 0), taken.get(name, 0), returned.get(name, 0)) for name in sorted(taken | returned)
    )


def _sums(amounts: Iterable[tuple[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for of, cents in amounts:
        found[of] = found.get(of, 0) + cents
    return found


def _taken(begins: datetime, ends: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        Payment.method == PaymentMethod.COUNTER,
        Payment.paid_at >= begins,
        Payment.paid_at < ends,
        Payment.state.in_(TAKEN),
    )


def _refunds_agree(session: Session, begins: datetime, ends: datetime) -> bool:
    """Each payment that was taken or given back that day says of itself what its refunds say together.

    Of what came by card more may have gone back than was handed over: to the card.
    """
    of_the_day = select(CounterRefund.payment_id).where(CounterRefund.given_at >= begins, CounterRefund.given_at < ends)
    given = (
        select(func.coalesce(func.sum(CounterRefund.amount_cents), 0))
        .where(CounterRefund.payment_id == Payment.id)
        .scalar_subquery()
    )
    asked = union(select(Payment.id).where(*_taken(begins, ends)), of_the_day)
    differs = case(
        (Payment.method == PaymentMethod.COUNTER, Payment.refunded_cents != given), else_=Payment.refunded_cents < given
    )
    wrong = select(Payment.id).where(Payment.id.in_(asked), differs)
    return session.scalar(select(exists(wrong))) is False
