"""Act on what the processor says became of a payment.

Safe to call twice: processors deliver at least once, and in any order. The state is the guard, and money that was
confirmed never becomes unconfirmed because an older event comes late.
"""

from collections.abc import Callable
from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.payments import EventKind, ProcessorEvent
from portal.schema.orders import Order, OrderState, Payment, PaymentState
from portal.schema.payment_questions import QuestionKind, QuestionOutcome
from portal.services.cancel_unpaid import leave_out_gone
from portal.services.duplicate_tag import issue_duplicates
from portal.services.give_back import tell_given_back
from portal.services.issue_license import issue_ready, withdraw_unissued
from portal.services.open_order import license_ids_of
from portal.services.orders import REFUND_FAILED, UNSETTLED
from portal.services.payment_questions import (
    USD,
    Doubt,
    ask_about_payment,
    came_in_other_money,
    has_open_question,
    settled_by_processor,
    was_asked,
)
from portal.services.record_event import PROCESSOR, record_event
from portal.services.tell_payer import tell_payer

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
# An inquiry that the bank closes without taking anything back counts as one that the city won.
# https://docs.stripe.com/api/disputes/object#dispute_object-status
DISPUTE_WON = frozenset({"won", "warning_closed"})
DISPUTE_CLOSED = "Dispute closed: "
AMOUNT_DIFFERS = QuestionKind.AMOUNT_DIFFERS
# What there is no more to decide about once the money went back.
OVER_WHEN_REFUNDED = (AMOUNT_DIFFERS, QuestionKind.PAID_TWICE, QuestionKind.REFUND_FAILED)


def settle(session: Session, event: ProcessorEvent, *, clock: Clock) -> str | None:
    """What was done about the event, in a word; None when it has to wait for a row or an event still to come."""
    payment_id = _payment_id(session, event)
    if payment_id is None:
        return None
    order, payment = _lock(session, payment_id)
    if event.charge_reference and not payment.charge_reference:
        payment.charge_reference = event.charge_reference
    return _DEEDS[event.kind](session, order, payment, event, clock)


def mark_paid(session: Session, order: Order, payment: Payment, *, actor: str, clock: Clock) -> None:
    """The money for an open order is there: receipt, and each license that only waited for it."""
    now = clock.now()
    payment.state = PaymentState.PAID
    payment.paid_at = now
    payment.receipt_number = order.reference
    order.state = OrderState.PAID
    order.paid_at = now
    session.add(payment)
    session.flush()
    record_event(session, "payment.paid", payment, actor=actor, amount_cents=payment.amount_cents)
    record_event(session, "order.paid", order, actor=actor)
    tell_payer(session, order, template="receipt", clock=clock, method=payment.method.value)
    issue_ready(session, license_ids_of(session, order.id), clock=clock)
    issue_duplicates(session, order.id, clock=clock)


def _paid(session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock) -> str:
    if payment.state in MONEY_CAME:
        return "already settled"
    if event.amount_cents != payment.amount_cents or (event.currency or "").lower() != USD:
        return _another_amount(session, payment, event, clock)
    if order.state is not OrderState.OPEN:
        _set(session, payment, PaymentState.DUPLICATE, clock)
        return "paid twice"
    mark_paid(session, order, payment, actor=PROCESSOR, clock=clock)
    return "paid"


def _another_amount(session: Session, payment: Payment, event: ProcessorEvent, clock: Clock) -> str:
    """From now on the payment says what came; what was asked is in its order."""
    came, currency = event.amount_cents or 0, (event.currency or "").lower()
    payment.note = f"Paid {event.amount_cents} {event.currency}, asked {payment.amount_cents} {USD}"
    if currency == USD:
        payment.amount_cents = came
    _set(session, payment, PaymentState.MISMATCH, clock)
    doubt = Doubt(kind=AMOUNT_DIFFERS, told=payment.note, amount_cents=came, currency=currency)
    ask_about_payment(session, payment, doubt, actor=PROCESSOR)
    return "amount differs"


def _unpaid(session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock) -> str:
    is_ours_to_reopen = payment.state is PaymentState.EXPIRED and not _has_open_attempt(session, order)
    if payment.state is not PaymentState.PENDING and not is_ours_to_reopen:
        return "already known"
    _set(session, payment, PaymentState.PROCESSING, clock)
    return "on its way"


def _failed(session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock) -> str:
    if payment.state not in (PaymentState.PENDING, PaymentState.PROCESSING):
        return "already known"
    _set(session, payment, PaymentState.FAILED, clock)
    if owed := leave_out_gone(session, order, actor=PROCESSOR, clock=clock):
        tell_payer(session, owed, template="payment_failed", clock=clock)
    return "failed"


def _expired(session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock) -> str:
    if payment.state is not PaymentState.PENDING:
        return "already known"
    _set(session, payment, PaymentState.EXPIRED, clock)
    leave_out_gone(session, order, actor=PROCESSOR, clock=clock)
    return "expired"


def _refunded(session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock) -> str | None:
    if payment.state not in MONEY_CAME:
        return None
    said, other_cents = event.refunded_cents or 0, came_in_other_money(session, payment.id)
    if other_cents:  # euros are no part of dollars: all of it went back, or nothing that can be written down here
        said = payment.amount_cents if said >= other_cents else 0
    refunded = min(max(said, payment.refunded_cents), payment.amount_cents)
    if refunded == payment.refunded_cents:
        return "already known"
    unknown_cents = refunded - max(payment.refunded_cents, payment.refund_decided_cents)
    given_back_cents = refunded - payment.refunded_cents
    payment.refunded_cents = refunded
    is_whole = refunded == payment.amount_cents
    if payment.receipt_number:
        tell_given_back(session, order, payment, amount_cents=given_back_cents, way=payment.method, clock=clock)
    if payment.receipt_number and unknown_cents > 0:
        _ask_who_gave_back(session, payment, unknown_cents)
    if is_whole:
        settled_by_processor(session, payment, OVER_WHEN_REFUNDED, QuestionOutcome.GIVEN_BACK, clock=clock)
    if is_whole and not payment.receipt_number and payment.state is PaymentState.DUPLICATE:
        tell_payer(session, order, template="duplicate_refunded", clock=clock, refunded_cents=refunded)
    if is_whole and payment.state is PaymentState.MISMATCH:
        cents = None if other_cents else refunded
        tell_given_back(session, order, payment, amount_cents=cents, way=payment.method, clock=clock)
    # While the bank has not decided, that is what the city has to know first.
    _set(session, payment, payment.state if payment.state is PaymentState.DISPUTED else kept_state(payment), clock)
    if is_whole and payment.receipt_number:
        order.state = OrderState.REFUNDED
        session.flush()
        record_event(session, "order.refunded", order, actor=PROCESSOR)
        withdraw_unissued(session, license_ids_of(session, order.id), actor=PROCESSOR)
    return "refunded" if is_whole else "partly refunded"


def _refund_failed(session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock) -> str | None:
    """The money came back to the city, which owes it still: a person finds another way. The order stays as it is."""
    failed_cents, other_cents = event.amount_cents or 0, came_in_other_money(session, payment.id)
    # Of other money only that all of it went back is written down: whatever part of it comes back undoes that.
    undone_cents = payment.refunded_cents if other_cents else failed_cents
    if not payment.refunded_cents or payment.refunded_cents < undone_cents:
        return None
    payment.refunded_cents -= undone_cents
    payment.note = f"{REFUND_FAILED}{event.detail}"
    session.flush()
    record_event(session, "payment.refund_failed", payment, actor=PROCESSOR, amount_cents=undone_cents)
    doubt = Doubt(
        kind=QuestionKind.REFUND_FAILED,
        told=payment.note,
        amount_cents=failed_cents,
        currency=(event.currency or USD).lower(),
        about=event.id,
    )
    ask_about_payment(session, payment, doubt, actor=PROCESSOR)
    if payment.state is not PaymentState.DISPUTED:
        _set(session, payment, _state_once_back(session, payment), clock)
    return "refund failed"


def _state_once_back(session: Session, payment: Payment) -> PaymentState:
    """Of money that is here again: what came as another amount than was asked still pays for nothing."""
    pays = payment.receipt_number or payment.refunded_cents or not was_asked(session, payment.id, AMOUNT_DIFFERS)
    return kept_state(payment) if pays else PaymentState.MISMATCH


def _disputed(session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock) -> str | None:
    if payment.state not in MONEY_CAME:
        return None
    if payment.state is PaymentState.DISPUTED or (payment.note or "").startswith(DISPUTE_CLOSED):
        return "already known"
    payment.note = f"Dispute: {event.detail}"
    _set(session, payment, PaymentState.DISPUTED, clock)
    _ask_about_dispute(session, payment)
    return "disputed"


def _dispute_closed(
    session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock
) -> str | None:
    """Won: the money counts again, and what waited for it goes on. Lost: it stays disputed, for a person to decide."""
    if payment.state not in MONEY_CAME:
        return None
    payment.note = f"{DISPUTE_CLOSED}{event.detail}"
    if event.detail not in DISPUTE_WON:
        if _is_let_go(session, payment):
            return "already settled"
        _set(session, payment, PaymentState.DISPUTED, clock)
        _ask_about_dispute(session, payment, again=":lost")
        return "dispute lost"
    settled_by_processor(session, payment, (QuestionKind.DISPUTED,), QuestionOutcome.KEPT, clock=clock)
    if _is_let_go(session, payment):
        _ask_about_dispute(session, payment, again=":won")
    if payment.state is PaymentState.DISPUTED:
        _set(session, payment, kept_state(payment), clock)
        issue_ready(session, license_ids_of(session, order.id), clock=clock)
    return "dispute won"


_DEEDS: dict[EventKind, Callable[[Session, Order, Payment, ProcessorEvent, Clock], str | None]] = {
    EventKind.PAID: _paid,
    EventKind.UNPAID: _unpaid,
    EventKind.FAILED: _failed,
    EventKind.EXPIRED: _expired,
    EventKind.REFUNDED: _refunded,
    EventKind.REFUND_FAILED: _refund_failed,
    EventKind.DISPUTED: _disputed,
    EventKind.DISPUTE_CLOSED: _dispute_closed,
}


def _payment_id(session: Session, event: ProcessorEvent) -> UUID | None:
    """By our own key when the event carries it, else by what the processor calls the page or the charge."""
    for column, value in (
        (Payment.id, event.payment_id),
        (Payment.checkout_reference, event.checkout_reference),
        (Payment.charge_reference, event.charge_reference),
    ):
        if value is not None and (found := session.scalar(select(Payment.id).where(column == value))):
            return found
    return None


def _has_open_attempt(session: Session, order: Order) -> bool:
    open_attempt = exists().where(Payment.order_id == order.id, Payment.state.in_(UNSETTLED))
    return bool(session.scalar(select(open_attempt)))


def _ask_who_gave_back(session: Session, payment: Payment, cents: int) -> None:
    """Nobody here decided it: it was done in the processor's dashboard."""
    told = "Given back in the card processor’s dashboard, not at the desk"
    about = f"{payment.id}:{payment.refunded_cents}"
    doubt = Doubt(kind=QuestionKind.REFUNDED_THERE, told=told, amount_cents=cents, about=about)
    ask_about_payment(session, payment, doubt, actor=PROCESSOR)


def _ask_about_dispute(session: Session, payment: Payment, *, again: str = "") -> None:
    """Once for a dispute; `again` where the bank's word comes after somebody had settled it."""
    if has_open_question(session, payment.id, QuestionKind.DISPUTED):
        return
    doubt = Doubt(
        kind=QuestionKind.DISPUTED,
        told=payment.note or "Disputed",
        amount_cents=payment.amount_cents,
        about=f"{payment.id}{again}",
    )
    ask_about_payment(session, payment, doubt, actor=PROCESSOR)


def _is_let_go(session: Session, payment: Payment) -> bool:
    """Somebody settled the dispute meanwhile: the money counts as gone."""
    return payment.state is PaymentState.REFUNDED and was_asked(session, payment.id, QuestionKind.DISPUTED)


def kept_state(payment: Payment) -> PaymentState:
    """The state of money that came, by how much of it went back."""
    if payment.refunded_cents == 0:
        return PaymentState.PAID if payment.receipt_number else PaymentState.DUPLICATE
    is_whole = payment.refunded_cents == payment.amount_cents
    return PaymentState.REFUNDED if is_whole else PaymentState.PARTLY_REFUNDED


def _lock(session: Session, payment_id: UUID) -> tuple[Order, Payment]:
    """The order first, then its payment: the same order of locks everywhere."""
    fresh = {"populate_existing": True}
    its_order = select(Order).join(Payment, Payment.order_id == Order.id).where(Payment.id == payment_id)
    order = session.scalars(its_order.with_for_update(of=Order), execution_options=fresh).one()
    payment = session.get_one(Payment, payment_id, with_for_update=True, populate_existing=True)
    return order, payment


def _set(session: Session, payment: Payment, state: PaymentState, clock: Clock) -> None:
    payment.state = state
    if state in MONEY_CAME and payment.paid_at is None:
        payment.paid_at = clock.now()
    session.flush()
    record_event(session, f"payment.{state.value}", payment, actor=PROCESSOR, refunded_cents=payment.refunded_cents)
