"""Settle a question about money: it is kept, went back, pays another order, or is done without. Always with a reason.

What goes back to a card is only decided here (`card_questions` has the rest). What is handed over the counter leaves
the till of that day, however it was paid; nothing is while a bank decides whose the money is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.orders import Order, OrderState, Payment, PaymentMethod, PaymentState
from portal.schema.payment_questions import PaymentQuestion, QuestionKind, QuestionOutcome, RefundMethod
from portal.services.licensing.issue_license import issue_ready, withdraw_unissued
from portal.services.orders.open_order import license_ids_of
from portal.services.payments.card_questions import CardRefund, check_no_other, decide_card_refund
from portal.services.payments.give_back import tell_given_back
from portal.services.payments.hand_over import HandedOver, hand_over, handed_over_cents
from portal.services.payments.note_dispute import was_lost
from portal.services.payments.questions import LET_GO, OWED_BACK, USD, given_by_hand_cents, lock_money
from portal.services.payments.set_against import other_order, set_against
from portal.services.payments.settle_payment import mark_paid
from portal.services.payments.states import kept_state
from portal.services.record_event import record_event
from portal.services.refusal import Refused
from portal.services.say_why import unexplained

KEPT, GIVEN_BACK = QuestionOutcome.KEPT, QuestionOutcome.GIVEN_BACK
SET_AGAINST, WRITTEN_OFF = QuestionOutcome.SET_AGAINST, QuestionOutcome.WRITTEN_OFF
# How each kind of question can end. Other money than was asked is here, so there is nothing to do without.
OUTCOMES: dict[QuestionKind, tuple[QuestionOutcome, ...]] = {
    QuestionKind.AMOUNT_DIFFERS: (KEPT, GIVEN_BACK, SET_AGAINST),
    QuestionKind.PAID_TWICE: (GIVEN_BACK, SET_AGAINST, KEPT),
    QuestionKind.REFUND_FAILED: (GIVEN_BACK, SET_AGAINST, KEPT),
    QuestionKind.REFUNDED_THERE: (GIVEN_BACK,),
    QuestionKind.DISPUTED: (GIVEN_BACK, WRITTEN_OFF, KEPT),
    QuestionKind.UNMATCHED: (SET_AGAINST, GIVEN_BACK, KEPT, WRITTEN_OFF),
    QuestionKind.MISSING: (KEPT, GIVEN_BACK, WRITTEN_OFF),
}
# What can be given back to the card from here, and not by the bank or in the dashboard alone.
TO_CARD = (QuestionKind.AMOUNT_DIFFERS, QuestionKind.PAID_TWICE, QuestionKind.REFUND_FAILED, QuestionKind.UNMATCHED)
# What is handed over the counter is the city's own money: dollars that it had, of a payment it knows. A disputed one
# the bank may give to the payer as well.
NOT_OVER_COUNTER = (QuestionKind.REFUNDED_THERE, QuestionKind.UNMATCHED, QuestionKind.MISSING, QuestionKind.DISPUTED)

IS_SETTLED = "This was settled already"
NOT_SO = "That does not settle this kind of question"
GOES_BACK = "The card processor was asked to give it back. Ask again: once it says no, the other ways are open"
NOT_SO_BACK = {
    RefundMethod.CARD: "This can’t be given back to the card from here",
    RefundMethod.COUNTER: "This can’t be given back over the counter",
    RefundMethod.OTHER: GOES_BACK,
}
BANK_DECIDES = "The payer’s bank decides about this payment and may give it back itself: nothing is handed over for it"
NOTHING_LEFT = "All of this payment went back already"
ANOTHER_CURRENCY = "Only US dollars pay a fee: give it back"
ORDER_IS_CLOSED = "The order it was for is not open any more: give it back, or set it against another"


@dataclass(frozen=True, kw_only=True)
class Settling:
    """What was decided. `back`: how it goes back; `account`: from which account of the books, where it came to several.

    `against` is the reference of another order.
    """

    outcome: QuestionOutcome
    reason: str
    back: RefundMethod = RefundMethod.OTHER
    account: str | None = None
    against: str = ""

    def goes(self, way: RefundMethod) -> bool:
        """Whether it is given back, and so."""
        return self.outcome == GIVEN_BACK and self.back == way


@dataclass
class _Matter:
    """A question with the locked rows it is about, and who decides."""

    session: Session
    question: PaymentQuestion
    payment: Payment | None
    order: Order | None
    settling: Settling
    officer: str
    clock: Clock

    @property
    def actor(self) -> str:
        return f"officer:{self.officer}"


def ways_back(question: PaymentQuestion, payment: Payment | None = None) -> tuple[RefundMethod, ...]:
    """How the money of a question can go back.

    To the card alone while the processor was asked and has not answered: it may have given it back already. Asked
    again, it does it once or says no, and then the other ways are open.
    """
    if question.outcome is not None and question.settled_at is None:
        return (RefundMethod.CARD,)
    ways = []
    if question.kind in TO_CARD and question.charge_reference is not None:
        ways.append(RefundMethod.CARD)
    if question.kind not in NOT_OVER_COUNTER and question.currency == USD and not _is_at_bank(question, payment):
        ways.append(RefundMethod.COUNTER)
    return (*ways, RefundMethod.OTHER)


def cents_to_go(question: PaymentQuestion, payment: Payment | None) -> int:
    """How much goes back if it goes now: what went back meanwhile is in question no more."""
    if payment is None or question.currency != USD:
        return question.amount_cents
    return min(question.amount_cents, payment.amount_cents - payment.refunded_cents)


def settle_question(
    session: Session, *, question_id: UUID, settling: Settling, officer: str, clock: Clock
) -> CardRefund | None:
    """Decide and do it; what is to go back to a card is only decided here, and returned to be asked for."""
    lock_money(session, question_id)
    question = session.get_one(PaymentQuestion, question_id, with_for_update=True, populate_existing=True)
    payment = session.get(Payment, question.payment_id) if question.payment_id else None
    order = session.get(Order, payment.order_id) if payment else None
    matter = _Matter(session, question, payment, order, settling, officer, clock)
    _check(question, payment, settling)
    is_again = question.outcome is not None
    if settling.goes(RefundMethod.CARD) and not is_again:
        check_no_other(session, payment)
    other = other_order(session, question, payment, settling.against) if settling.outcome is SET_AGAINST else None
    question.against_order_id = other.id if other else None
    if not is_again:
        question.outcome, question.reason = settling.outcome, settling.reason.strip()
        question.refund_method = _refund_method(question, settling)
        question.decided_by, question.decided_at = officer, clock.now()
    if settling.outcome in LET_GO and question.kind is not QuestionKind.REFUNDED_THERE and not is_again:
        question.amount_cents = cents_to_go(question, payment)
    if settling.goes(RefundMethod.CARD):
        _check_left(question)
        return decide_card_refund(session, question, payment, is_again=is_again, officer=officer, clock=clock)
    if other:
        set_against(session, question, payment, other, actor=matter.actor, clock=clock)
    else:
        _DEEDS[settling.outcome](matter)
    _finish(matter)
    return None


def _refund_method(question: PaymentQuestion, settling: Settling) -> RefundMethod | None:
    """What was given back in the processor's dashboard went to the card, whoever says that it stands."""
    if settling.outcome is not GIVEN_BACK:
        return None
    return RefundMethod.CARD if question.kind is QuestionKind.REFUNDED_THERE else settling.back


def _is_at_bank(question: PaymentQuestion, payment: Payment | None) -> bool:
    """Whether the payer's bank decides about the money: this question is of that, or another of its payment is."""
    is_disputed = payment is not None and payment.state is PaymentState.DISPUTED
    return question.kind is QuestionKind.DISPUTED or is_disputed


def _check(question: PaymentQuestion, payment: Payment | None, settling: Settling) -> None:
    reasons = []
    if question.settled_at is not None:
        reasons.append(Refusal(Rule.FEES, IS_SETTLED))
    elif settling.outcome not in OUTCOMES[question.kind]:
        reasons.append(Refusal(Rule.FEES, NOT_SO, "outcome"))
    elif question.outcome is not None and settling.outcome is not GIVEN_BACK:
        reasons.append(Refusal(Rule.FEES, GOES_BACK, "outcome"))
    reasons += unexplained(settling.reason, Rule.FEES)
    if settling.outcome is GIVEN_BACK and settling.back not in ways_back(question, payment):
        is_banks = settling.back == RefundMethod.COUNTER and _is_at_bank(question, payment)
        reasons.append(Refusal(Rule.FEES, BANK_DECIDES if is_banks else NOT_SO_BACK[settling.back], "how"))
    elif question.currency != USD and settling.outcome in (KEPT, SET_AGAINST):
        reasons.append(Refusal(Rule.FEES, ANOTHER_CURRENCY, "outcome"))
    if reasons:
        raise Refused(reasons)


def _keep(matter: _Matter) -> None:
    """It counts: for the order it came for, or as it did before."""
    payment, order = matter.payment, matter.order
    if payment is None or order is None:
        return
    if matter.question.kind is QuestionKind.AMOUNT_DIFFERS:
        if order.state is not OrderState.OPEN:
            raise Refused([Refusal(Rule.FEES, ORDER_IS_CLOSED, "outcome")])
        if not payment.refunded_cents:
            payment.amount_cents = matter.question.amount_cents
        mark_paid(matter.session, order, payment, actor=matter.actor, clock=matter.clock)
    if matter.question.kind is QuestionKind.DISPUTED:
        _count_again(matter, payment, order)


def _count_again(matter: _Matter, payment: Payment, order: Order) -> None:
    """A dispute that was held for lost is not: the money is here after all, but for what was given from the till."""
    if payment.state is PaymentState.REFUNDED:
        by_hand, handed = given_by_hand_cents(matter.session, payment.id), handed_over_cents(matter.session, payment)
        here_cents = matter.question.amount_cents - max(handed - by_hand, 0)
        payment.refunded_cents -= max(min(here_cents, payment.refunded_cents - max(by_hand, handed)), 0)
    payment.state = kept_state(payment)
    if order.state is OrderState.REFUNDED and payment.state is not PaymentState.REFUNDED:
        order.state = OrderState.PAID
    matter.session.flush()
    record_event(matter.session, f"payment.{payment.state.value}", payment, actor=matter.actor)
    issue_ready(matter.session, license_ids_of(matter.session, order.id), clock=matter.clock)


def _give_back(matter: _Matter) -> None:
    """The payer has it: over the counter, by check, through the bank or from the processor's dashboard."""
    payment, order = matter.payment, matter.order
    if payment is None or order is None or matter.question.kind is QuestionKind.REFUNDED_THERE:
        return
    gone_cents = _note_gone(matter, payment)
    if matter.settling.goes(RefundMethod.COUNTER):
        _hand_over(matter, payment, gone_cents)
    if payment.refunded_cents == payment.amount_cents and payment.receipt_number:
        order.state = OrderState.REFUNDED
        matter.session.flush()
        record_event(matter.session, "order.refunded", order, actor=matter.actor)
        withdraw_unissued(matter.session, license_ids_of(matter.session, order.id), actor=matter.actor)
    if matter.question.kind in OWED_BACK and gone_cents:
        cents = gone_cents if matter.question.currency == USD else None
        way = PaymentMethod.COUNTER if matter.settling.goes(RefundMethod.COUNTER) else None
        tell_given_back(matter.session, order, payment, amount_cents=cents, way=way, clock=matter.clock)


def _write_off(matter: _Matter) -> None:
    """The money is gone, and what it paid for stands."""
    if matter.payment:
        _note_gone(matter, matter.payment)


def _hand_over(matter: _Matter, payment: Payment, cents: int) -> None:
    """It leaves the till of today."""
    _check_left(matter.question)
    settling = matter.settling
    handed = HandedOver(amount_cents=cents, ledger_code=settling.account, why=settling.reason, officer=matter.officer)
    hand_over(matter.session, payment, handed, clock=matter.clock)


def _check_left(question: PaymentQuestion) -> None:
    if not question.amount_cents:
        raise Refused([Refusal(Rule.FEES, NOTHING_LEFT, "how")])


def _note_gone(matter: _Matter, payment: Payment) -> int:
    """So much of it is not here any more."""
    is_usd = matter.question.currency == USD
    gone_cents = matter.question.amount_cents if is_usd else payment.amount_cents - payment.refunded_cents
    payment.refunded_cents += gone_cents
    # While the bank has not decided, that is what the city has to know first.
    if payment.state is not PaymentState.DISPUTED or matter.question.kind is QuestionKind.DISPUTED:
        payment.state = kept_state(payment)
    if not was_lost(payment):  # that the bank took it is said from then on; the question has the reason too
        payment.note = matter.question.reason
    matter.session.flush()
    record_event(
        matter.session,
        f"payment.{payment.state.value}",
        payment,
        actor=matter.actor,
        refunded_cents=payment.refunded_cents,
    )
    return gone_cents


def _finish(matter: _Matter) -> None:
    question = matter.question
    question.settled_at = question.decided_at
    matter.session.flush()
    outcome = question.outcome.value if question.outcome else ""
    record_event(matter.session, "payment_question.settled", question, actor=matter.actor, outcome=outcome)


_DEEDS: dict[QuestionOutcome, Callable[[_Matter], None]] = {
    KEPT: _keep,
    GIVEN_BACK: _give_back,
    WRITTEN_OFF: _write_off,
}
