"""Note what the payer's bank says: that a payment is disputed, and who won."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.payments.processor import ProcessorEvent
from portal.schema.orders import Order, Payment, PaymentState
from portal.schema.payment_questions import PaymentQuestion, QuestionKind, QuestionOutcome
from portal.services.licensing.issue_license import issue_ready
from portal.services.orders.open_order import license_ids_of
from portal.services.payments.questions import (
    LET_GO,
    Doubt,
    ask_about_payment,
    has_open_question,
    settled_by_processor,
)
from portal.services.payments.states import MONEY_CAME, kept_state, note_state
from portal.services.record_event import PROCESSOR, record_event

# An inquiry that the bank closes without taking anything back counts as one that the city won.
# https://docs.stripe.com/api/disputes/object#dispute_object-status
DISPUTE_WON = frozenset({"won", "warning_closed"})
DISPUTE_CLOSED = "Dispute closed: "


def note_dispute(session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock) -> str | None:
    """The money is in question until the bank has decided, and a person is asked."""
    if payment.state not in MONEY_CAME:
        return None
    if payment.state is PaymentState.DISPUTED or (payment.note or "").startswith(DISPUTE_CLOSED):
        return "already known"
    payment.note = f"Dispute: {event.detail}"
    note_state(session, payment, PaymentState.DISPUTED, clock=clock)
    _ask(session, payment, payment.amount_cents)
    return "disputed"


def note_dispute_closed(
    session: Session, order: Order, payment: Payment, event: ProcessorEvent, clock: Clock
) -> str | None:
    """Won: the money counts again, and what waited for it goes on. Lost: it stays disputed, for a person to decide.

    Where a person had let it go before it was lost, it is as they said: the bank took it, and nothing goes out again.
    """
    if payment.state not in MONEY_CAME:
        return None
    payment.note = f"{DISPUTE_CLOSED}{event.detail}"
    if event.detail not in DISPUTE_WON:
        session.flush()
        record_event(session, "payment.dispute_lost", payment, actor=PROCESSOR, refunded_cents=payment.refunded_cents)
        if _let_go_cents(session, payment) is not None:
            return "already settled"
        note_state(session, payment, PaymentState.DISPUTED, clock=clock)
        _ask(session, payment, payment.amount_cents, again=":lost")
        return "dispute lost"
    disputed = PaymentQuestion.kind == QuestionKind.DISPUTED
    settled_by_processor(session, payment, disputed, outcome=QuestionOutcome.KEPT, clock=clock)
    if let_go_cents := _let_go_cents(session, payment):
        _ask(session, payment, let_go_cents, again=":won")
    if payment.state is PaymentState.DISPUTED:
        note_state(session, payment, kept_state(payment), clock=clock)
        issue_ready(session, license_ids_of(session, order.id), clock=clock)
    return "dispute won"


def was_lost(payment: Payment) -> bool:
    """Whether the last that the payer's bank said is that the city has lost: it took the money."""
    closed, _, status = (payment.note or "").partition(DISPUTE_CLOSED)
    return not closed and status not in ("", *DISPUTE_WON)


def _ask(session: Session, payment: Payment, cents: int, *, again: str = "") -> None:
    """Once for a dispute; `again` where the bank's word comes after somebody had settled it."""
    if has_open_question(session, payment.id, QuestionKind.DISPUTED):
        return
    doubt = Doubt(
        kind=QuestionKind.DISPUTED,
        told=payment.note or "Disputed",
        amount_cents=cents,
        about=f"{payment.id}{again}",
    )
    ask_about_payment(session, payment, doubt, actor=PROCESSOR)


def _let_go_cents(session: Session, payment: Payment) -> int | None:
    """How much counts as gone since somebody settled the dispute meanwhile; None where nobody did.

    What went back before is no part of it: that is not here, whoever won.
    """
    if payment.state is not PaymentState.REFUNDED:
        return None
    wanted = (
        select(PaymentQuestion.amount_cents)
        .where(
            PaymentQuestion.payment_id == payment.id,
            PaymentQuestion.kind == QuestionKind.DISPUTED,
            PaymentQuestion.outcome.in_(LET_GO),
        )
        .order_by(PaymentQuestion.settled_at.desc())
        .limit(1)
    )
    return session.scalar(wanted)
