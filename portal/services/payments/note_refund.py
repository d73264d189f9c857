"""Note what the processor says went back to a card, and what the bank did not take back.

The processor counts the card alone. What staff handed over or noted otherwise is kept apart from it, so that neither
hides the other.
"""

from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.payments.processor import ProcessorEvent, sum_in
from portal.schema.orders import Order, OrderState, Payment, PaymentState
from portal.schema.payment_questions import PaymentQuestion, QuestionKind, QuestionOutcome
from portal.services.licensing.issue_license import withdraw_unissued
from portal.services.orders.open_order import license_ids_of
from portal.services.orders.standing import REFUND_FAILED
from portal.services.orders.tell_payer import tell_payer
from portal.services.payments.give_back import tell_given_back
from portal.services.payments.questions import (
    OWED_BACK,
    USD,
    Doubt,
    ask_about_payment,
    came_in_other_money,
    given_by_hand_cents,
    on_card_cents,
    settled_by_processor,
    was_asked,
)
from portal.services.payments.states import MONEY_CAME, kept_state, note_state
from portal.services.record_event import PROCESSOR, record_event

IN_DASHBOARD = "Given back in the card processor’s dashboard, not at the desk"
TWICE = "The card processor gave it back too: with what staff gave by hand, that is more than was paid"
GIVEN_BACK = QuestionOutcome.GIVEN_BACK


def note_refund(session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock) -> str | None:
    """So much went back to the card so far. What nobody here decided is a question, or the answer to one."""
    if payment.state not in MONEY_CAME:
        return None
    said, other_cents = event.refunded_cents or 0, came_in_other_money(session, payment.id)
    if other_cents:  # euros are no part of dollars: all of it went back, or nothing that can be written down here
        said = payment.amount_cents if said >= other_cents else 0
    said = min(said, payment.amount_cents)
    known = on_card_cents(session, payment) + payment.refunded_over_cents
    if said <= known:
        return "already known"
    unknown_cents = said - max(known, payment.refund_decided_cents)
    if said >= payment.refund_decided_cents:
        going_back = PaymentQuestion.outcome == GIVEN_BACK
        settled_by_processor(session, payment, going_back, outcome=GIVEN_BACK, clock=clock)
    if unknown_cents > 0 and _answers_failed_refund(session, payment, unknown_cents, clock):
        unknown_cents = 0
    all_cents = said + given_by_hand_cents(session, payment.id)
    refunded = min(all_cents, payment.amount_cents)
    twice_cents = max(all_cents - refunded - payment.refunded_over_cents, 0)
    if twice_cents:
        payment.refunded_over_cents += twice_cents
        _ask_who_gave_back(session, payment, TWICE, twice_cents, about=f"{payment.id}:{event.id}")
    if payment.receipt_number and unknown_cents > twice_cents:
        _ask_who_gave_back(session, payment, IN_DASHBOARD, unknown_cents - twice_cents, about=event.id)
    if refunded == payment.refunded_cents:
        return "given back twice"
    return _count(session, order, payment, refunded, other_cents, clock)


def note_failed_refund(
    session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock
) -> str | None:
    """The money came back to the city, which owes it still: a person finds another way. The order stays as it is.

    Where cash and card together were more than was paid, that is what comes back first: nobody is owed it.
    """
    failed_cents, other_cents = event.amount_cents or 0, came_in_other_money(session, payment.id)
    on_card, over_cents = on_card_cents(session, payment), payment.refunded_over_cents
    # Of other money only that all of it went back is written down: whatever part of it comes back undoes that.
    undone_cents = on_card if other_cents else failed_cents
    if not on_card + over_cents or on_card + over_cents < undone_cents:
        return None
    over_undone = min(over_cents, undone_cents)
    owed_cents = undone_cents - over_undone
    payment.refunded_over_cents -= over_undone
    payment.refunded_cents -= owed_cents
    payment.refund_decided_cents = max(payment.refund_decided_cents - undone_cents, 0)
    payment.note = f"{REFUND_FAILED}{event.detail}"
    session.flush()
    record_event(session, "payment.refund_failed", payment, actor=PROCESSOR, amount_cents=undone_cents)
    if over_undone:
        _settle_twice(session, payment, clock)
    if not owed_cents:
        return "refund failed"
    told = f"{payment.note}. {sum_in(over_undone, USD)} of it was more than was paid" if over_undone else payment.note
    doubt = Doubt(
        kind=QuestionKind.REFUND_FAILED,
        told=told,
        amount_cents=failed_cents if other_cents else owed_cents,
        currency=(event.currency or USD).lower(),
        about=event.id,
    )
    ask_about_payment(session, payment, doubt, actor=PROCESSOR)
    if payment.state is not PaymentState.DISPUTED:
        note_state(session, payment, _state_once_back(session, payment), clock=clock)
    return "refund failed"


def _count(
    session: Session, order: Order, payment: Payment, refunded: int, other_cents: int | None, clock: Clock
) -> str:
    """So much of the payment is not here any more: the payer reads it, and all of it ends what it paid for."""
    given_back_cents = refunded - payment.refunded_cents
    payment.refunded_cents = refunded
    is_whole = refunded == payment.amount_cents
    if payment.receipt_number:
        tell_given_back(session, order, payment, amount_cents=given_back_cents, way=payment.method, clock=clock)
    if is_whole:  # there is no more to decide about what was owed back
        owed_back = PaymentQuestion.kind.in_(OWED_BACK)
        settled_by_processor(session, payment, owed_back, outcome=GIVEN_BACK, clock=clock)
    if is_whole and not payment.receipt_number and payment.state is PaymentState.DUPLICATE:
        tell_payer(session, order, template="duplicate_refunded", clock=clock, refunded_cents=refunded)
    if is_whole and payment.state is PaymentState.MISMATCH:
        cents = None if other_cents else refunded
        tell_given_back(session, order, payment, amount_cents=cents, way=payment.method, clock=clock)
    # While the bank has not decided, that is what the city has to know first.
    is_disputed = payment.state is PaymentState.DISPUTED
    note_state(session, payment, payment.state if is_disputed else kept_state(payment), clock=clock)
    if is_whole and payment.receipt_number:
        order.state = OrderState.REFUNDED
        session.flush()
        record_event(session, "order.refunded", order, actor=PROCESSOR)
        withdraw_unissued(session, license_ids_of(session, order.id), actor=PROCESSOR)
    return "refunded" if is_whole else "partly refunded"


def _answers_failed_refund(session: Session, payment: Payment, cents: int, clock: Clock) -> bool:
    """Whether just this sum had failed to go back, and waits for somebody: it was given anew in the dashboard."""
    same = (PaymentQuestion.kind == QuestionKind.REFUND_FAILED, PaymentQuestion.amount_cents == cents)
    return settled_by_processor(session, payment, *same, outcome=GIVEN_BACK, most=1, clock=clock) == 1


def _settle_twice(session: Session, payment: Payment, clock: Clock) -> None:
    """No more than was paid is gone any more, so nobody has to ask why it was."""
    if not payment.refunded_over_cents:
        twice = PaymentQuestion.key.startswith(f"{QuestionKind.REFUNDED_THERE.value}:{payment.id}:")
        settled_by_processor(session, payment, twice, outcome=QuestionOutcome.KEPT, clock=clock)


def _ask_who_gave_back(session: Session, payment: Payment, told: str, cents: int, *, about: str) -> None:
    """Nobody here decided it: it was done in the processor's dashboard."""
    doubt = Doubt(kind=QuestionKind.REFUNDED_THERE, told=told, amount_cents=cents, about=about)
    ask_about_payment(session, payment, doubt, actor=PROCESSOR)


def _state_once_back(session: Session, payment: Payment) -> PaymentState:
    """Of money that is here again: what came as another amount than was asked still pays for nothing."""
    was_another = was_asked(session, payment.id, QuestionKind.AMOUNT_DIFFERS)
    pays = payment.receipt_number or payment.refunded_cents or not was_another
    return kept_state(payment) if pays else PaymentState.MISMATCH
