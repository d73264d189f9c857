"""What is handed over the counter is taken from the accounts it was paid to, whatever part of it that is."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from portal.gateways.payments.processor import EventKind
from portal.schema.orders import LineKind, Order, OrderLine, Payment
from portal.schema.payment_questions import PaymentQuestion, QuestionKind, QuestionOutcome, RefundMethod
from portal.schema.refunds import CounterRefund
from portal.services.orders.open_order import LEDGER
from portal.services.payments.card_questions import ONE_AT_A_TIME, ask_card, take_back_decision
from portal.services.payments.hand_over import MORE_THAN_FEE, WHICH_FEE
from portal.services.payments.note_refund import IN_DASHBOARD
from portal.services.payments.questions import given_by_hand_cents
from portal.services.payments.settle_question import Settling, settle_question
from portal.services.refusal import Refused
from tests.support.owing import committed

KEPT, GIVEN_BACK = QuestionOutcome.KEPT, QuestionOutcome.GIVEN_BACK
PAID, REFUNDED, FAILED = EventKind.PAID, EventKind.REFUNDED, EventKind.REFUND_FAILED
FIRST, LATER = LEDGER, "zz-late"


@pytest.fixture
def owed(desk, owed):
    """Someone owes $10.00 to one account of the books and $15.00 to another."""
    with committed(desk.engine) as session:
        order = session.get_one(Order, owed.order_id)
        order.total_cents = 2500
        late = {"kind": LineKind.LATE, "description": "Late fee", "resolution": "Resolution 2026-14"}
        session.add(OrderLine(order_id=order.id, amount_cents=1500, ledger_code=LATER, **late))
    return owed


@pytest.fixture
def tell(desk, attempt):
    """The processor tells, one after the other: how much was paid, is refunded so far, or did not go back."""

    def tell(kind, cents):
        told = {"refunded_cents": cents} if kind is REFUNDED else {"amount_cents": cents}
        desk.tell(desk.event(kind, attempt.payment_id, **told))

    return tell


@pytest.fixture
def handed_over(desk):
    """What left the till, by account."""

    def handed_over():
        wanted = select(CounterRefund.ledger_code, func.sum(CounterRefund.amount_cents)).group_by("ledger_code")
        with Session(desk.city) as session:
            return {code: int(cents) for code, cents in session.execute(wanted)}

    return handed_over


@pytest.fixture
def settle(desk):
    """Staff settle the question that waits, of the sum that is said where there are several."""

    def settle(outcome, back=RefundMethod.OTHER, *, cents=None, account=None):
        settling = Settling(outcome=outcome, reason="Nguyễn stands here.", back=back, account=account)
        with Session(desk.city) as session, session.begin():
            waits = select(PaymentQuestion).where(
                PaymentQuestion.settled_at.is_(None), PaymentQuestion.kind != QuestionKind.REFUNDED_THERE
            )
            if cents:
                waits = waits.where(PaymentQuestion.amount_cents == cents)
            question = session.scalars(waits).one()
            return settle_question(session, question_id=question.id, settling=settling, officer="Sam", clock=desk.clock)

    return settle


@pytest.fixture
def waiting(desk):
    """What waits for somebody, besides why the dashboard was used: of which kind, and about how much."""

    def waiting():
        waits = select(PaymentQuestion.kind, PaymentQuestion.amount_cents).where(
            PaymentQuestion.settled_at.is_(None), PaymentQuestion.told != IN_DASHBOARD
        )
        with Session(desk.city) as session:
            return [tuple(one) for one in session.execute(waits.order_by(PaymentQuestion.created_at))]

    return waiting


def money(desk, attempt):
    """How much of the payment went back, and how much beyond it."""
    with Session(desk.engine) as session:
        payment = session.get_one(Payment, attempt.payment_id)
        return payment.refunded_cents, payment.refunded_over_cents


class KeysAsked:
    """A processor that notes by which key it was asked."""

    def __init__(self):
        self.asked = []

    def refund(self, *, idempotency_key, **_):
        self.asked.append(idempotency_key)
        return "re_1"


def test_a_part_that_no_single_account_has_is_taken_from_them_in_turn(tell, settle, handed_over):
    """$5.00 went to the card, and the refund of the other $20.00 failed."""
    for kind, cents in ((PAID, 2500), (REFUNDED, 500), (REFUNDED, 2500), (FAILED, 2000)):
        tell(kind, cents)
    settle(GIVEN_BACK, RefundMethod.COUNTER, cents=2000)
    assert handed_over() == {FIRST: 1000, LATER: 1000}


def test_a_part_that_one_account_alone_has_is_taken_from_it(tell, settle, handed_over):
    for kind, cents in ((PAID, 2500), (REFUNDED, 1200), (FAILED, 1200)):
        tell(kind, cents)
    with pytest.raises(Refused, match=MORE_THAN_FEE):
        settle(GIVEN_BACK, RefundMethod.COUNTER, cents=1200, account=FIRST)
    settle(GIVEN_BACK, RefundMethod.COUNTER, cents=1200)
    assert handed_over() == {LATER: 1200}


def test_a_part_that_either_account_has_is_taken_from_the_one_that_staff_choose(tell, settle, handed_over):
    for kind, cents in ((PAID, 2500), (REFUNDED, 600), (FAILED, 600)):
        tell(kind, cents)
    with pytest.raises(Refused, match=WHICH_FEE):
        settle(GIVEN_BACK, RefundMethod.COUNTER, cents=600)
    settle(GIVEN_BACK, RefundMethod.COUNTER, cents=600, account=LATER)
    assert handed_over() == {LATER: 600}


def test_more_than_the_fees_came_to_is_taken_from_the_last_account(tell, settle, handed_over):
    """$40.00 came for $25.00 and was kept; then all of it was to go back to the card, and failed."""
    tell(PAID, 4000)
    settle(KEPT)
    for kind, cents in ((REFUNDED, 4000), (FAILED, 4000)):
        tell(kind, cents)
    settle(GIVEN_BACK, RefundMethod.COUNTER, cents=4000)
    assert handed_over() == {FIRST: 1000, LATER: 3000}


def test_one_refund_goes_to_a_card_at_a_time(tell, settle):
    for kind, cents in ((PAID, 2500), (REFUNDED, 500), (FAILED, 500), (REFUNDED, 700), (FAILED, 700)):
        tell(kind, cents)
    assert settle(GIVEN_BACK, RefundMethod.CARD, cents=500).refunded_before_cents == 0
    with pytest.raises(Refused, match=ONE_AT_A_TIME):
        settle(GIVEN_BACK, RefundMethod.CARD, cents=700)


def test_a_card_refund_is_asked_for_again_on_top_of_what_was_back_when_it_was_decided(tell, settle):
    for kind, cents in ((PAID, 2500), (REFUNDED, 300), (REFUNDED, 1300), (FAILED, 1000)):
        tell(kind, cents)
    first = settle(GIVEN_BACK, RefundMethod.CARD, cents=1000)
    tell(REFUNDED, 700)
    again = settle(GIVEN_BACK, RefundMethod.CARD, cents=1000)
    assert (first.refunded_before_cents, again.refunded_before_cents) == (300, 300)


def test_a_way_back_is_known_by_its_word_too():
    """The console has plain words."""
    assert Settling(outcome="given_back", reason="Why", back="card").goes(RefundMethod.CARD)


def test_what_comes_back_from_a_card_is_asked_about_at_once_and_never_undoes_what_left_the_till(
    desk, attempt, tell, settle, handed_over, waiting
):
    """$6.00 in cash, then all of it to the card in the dashboard: more failed there than counts as back on the card."""
    for kind, cents in ((PAID, 2500), (REFUNDED, 600), (FAILED, 600)):
        tell(kind, cents)
    settle(GIVEN_BACK, RefundMethod.COUNTER, cents=600, account=LATER)
    tell(REFUNDED, 2500)
    assert money(desk, attempt) == (2500, 600)
    assert waiting() == [(QuestionKind.REFUNDED_THERE, 600)]
    tell(FAILED, 2500)
    assert money(desk, attempt) == (600, 0)
    assert waiting() == [(QuestionKind.REFUND_FAILED, 1900)]
    assert handed_over() == {LATER: 600}


def test_of_what_failed_that_was_more_than_was_paid_nothing_is_owed(desk, attempt, tell, settle, waiting):
    """$6.00 in cash and $25.00 to the card: $5.00 that came back are the city's, and $1.00 is too much still."""
    for kind, cents in ((PAID, 2500), (REFUNDED, 600), (FAILED, 600)):
        tell(kind, cents)
    settle(GIVEN_BACK, RefundMethod.COUNTER, cents=600, account=LATER)
    tell(REFUNDED, 2500)
    tell(FAILED, 500)
    assert money(desk, attempt) == (2500, 100)
    assert waiting() == [(QuestionKind.REFUNDED_THERE, 600)]
    tell(FAILED, 300)
    assert money(desk, attempt) == (2300, 0)
    assert waiting() == [(QuestionKind.REFUND_FAILED, 200)]


def test_what_failed_and_goes_back_once_more_beyond_what_was_paid_is_asked_about_once_more(
    desk, attempt, tell, settle, waiting
):
    for kind, cents in ((PAID, 2500), (REFUNDED, 600), (FAILED, 600)):
        tell(kind, cents)
    settle(GIVEN_BACK, RefundMethod.COUNTER, cents=600, account=LATER)
    for kind in (REFUNDED, FAILED, REFUNDED):
        tell(kind, 2500)
    tell(REFUNDED, 2500)
    assert money(desk, attempt) == (2500, 600)
    assert waiting() == [(QuestionKind.REFUNDED_THERE, 600)]


@pytest.mark.parametrize(
    ("how", "by_hand_cents"), [(RefundMethod.CARD, 0), (RefundMethod.COUNTER, 1200), (RefundMethod.OTHER, 1200)]
)
def test_how_money_went_back_is_written_down_and_no_clock_has_to_tell(desk, attempt, tell, settle, how, by_hand_cents):
    """Decided and done in one instant, whichever way."""
    for kind, cents in ((PAID, 2500), (REFUNDED, 1200), (FAILED, 1200)):
        tell(kind, cents)
    settle(GIVEN_BACK, how, cents=1200)
    if how is RefundMethod.CARD:
        tell(REFUNDED, 1200)
    with Session(desk.city) as session:
        settled = session.scalars(select(PaymentQuestion).where(PaymentQuestion.outcome == GIVEN_BACK)).one()
        assert (settled.refund_method, settled.settled_at) == (how, settled.decided_at)
        assert given_by_hand_cents(session, attempt.payment_id) == by_hand_cents


def test_by_hand_is_known_too_where_an_older_release_wrote_it(desk, attempt, tell, settle):
    for kind, cents in ((PAID, 2500), (REFUNDED, 1200), (FAILED, 1200)):
        tell(kind, cents)
    settle(GIVEN_BACK, cents=1200)
    with Session(desk.city) as session, session.begin():
        session.execute(update(PaymentQuestion).values(refund_method=None))
        assert given_by_hand_cents(session, attempt.payment_id) == 1200


def test_a_refund_asked_for_again_is_the_same_and_after_the_processor_said_no_another(desk, tell, settle):
    for kind, cents in ((PAID, 2500), (REFUNDED, 1000), (FAILED, 1000)):
        tell(kind, cents)
    first = settle(GIVEN_BACK, RefundMethod.CARD)
    desk.clock.move_to(desk.clock.now() + timedelta(minutes=5))
    again = settle(GIVEN_BACK, RefundMethod.CARD)
    with Session(desk.city) as session, session.begin():
        take_back_decision(session, again)
    anew = settle(GIVEN_BACK, RefundMethod.CARD)
    keys = KeysAsked()
    for refund in (first, again, anew):
        ask_card(keys, refund)
    assert keys.asked[0] == keys.asked[1] != keys.asked[2]
