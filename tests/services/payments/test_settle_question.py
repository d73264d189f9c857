"""What is handed over the counter is taken from the accounts it was paid to, whatever part of it that is."""

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.gateways.payments import EventKind
from portal.schema.orders import LineKind, Order, OrderLine, Payment
from portal.schema.payment_questions import PaymentQuestion, QuestionKind, QuestionOutcome
from portal.schema.refunds import CounterRefund
from portal.services.orders.open_order import LEDGER
from portal.services.payments.card_questions import ONE_AT_A_TIME
from portal.services.payments.hand_over import MORE_THAN_FEE, WHICH_FEE
from portal.services.payments.settle_question import Settling, Way, settle_question
from portal.services.refusal import Refused
from tests.services.payments.till import open_desk
from tests.support.owing import committed, owe

KEPT, GIVEN_BACK = QuestionOutcome.KEPT, QuestionOutcome.GIVEN_BACK
PAID, REFUNDED, FAILED = EventKind.PAID, EventKind.REFUNDED, EventKind.REFUND_FAILED
FIRST, LATER = LEDGER, "zz-late"


@pytest.fixture
def desk(cluster):
    with open_desk(cluster.fresh_database()) as desk:
        yield desk


@pytest.fixture
def attempt(desk):
    """Someone owes $10.00 to one account of the books and $15.00 to another, and goes to pay by card."""
    owed = owe(desk.engine, clock=desk.clock, accepted=True)
    with committed(desk.engine) as session:
        order = session.get_one(Order, owed.order_id)
        order.total_cents = 2500
        late = {"kind": LineKind.LATE, "description": "Late fee", "resolution": "Resolution 2026-14"}
        session.add(OrderLine(order_id=order.id, amount_cents=1500, ledger_code=LATER, **late))
    attempt = desk.begin(owed)
    desk.open_page(attempt)
    return attempt


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

    def settle(outcome, back=Way.OTHERWISE, *, cents=None, account=None):
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


def test_a_part_that_no_single_account_has_is_taken_from_them_in_turn(tell, settle, handed_over):
    """$5.00 went to the card, and the refund of the other $20.00 failed."""
    for kind, cents in ((PAID, 2500), (REFUNDED, 500), (REFUNDED, 2500), (FAILED, 2000)):
        tell(kind, cents)
    settle(GIVEN_BACK, Way.COUNTER, cents=2000)
    assert handed_over() == {FIRST: 1000, LATER: 1000}


def test_a_part_that_one_account_alone_has_is_taken_from_it(tell, settle, handed_over):
    for kind, cents in ((PAID, 2500), (REFUNDED, 1200), (FAILED, 1200)):
        tell(kind, cents)
    with pytest.raises(Refused, match=MORE_THAN_FEE):
        settle(GIVEN_BACK, Way.COUNTER, cents=1200, account=FIRST)
    settle(GIVEN_BACK, Way.COUNTER, cents=1200)
    assert handed_over() == {LATER: 1200}


def test_a_part_that_either_account_has_is_taken_from_the_one_that_staff_choose(tell, settle, handed_over):
    for kind, cents in ((PAID, 2500), (REFUNDED, 600), (FAILED, 600)):
        tell(kind, cents)
    with pytest.raises(Refused, match=WHICH_FEE):
        settle(GIVEN_BACK, Way.COUNTER, cents=600)
    settle(GIVEN_BACK, Way.COUNTER, cents=600, account=LATER)
    assert handed_over() == {LATER: 600}


def test_more_than_the_fees_came_to_is_taken_from_the_last_account(tell, settle, handed_over):
    """$40.00 came for $25.00 and was kept; then all of it was to go back to the card, and failed."""
    tell(PAID, 4000)
    settle(KEPT)
    for kind, cents in ((REFUNDED, 4000), (FAILED, 4000)):
        tell(kind, cents)
    settle(GIVEN_BACK, Way.COUNTER, cents=4000)
    assert handed_over() == {FIRST: 1000, LATER: 3000}


def test_one_refund_goes_to_a_card_at_a_time(tell, settle):
    for kind, cents in ((PAID, 2500), (REFUNDED, 500), (FAILED, 500), (REFUNDED, 700), (FAILED, 700)):
        tell(kind, cents)
    assert settle(GIVEN_BACK, Way.CARD, cents=500).refunded_before_cents == 0
    with pytest.raises(Refused, match=ONE_AT_A_TIME):
        settle(GIVEN_BACK, Way.CARD, cents=700)


def test_a_card_refund_is_asked_for_again_on_top_of_what_was_back_when_it_was_decided(tell, settle):
    for kind, cents in ((PAID, 2500), (REFUNDED, 300), (REFUNDED, 1300), (FAILED, 1000)):
        tell(kind, cents)
    first = settle(GIVEN_BACK, Way.CARD, cents=1000)
    tell(REFUNDED, 700)
    again = settle(GIVEN_BACK, Way.CARD, cents=1000)
    assert (first.refunded_before_cents, again.refunded_before_cents) == (300, 300)


def test_a_way_back_is_known_by_its_word_too():
    """The console has plain words."""
    assert Settling(outcome="given_back", reason="Why", back="card").goes(Way.CARD)


def test_what_comes_back_from_a_card_never_undoes_what_left_the_till(desk, attempt, tell, settle, handed_over):
    """$6.00 in cash, then all of it to the card in the dashboard: more failed there than counts as back on the card."""
    for kind, cents in ((PAID, 2500), (REFUNDED, 600), (FAILED, 600)):
        tell(kind, cents)
    settle(GIVEN_BACK, Way.COUNTER, cents=600, account=LATER)
    tell(REFUNDED, 2500)
    tell(FAILED, 2500)
    with Session(desk.engine) as session:
        assert session.get_one(Payment, attempt.payment_id).refunded_cents == 2500
    assert handed_over() == {LATER: 600}
