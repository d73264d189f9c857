"""Find out what became of payments whose events were lost, and put right what is left over.

The processor is asked with no transaction open; what it says is turned into an event and goes the way that its own
events go, so a webhook that comes after all changes nothing.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import and_, exists, func, or_, select, tuple_
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.payments.processor import (
    Checkout,
    CheckoutState,
    EventKind,
    PaymentProcessor,
    ProcessorEvent,
    ProcessorRefused,
    refund_read,
)
from portal.schema.orders import Order, OrderState, Payment, PaymentMethod, PaymentState
from portal.schema.outbox import ReceivedEvent
from portal.schema.payment_questions import PaymentQuestion, QuestionKind
from portal.services.orders.standing import UNSETTLED
from portal.services.payments.questions import Doubt, ask_about_payment
from portal.services.record_event import PROCESSOR

BATCH = 100
# The payer is still typing, and the event is on its way.
YOUNGEST = timedelta(minutes=1)
# The processor closes its page on time; its word for that may take a little.
GRACE = timedelta(minutes=10)
ENDED_LATELY = timedelta(days=2)
# A bank debit that has not come by then does not come.
BANK_DEBIT_TAKES = timedelta(days=14)


@dataclass(frozen=True)
class OpenAttempt:
    """An attempt to pay that nobody has told the end of."""

    payment_id: UUID
    checkout_reference: str | None
    ends_at: datetime
    is_processing: bool
    is_order_open: bool
    begun_at: datetime


@dataclass(frozen=True)
class Duplicate:
    """Money that came for an order that was paid already."""

    payment_id: UUID
    charge_reference: str
    amount_cents: int
    begun_at: datetime


def open_attempts(session: Session, *, clock: Clock, after: OpenAttempt | None = None) -> list[OpenAttempt]:
    """The next batch of attempts to ask about, oldest first; an empty one ends the round."""
    now = clock.now()
    is_told = exists().where(ReceivedEvent.id == func.concat("read:", Payment.checkout_reference, ":expired"))
    is_open = and_(
        Payment.state.in_(UNSETTLED), or_(Payment.created_at < now - YOUNGEST, Order.state != OrderState.OPEN)
    )
    # We closed it ourselves because its time was over; the processor may know of a payment in the last second.
    is_ended = and_(
        Payment.state == PaymentState.EXPIRED,
        Payment.checkout_reference.is_not(None),
        Payment.created_at > now - ENDED_LATELY,
        ~is_told,
    )
    wanted = (
        select(Payment, Order.state)
        .join(Order, Order.id == Payment.order_id)
        .where(Payment.method == PaymentMethod.CARD, or_(is_open, is_ended))
        .order_by(Payment.created_at, Payment.id)
        .limit(BATCH)
    )
    if after:
        wanted = wanted.where(tuple_(Payment.created_at, Payment.id) > (after.begun_at, after.payment_id))
    return [
        OpenAttempt(
            payment_id=payment.id,
            checkout_reference=payment.checkout_reference,
            ends_at=payment.checkout_expires_at or payment.created_at + BANK_DEBIT_TAKES,
            is_processing=payment.state is PaymentState.PROCESSING,
            is_order_open=order_state is OrderState.OPEN,
            begun_at=payment.created_at,
        )
        for payment, order_state in session.execute(wanted)
    ]


def ask_processor(processor: PaymentProcessor, attempt: OpenAttempt, *, clock: Clock) -> ProcessorEvent | None:
    """What became of the attempt, as an event; None while it is open. Never call this inside a transaction.

    The page of an order that was paid otherwise is closed, so that nobody pays on it.
    """
    now = clock.now()
    if attempt.checkout_reference is None:
        # We died before we learned of the page, so the payer was never sent there.
        return _event(attempt, EventKind.EXPIRED, now) if attempt.ends_at + GRACE < now else None
    try:
        checkout = processor.read_checkout(attempt.checkout_reference)
        if checkout.state is CheckoutState.OPEN and not attempt.is_order_open:
            checkout = _close(processor, attempt.checkout_reference)
    except ProcessorRefused:
        # It does not know the page, and after its end nobody can pay on it.
        if attempt.is_processing or attempt.ends_at + GRACE >= now:
            raise
        return _event(attempt, EventKind.EXPIRED, now)
    return _outcome(attempt, checkout, now)


def duplicates(session: Session, *, after: Duplicate | None = None) -> list[Duplicate]:
    """The next batch of payments to give back, oldest first; an empty one ends the round.

    One that a person was asked about, since it did not go back, is left to them.
    """
    is_asked = exists().where(PaymentQuestion.payment_id == Payment.id)
    twice = (
        select(Payment)
        .where(Payment.state == PaymentState.DUPLICATE, Payment.charge_reference.is_not(None), ~is_asked)
        .order_by(Payment.created_at, Payment.id)
        .limit(BATCH)
    )
    if after:
        twice = twice.where(tuple_(Payment.created_at, Payment.id) > (after.begun_at, after.payment_id))
    return [
        Duplicate(payment.id, payment.charge_reference, payment.amount_cents, payment.created_at)
        for payment in session.scalars(twice)
        if payment.charge_reference
    ]


def give_back(processor: PaymentProcessor, duplicate: Duplicate, *, clock: Clock) -> ProcessorEvent:
    """Give a duplicate back, with no transaction open; asked again after a crash, the processor does it once."""
    refund = processor.refund(
        charge_reference=duplicate.charge_reference,
        amount_cents=duplicate.amount_cents,
        idempotency_key=f"duplicate:{duplicate.payment_id}",
    )
    return refund_read(
        refund,
        payment_id=duplicate.payment_id,
        charge_reference=duplicate.charge_reference,
        amount_cents=duplicate.amount_cents,
        refunded_cents=duplicate.amount_cents,
        detail="paid twice",
        at=clock.now(),
    )


def ask_about_duplicate(session: Session, duplicate: Duplicate, *, told: str) -> None:
    """The processor will not give it back: a person has to find another way."""
    payment = session.get_one(Payment, duplicate.payment_id, with_for_update=True)
    if payment.state is PaymentState.DUPLICATE:
        doubt = Doubt(kind=QuestionKind.PAID_TWICE, told=told, amount_cents=duplicate.amount_cents)
        ask_about_payment(session, payment, doubt, actor=PROCESSOR)


def _close(processor: PaymentProcessor, reference: str) -> Checkout:
    try:
        return processor.expire_checkout(reference)
    except ProcessorRefused:
        # The payer was quicker: read what they did.
        return processor.read_checkout(reference)


def _outcome(attempt: OpenAttempt, checkout: Checkout, now: datetime) -> ProcessorEvent | None:
    if checkout.state is CheckoutState.EXPIRED:
        return _event(attempt, EventKind.EXPIRED, now)
    if checkout.state is CheckoutState.OPEN:
        return None
    if not checkout.is_paid and attempt.is_processing:
        return _event(attempt, EventKind.FAILED, now) if attempt.begun_at + BANK_DEBIT_TAKES < now else None
    kind = EventKind.PAID if checkout.is_paid else EventKind.UNPAID
    return replace(
        _event(attempt, kind, now),
        charge_reference=checkout.charge_reference,
        amount_cents=checkout.amount_cents,
        currency=checkout.currency,
    )


def _event(attempt: OpenAttempt, kind: EventKind, now: datetime) -> ProcessorEvent:
    return ProcessorEvent(
        id=f"read:{attempt.checkout_reference or attempt.payment_id}:{kind.value}",
        kind=kind,
        occurred_at=now,
        payment_id=attempt.payment_id,
        checkout_reference=attempt.checkout_reference,
    )
