"""Hand money over the counter: from which account of the books it is taken, and that it left the till of that day.

What was paid at the counter is given back so, and what came by card where the payer stands at the counter.
"""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.orders import OrderLine, Payment
from portal.schema.refunds import CounterRefund
from portal.services.refusal import Refused

WHICH_FEE = "Choose the fee it is given back from"
MORE_THAN_FEE = "That is more than is left of this fee"


@dataclass(frozen=True)
class AccountLeft:
    """An account of the city's books that a payment went to, for which fees, and what of it is not given back."""

    ledger_code: str
    fees: str
    left_cents: int


@dataclass(frozen=True, kw_only=True)
class HandedOver:
    """How much, why and by whom; `ledger_code` is needed for a part of fees that went to several accounts."""

    amount_cents: int
    why: str
    officer: str
    ledger_code: str | None = None


def accounts_left(session: Session, payment: Payment) -> list[AccountLeft]:
    """What of a payment was not handed back over the counter, account by account."""
    return [one for one in _accounts(session, payment) if one.left_cents > 0]


def handed_over_cents(session: Session, payment: Payment) -> int:
    """How much of a payment was handed back over the counter."""
    wanted = select(func.coalesce(func.sum(CounterRefund.amount_cents), 0)).where(
        CounterRefund.payment_id == payment.id
    )
    return session.scalars(wanted).one()


def hand_over(session: Session, payment: Payment, handed: HandedOver, *, clock: Clock) -> None:
    """Write down that it left the till; what the payment says of itself is for whoever gives it back."""
    for code, cents in _taken_from(session, payment, handed).items():
        refund = CounterRefund(
            payment_id=payment.id,
            amount_cents=cents,
            ledger_code=code,
            given_by=handed.officer,
            why=handed.why.strip(),
            given_at=clock.now(),
        )
        session.add(refund)
    session.flush()


def _accounts(session: Session, payment: Payment) -> list[AccountLeft]:
    lines = (
        select(
            OrderLine.ledger_code,
            func.aggregate_strings(OrderLine.description, ", "),
            func.sum(OrderLine.amount_cents),
        )
        .where(OrderLine.order_id == payment.order_id)
        .group_by(OrderLine.ledger_code)
        .order_by(OrderLine.ledger_code)
    )
    given = (
        select(CounterRefund.ledger_code, func.sum(CounterRefund.amount_cents))
        .where(CounterRefund.payment_id == payment.id)
        .group_by(CounterRefund.ledger_code)
    )
    given_back = {code: int(cents) for code, cents in session.execute(given)}
    return [
        AccountLeft(code, fees, max(int(cents) - given_back.get(code, 0), 0))
        for code, fees, cents in session.execute(lines)
    ]


def _taken_from(session: Session, payment: Payment, handed: HandedOver) -> dict[str, int]:
    """From which account how much: from the one chosen, or from each in turn where no single one suffices."""
    accounts, cents = _accounts(session, payment), handed.amount_cents
    if cents == sum(one.left_cents for one in accounts):
        return _in_turn(accounts, cents)
    if handed.ledger_code:
        chosen = [one for one in accounts if one.ledger_code == handed.ledger_code]
        if chosen and cents > chosen[0].left_cents:
            raise Refused([Refusal(Rule.LICENSE_FEE, MORE_THAN_FEE, "amount")])
    else:
        chosen = [one for one in accounts if one.left_cents >= cents]
        if not chosen:
            return _in_turn(accounts, cents)
    if len(chosen) != 1:
        raise Refused([Refusal(Rule.LICENSE_FEE, WHICH_FEE, "account")])
    return {chosen[0].ledger_code: cents}


def _in_turn(accounts: list[AccountLeft], cents: int) -> dict[str, int]:
    """All that is left of the first, then of the next. More than the fees came to is taken from the last."""
    taken = {}
    for one in accounts:
        taken[one.ledger_code] = min(one.left_cents, cents)
        cents -= taken[one.ledger_code]
    taken[accounts[-1].ledger_code] += cents
    return {code: part for code, part in taken.items() if part}
