"""Give money in question back to the card it came from.

It is decided and written down first, then asked of the processor with no transaction open, and is settled once the
processor has said so; asked again after a crash, it does it once.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.payments.processor import PaymentProcessor, ProcessorEvent, refund_read
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.orders import Payment
from portal.schema.payment_questions import PaymentQuestion, QuestionOutcome, RefundMethod
from portal.services.payments.questions import is_going_back, lock_money, on_card_cents
from portal.services.payments.settle_payment import settle
from portal.services.record_event import record_event
from portal.services.refusal import Refused

ONE_AT_A_TIME = "Some of this payment is going back to the card already: settle that question first"


@dataclass(frozen=True)
class CardRefund:
    """What the processor is to give back for a question; `refunded_before_cents` of it went to the card before."""

    question_id: UUID
    payment_id: UUID | None
    charge_reference: str
    amount_cents: int
    refunded_before_cents: int
    decided_at: datetime
    """Asked again, it is the same; after the processor said no, a new decision."""


def check_no_other(session: Session, payment: Payment | None) -> None:
    """One refund to a card at a time, or nobody knows which of two the processor tells of; raises Refused."""
    if payment and is_going_back(session, payment.id):
        raise Refused([Refusal(Rule.FEES, ONE_AT_A_TIME, "how")])


def decide_card_refund(
    session: Session, question: PaymentQuestion, payment: Payment | None, *, is_again: bool, officer: str, clock: Clock
) -> CardRefund:
    """Write down how much is to go back; the processor is asked afterwards.

    Asked again, it is what was decided at first: the processor may have done it and told so meanwhile.
    """
    before, decided_at = 0, question.decided_at or clock.now()
    if payment and is_again:
        before = max(payment.refund_decided_cents - question.amount_cents, 0)
    elif payment:
        before = on_card_cents(session, payment)
        payment.refund_decided_cents = before + question.amount_cents
    session.flush()
    actor, outcome = f"officer:{officer}", QuestionOutcome.GIVEN_BACK.value
    record_event(session, "payment_question.decided", question, actor=actor, outcome=outcome)
    return CardRefund(
        question.id,
        payment.id if payment else None,
        question.charge_reference or "",
        question.amount_cents,
        before,
        decided_at,
    )


def ask_card(processor: PaymentProcessor, decided: CardRefund) -> str:
    """Ask the processor, with no transaction open; its reference of the refund."""
    return processor.refund(
        charge_reference=decided.charge_reference,
        amount_cents=decided.amount_cents,
        idempotency_key=f"question:{decided.question_id}:{decided.decided_at.timestamp()}",
    )


def note_card_refund(session: Session, decided: CardRefund, refund: str, *, clock: Clock) -> None:
    """The processor did it. Its own event will say the same, so whichever comes second changes nothing."""
    if decided.payment_id:
        settle(session, _event(decided, refund, clock), clock=clock)
    lock_money(session, decided.question_id)
    question = session.get_one(PaymentQuestion, decided.question_id, with_for_update=True, populate_existing=True)
    if question.settled_at is None:
        question.refund_method, question.settled_at = RefundMethod.CARD, clock.now()
        session.flush()
        actor = f"officer:{question.decided_by}"
        record_event(
            session, "payment_question.settled", question, actor=actor, outcome=QuestionOutcome.GIVEN_BACK.value
        )


def take_back_decision(session: Session, decided: CardRefund) -> None:
    """The processor said no: the question waits again, and nothing is decided any more."""
    lock_money(session, decided.question_id)
    question = session.get_one(PaymentQuestion, decided.question_id, with_for_update=True, populate_existing=True)
    if question.settled_at is not None:
        return
    actor = f"officer:{question.decided_by}"
    question.outcome = question.refund_method = None
    question.reason = question.decided_by = question.decided_at = None
    if question.payment_id:
        session.get_one(Payment, question.payment_id).refund_decided_cents = decided.refunded_before_cents
    session.flush()
    record_event(session, "payment_question.card_refused", question, actor=actor)


def _event(decided: CardRefund, refund: str, clock: Clock) -> ProcessorEvent:
    return refund_read(
        refund,
        payment_id=decided.payment_id,
        charge_reference=decided.charge_reference,
        amount_cents=decided.amount_cents,
        refunded_cents=decided.refunded_before_cents + decided.amount_cents,
        detail="given back by staff",
        at=clock.now(),
    )
