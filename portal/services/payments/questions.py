"""Ask a person about money, once: whoever finds that something is wrong with it puts the question here.

The question waits at the desk until somebody settles it with a reason, or until the processor's next word does.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, and_, exists, func, or_, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.orders import Order, OrderState, Payment
from portal.schema.payment_questions import PaymentQuestion, QuestionKind, QuestionOutcome, RefundMethod
from portal.schema.people import Person
from portal.services.add_once import add_once
from portal.services.record_event import PROCESSOR, record_event
from portal.services.refusal import NotTheirs

USD = "usd"
IS_OPEN = PaymentQuestion.settled_at.is_(None)
HOW_MANY_OPEN = select(func.count()).select_from(PaymentQuestion).where(IS_OPEN)
MOST_ORDERS = 20
# What the city owes back whoever paid: they are told when they have it.
OWED_BACK = (QuestionKind.AMOUNT_DIFFERS, QuestionKind.PAID_TWICE, QuestionKind.REFUND_FAILED)
# What ends with the money gone.
LET_GO = (QuestionOutcome.GIVEN_BACK, QuestionOutcome.WRITTEN_OFF)
# A release that knows no `refund_method` leaves it empty. What it settles by hand it settles as it is decided.
BY_HAND = or_(
    PaymentQuestion.refund_method != RefundMethod.CARD,
    and_(
        PaymentQuestion.refund_method.is_(None),
        PaymentQuestion.settled_at == PaymentQuestion.decided_at,
        PaymentQuestion.decided_by != PROCESSOR,
    ),
)


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """What is wrong with some money: of which kind, how much, and what was found, in words for staff."""

    kind: QuestionKind
    told: str
    amount_cents: int
    currency: str = USD
    about: str = ""
    """Tells two questions of one kind about one payment apart, such as the event of each failed refund."""


@dataclass(frozen=True)
class QuestionView:
    """A question as it lies on the desk: the payment, what it was for, who paid, and what else they owe."""

    question: PaymentQuestion
    payment: Payment | None
    order: Order | None
    person: Person | None
    owed: tuple[Order, ...]


def ask_about_payment(session: Session, payment: Payment, doubt: Doubt, *, actor: str) -> bool:
    """Ask about a payment of ours; False when the same is asked already or was settled before."""
    return _ask(
        session,
        doubt,
        about=doubt.about or str(payment.id),
        actor=actor,
        payment_id=payment.id,
        order_id=payment.order_id,
        charge_reference=payment.charge_reference,
    )


def ask_about_charge(session: Session, charge_reference: str, doubt: Doubt, *, actor: str) -> bool:
    """Ask about money at the processor that is no payment of ours; False when it was asked before."""
    return _ask(session, doubt, about=charge_reference, actor=actor, charge_reference=charge_reference)


def was_asked(session: Session, payment_id: UUID, kind: QuestionKind) -> bool:
    """Whether such a question was ever put about a payment."""
    asked = exists().where(PaymentQuestion.payment_id == payment_id, PaymentQuestion.kind == kind)
    return bool(session.scalar(select(asked)))


def came_in_other_money(session: Session, payment_id: UUID) -> int | None:
    """How much came for it in another currency than fees are in; None for what came in dollars, as nearly all does."""
    wanted = select(PaymentQuestion.amount_cents).where(
        PaymentQuestion.payment_id == payment_id,
        PaymentQuestion.kind == QuestionKind.AMOUNT_DIFFERS,
        PaymentQuestion.currency != USD,
    )
    return session.scalar(wanted)


def given_by_hand_cents(session: Session, payment_id: UUID) -> int:
    """How much of a payment staff handed over, or noted as gone back otherwise than to its card."""
    wanted = select(func.coalesce(func.sum(PaymentQuestion.amount_cents), 0)).where(
        PaymentQuestion.payment_id == payment_id,
        PaymentQuestion.kind.in_(OWED_BACK),
        PaymentQuestion.currency == USD,
        PaymentQuestion.outcome == QuestionOutcome.GIVEN_BACK,
        BY_HAND,
    )
    return session.scalars(wanted).one()


def on_card_cents(session: Session, payment: Payment) -> int:
    """How much of a payment went back to its card, which is all that the processor counts."""
    return max(payment.refunded_cents - given_by_hand_cents(session, payment.id), 0)


def is_going_back(session: Session, payment_id: UUID) -> bool:
    """Whether the processor was asked to give some of it back and has not answered."""
    asked = exists().where(
        PaymentQuestion.payment_id == payment_id, PaymentQuestion.outcome == QuestionOutcome.GIVEN_BACK, IS_OPEN
    )
    return bool(session.scalar(select(asked)))


def has_open_question(session: Session, payment_id: UUID, kind: QuestionKind) -> bool:
    """Whether one waits."""
    waits = exists().where(PaymentQuestion.payment_id == payment_id, PaymentQuestion.kind == kind, IS_OPEN)
    return bool(session.scalar(select(waits)))


def settled_by_processor(
    session: Session,
    payment: Payment,
    *which: ColumnElement[bool],
    outcome: QuestionOutcome,
    most: int | None = None,
    clock: Clock,
) -> int:
    """What the processor told settles the open questions like `which`; how many. A reason that staff gave stays.

    The payment and its order are locked by now: questions are always locked after them.
    """
    wanted = (
        select(PaymentQuestion)
        .where(PaymentQuestion.payment_id == payment.id, IS_OPEN, *which)
        .order_by(PaymentQuestion.created_at, PaymentQuestion.id)
        .limit(most)
    )
    found = session.scalars(wanted.with_for_update(), execution_options={"populate_existing": True}).all()
    for question in found:
        if question.outcome is not outcome:
            question.outcome, question.reason = outcome, "The card processor says so"
            question.decided_by, question.decided_at = PROCESSOR, clock.now()
        question.refund_method = RefundMethod.CARD if outcome is QuestionOutcome.GIVEN_BACK else None
        question.settled_at = clock.now()
        session.flush()
        record_event(session, "payment_question.settled", question, actor=PROCESSOR, outcome=outcome.value)
    return len(found)


def lock_money(session: Session, question_id: UUID) -> None:
    """Lock the order and the payment, in the same turn as everywhere, before the question about them."""
    question = session.get(PaymentQuestion, question_id)
    if question is None:
        raise NotTheirs("There is no such question")
    if question.payment_id:
        its_order = select(Order).join(Payment, Payment.order_id == Order.id).where(Payment.id == question.payment_id)
        session.scalar(its_order.with_for_update(of=Order), execution_options={"populate_existing": True})
        session.get(Payment, question.payment_id, with_for_update=True, populate_existing=True)


def questions_open(session: Session, *, limit: int = 100) -> list[tuple[PaymentQuestion, Order | None, Person | None]]:
    """What waits, oldest first, with the order it was asked for and who owed that."""
    wanted = (
        select(PaymentQuestion, Order, Person)
        .outerjoin(Order, Order.id == PaymentQuestion.order_id)
        .outerjoin(Person, Person.id == Order.person_id)
        .where(IS_OPEN)
        .order_by(PaymentQuestion.created_at, PaymentQuestion.id)
        .limit(limit)
    )
    return [(question, order, person) for question, order, person in session.execute(wanted)]


def question_view(session: Session, question_id: UUID) -> QuestionView:
    """One question, settled or not; raises NotTheirs."""
    question = session.get(PaymentQuestion, question_id)
    if question is None:
        raise NotTheirs("There is no such question")
    payment = session.get(Payment, question.payment_id) if question.payment_id else None
    order = session.get(Order, question.order_id) if question.order_id else None
    person = session.get(Person, order.person_id) if order else None
    owed: tuple[Order, ...] = ()
    if order:
        others = select(Order).where(
            Order.person_id == order.person_id, Order.state == OrderState.OPEN, Order.id != order.id
        )
        owed = tuple(session.scalars(others.order_by(Order.created_at).limit(MOST_ORDERS)))
    return QuestionView(question, payment, order, person, owed)


def _ask(session: Session, doubt: Doubt, *, about: str, actor: str, **values: object) -> bool:
    question = add_once(
        session,
        PaymentQuestion,
        key=f"{doubt.kind.value}:{about}",
        kind=doubt.kind,
        told=doubt.told,
        amount_cents=doubt.amount_cents,
        currency=doubt.currency,
        **values,
    )
    if question is None:
        return False
    record_event(session, "payment_question.asked", question, actor=actor, about=doubt.kind.value)
    return True
