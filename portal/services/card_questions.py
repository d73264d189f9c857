"""Give money in question back to the card it came from.

It is decided and written down first, then asked of the processor with no transaction open, and is settled once the
processor has said so; asked again after a crash, it does it once.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.payments import PaymentProcessor, ProcessorEvent, refund_read
from portal.schema.orders import Payment
from portal.schema.payment_questions import PaymentQuestion, QuestionOutcome
from portal.services.payment_questions import lock_money
from portal.services.record_event import record_event
from portal.services.settle_payment import settle


@dataclass(frozen=True)
class CardRefund:
    """What the processor is to give back for a question."""

    question_id: UUID
    payment_id: UUID | None
    charge_reference: str
    amount_cents: int
    refunded_before_cents: int


def decide_card_refund(
    session: Session, question: PaymentQuestion, payment: Payment | None, *, officer: str
) -> CardRefund:
    """Write down how much is to go back; the processor is asked afterwards."""
    before = payment.refunded_cents if payment else 0
    if payment:
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
    )


def ask_card(processor: PaymentProcessor, decided: CardRefund) -> str:
    """Ask the processor, with no transaction open; its reference of the refund."""
    return processor.refund(
        charge_reference=decided.charge_reference,
        amount_cents=decided.amount_cents,
        idempotency_key=f"question:{decided.question_id}",
    )


def note_card_refund(session: Session, decided: CardRefund, refund: str, *, clock: Clock) -> None:
    """The processor did it. Its own event will say the same, so whichever comes second changes nothing."""
    if decided.payment_id:
        settle(session, _event(decided, refund, clock), clock=clock)
    lock_money(session, decided.question_id)
    question = session.get_one(PaymentQuestion, decided.question_id, with_for_update=True, populate_existing=True)
    if question.settled_at is None:
        question.settled_at = clock.now()
        session.flush()
        actor = f"officer:{question.decided_by}"
        record_event(
            session, "payment_question.settled", question, actor=actor, outcome=QuestionOutcome.GIVEN_BACK.value
        )


def take_back_decision(session: Session, decided: CardRefund) -> None:
    """The processor said no: the question waits again."""
    question = session.get_one(PaymentQuestion, decided.question_id, with_for_update=True, populate_existing=True)
    if question.settled_at is not None:
        return
    actor = f"officer:{question.decided_by}"
    question.outcome = question.reason = question.decided_by = question.decided_at = None
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
