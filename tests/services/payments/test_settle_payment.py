"""What becomes of a payment when its events come late, twice, in any order (cases P3, P5; examples 32, 33)."""

from datetime import timedelta
from itertools import permutations
from uuid import uuid4

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from portal.gateways.payments.processor import EventKind
from portal.schema.animals import Keeper
from portal.schema.events import Event
from portal.schema.licenses import License, LicenseState
from portal.schema.orders import Payment
from portal.schema.payment_questions import PaymentQuestion, QuestionKind
from portal.services.payments.receive_event import NOT_OURS, WAITS_AT_MOST, events_waiting, try_again
from portal.services.refusal import Refused
from tests.support.owing import accept_all, committed, letters, license_numbers, owe, take_at_counter

PAID, UNPAID, FAILED, EXPIRED = EventKind.PAID, EventKind.UNPAID, EventKind.FAILED, EventKind.EXPIRED
REFUNDED, DISPUTED, CLOSED = EventKind.REFUNDED, EventKind.DISPUTED, EventKind.DISPUTE_CLOSED


def told_in_turn(desk, attempt, *events):
    """Each event arrives; those that had to wait are tried again at the end, as the worker does."""
    for event in events:
        desk.tell(event)
    for _ in events:
        with committed(desk.engine) as session:
            waiting = events_waiting(session)
            for event_id in waiting:
                try_again(session, event_id, clock=desk.clock)
    return desk.states(attempt.payment_id)


@pytest.mark.parametrize("order", list(permutations([UNPAID, PAID])), ids=str)
def test_a_bank_debit_is_paid_whichever_event_comes_first(desk, owed, attempt, order):
    events = [desk.event(kind, attempt.payment_id) for kind in order]
    assert told_in_turn(desk, attempt, *events) == ("paid", "paid")
    assert license_numbers(desk.engine, owed) == [1]


@pytest.mark.parametrize("order", list(permutations([UNPAID, FAILED])), ids=str)
def test_a_bank_debit_that_failed_stays_failed(desk, owed, attempt, order):
    events = [desk.event(kind, attempt.payment_id) for kind in order]
    assert told_in_turn(desk, attempt, *events) == ("failed", "open")
    assert license_numbers(desk.engine, owed) == [None]
    assert letters(desk.engine, owed, "payment_failed") == 1


@pytest.mark.parametrize("late", [EXPIRED, UNPAID, FAILED], ids=str)
def test_paid_never_goes_back_on_an_older_event(desk, attempt, late):
    events = [desk.event(PAID, attempt.payment_id), desk.event(late, attempt.payment_id)]
    assert told_in_turn(desk, attempt, *events) == ("paid", "paid")


def test_a_page_that_closed_unpaid_can_be_paid_anew(desk, owed, attempt):
    desk.tell(desk.event(EXPIRED, attempt.payment_id))
    again = desk.begin(owed)
    assert again.payment_id != attempt.payment_id
    assert desk.states(attempt.payment_id) == ("expired", "open")


def test_what_somebody_began_to_pay_who_left_the_dog_meanwhile_is_owed_no_more(desk, owed, attempt):
    """Else whoever keeps it still could neither pay nor apply."""
    with committed(desk.engine) as session:
        session.execute(update(Keeper).values(until=desk.clock.today()))
    desk.tell(desk.event(EXPIRED, attempt.payment_id))
    assert desk.states(attempt.payment_id) == ("expired", "canceled")


def test_money_that_comes_after_we_took_the_page_for_closed_counts(desk, owed, attempt):
    desk.tell(desk.event(EXPIRED, attempt.payment_id))
    assert told_in_turn(desk, attempt, desk.event(PAID, attempt.payment_id)) == ("paid", "paid")


def test_a_bank_debit_begun_in_the_last_second_is_known_to_be_on_its_way(desk, owed, attempt):
    desk.tell(desk.event(EXPIRED, attempt.payment_id))
    desk.tell(desk.event(UNPAID, attempt.payment_id))
    assert desk.states(attempt.payment_id) == ("processing", "open")
    with pytest.raises(Refused, match="on its way"):
        desk.begin(owed)


def test_the_same_event_again_changes_nothing(desk, owed, attempt):
    event = desk.event(PAID, attempt.payment_id)
    assert [desk.tell(event), desk.tell(event)] == ["paid", "paid"]
    assert desk.tell(desk.event(PAID, attempt.payment_id)) == "already settled"
    assert letters(desk.engine, owed, "receipt") == 1
    with Session(desk.city) as session:
        told = select(func.count()).where(Event.kind == "order.paid")
        assert session.scalars(told).one() == 1


def test_the_receipt_bears_the_reference_of_the_order(desk, owed, attempt):
    desk.tell(desk.event(PAID, attempt.payment_id))
    with Session(desk.engine) as session:
        payment = session.get_one(Payment, attempt.payment_id)
        assert payment.receipt_number
        assert payment.paid_at == desk.clock.now()


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"amount_cents": 999}, id="a cent less"),
        pytest.param({"amount_cents": 1001}, id="a cent more"),
        pytest.param({"amount_cents": None}, id="no amount"),
        pytest.param({"currency": "cad"}, id="other dollars"),
    ],
)
def test_an_amount_that_was_not_asked_for_is_kept_for_a_person(desk, owed, attempt, changes):
    state = told_in_turn(desk, attempt, desk.event(PAID, attempt.payment_id, **changes))
    assert state == ("mismatch", "open")
    assert license_numbers(desk.engine, owed) == [None]
    with pytest.raises(Refused, match="differs from what is owed"):
        desk.begin(owed)


def test_paid_twice_the_second_is_a_duplicate_to_give_back(desk, owed, attempt):
    """Example 33: paid at the counter while the card page was open."""
    take_at_counter(desk.engine, owed, clock=desk.clock)
    assert told_in_turn(desk, attempt, desk.event(PAID, attempt.payment_id)) == ("duplicate", "paid")
    assert letters(desk.engine, owed, "receipt") == 1
    refund = desk.event(REFUNDED, attempt.payment_id, refunded_cents=1000)
    assert told_in_turn(desk, attempt, refund) == ("refunded", "paid")


REFUND_STEPS = [(PAID, None), (REFUNDED, 400), (REFUNDED, 1000)]


@pytest.mark.parametrize("order", list(permutations(REFUND_STEPS)), ids=lambda steps: str([step[1] for step in steps]))
def test_a_part_and_then_the_whole_refund_end_alike_in_any_order(desk, attempt, order):
    """P5: the processor tells what was refunded so far, so that the most counts."""
    events = [desk.event(kind, attempt.payment_id, refunded_cents=cents) for kind, cents in order]
    assert told_in_turn(desk, attempt, *events) == ("refunded", "refunded")


def test_what_was_paid_back_before_it_was_issued_can_be_applied_for_anew(desk):
    owed = owe(desk.engine, clock=desk.clock)
    attempt = desk.begin(owed)
    desk.tell(desk.event(PAID, attempt.payment_id))
    desk.tell(desk.event(REFUNDED, attempt.payment_id, refunded_cents=1000))
    with Session(desk.engine) as session:
        assert session.get_one(License, owed.license_ids[0]).state is LicenseState.WITHDRAWN


def test_a_part_refund_leaves_the_order_paid(desk, owed, attempt):
    events = [desk.event(PAID, attempt.payment_id), desk.event(REFUNDED, attempt.payment_id, refunded_cents=400)]
    assert told_in_turn(desk, attempt, *events) == ("partly_refunded", "paid")


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        pytest.param("won", "paid", id="won"),
        pytest.param("warning_closed", "paid", id="an inquiry that came to nothing"),
        pytest.param("lost", "disputed", id="lost"),
    ],
)
def test_a_dispute_ends_as_the_bank_decides_in_any_order(desk, attempt, status, expected):
    steps = (
        desk.event(PAID, attempt.payment_id),
        desk.dispute(DISPUTED, attempt.payment_id, "needs_response"),
        desk.dispute(CLOSED, attempt.payment_id, status),
    )
    desk.tell(steps[0])
    assert told_in_turn(desk, attempt, steps[2], steps[1]) == (expected, "paid")


@pytest.mark.parametrize("status", ["won", "lost"])
def test_a_dispute_is_open_until_it_is_closed(desk, attempt, status):
    events = [desk.event(PAID, attempt.payment_id), desk.dispute(DISPUTED, attempt.payment_id, "needs_response")]
    assert told_in_turn(desk, attempt, *events) == ("disputed", "paid")
    closed = desk.dispute(CLOSED, attempt.payment_id, status)
    assert told_in_turn(desk, attempt, closed) == ({"won": "paid", "lost": "disputed"}[status], "paid")


def test_a_whole_refund_during_a_dispute_is_not_forgotten_when_the_city_wins(desk, attempt):
    events = [
        desk.event(PAID, attempt.payment_id),
        desk.dispute(DISPUTED, attempt.payment_id, "needs_response"),
        desk.event(REFUNDED, attempt.payment_id, refunded_cents=1000),
    ]
    assert told_in_turn(desk, attempt, *events) == ("disputed", "refunded")
    won = desk.dispute(CLOSED, attempt.payment_id, "won")
    assert told_in_turn(desk, attempt, won) == ("refunded", "refunded")


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_money_that_the_bank_did_not_take_back_counts_as_the_citys_whichever_event_comes_first(desk, attempt, order):
    events = [
        desk.event(PAID, attempt.payment_id),
        desk.event(REFUNDED, attempt.payment_id, refunded_cents=1000),
        desk.event(EventKind.REFUND_FAILED, attempt.payment_id, amount_cents=1000, detail="lost_card"),
    ]
    assert told_in_turn(desk, attempt, *(events[place] for place in order)) == ("paid", "refunded")
    with Session(desk.engine) as session:
        payment = session.get_one(Payment, attempt.payment_id)
        assert (payment.refunded_cents, payment.note) == (0, "Refund failed: lost_card")
    with Session(desk.city) as session:
        failed = select(Event.kind).where(Event.kind == "payment.refund_failed")
        assert session.scalars(failed).all() == ["payment.refund_failed"]


def test_euros_that_the_bank_did_not_take_back_are_the_citys_again_and_no_dollar_of_them_counts_as_given_back(
    desk, attempt
):
    euros = {"currency": "eur", "amount_cents": 900}
    for event in (
        desk.event(PAID, attempt.payment_id, **euros),
        desk.event(REFUNDED, attempt.payment_id, currency="eur", refunded_cents=900),
        desk.event(EventKind.REFUND_FAILED, attempt.payment_id, **euros, detail="lost_card"),
    ):
        desk.tell(event)
    assert desk.states(attempt.payment_id) == ("mismatch", "open")
    with Session(desk.engine) as session:
        assert session.get_one(Payment, attempt.payment_id).refunded_cents == 0
        asked = select(PaymentQuestion.amount_cents, PaymentQuestion.currency).where(
            PaymentQuestion.kind == QuestionKind.REFUND_FAILED
        )
        assert [tuple(one) for one in session.execute(asked)] == [(900, "eur")]


def test_a_license_waits_while_its_payment_is_disputed_and_is_issued_when_the_city_wins(desk):
    owed = owe(desk.engine, clock=desk.clock)
    attempt = desk.begin(owed)
    desk.tell(desk.event(PAID, attempt.payment_id))
    desk.tell(desk.dispute(DISPUTED, attempt.payment_id, "needs_response"))
    accept_all(desk.engine, owed, clock=desk.clock)
    assert license_numbers(desk.engine, owed) == [None]
    desk.tell(desk.dispute(CLOSED, attempt.payment_id, "won"))
    assert license_numbers(desk.engine, owed) == [1]


def test_each_state_the_city_should_see_is_in_the_feed(desk, attempt):
    desk.tell(desk.event(PAID, attempt.payment_id))
    desk.tell(desk.dispute(DISPUTED, attempt.payment_id, "needs_response"))
    desk.tell(desk.dispute(CLOSED, attempt.payment_id, "won"))
    desk.tell(desk.event(REFUNDED, attempt.payment_id, refunded_cents=1000))
    with Session(desk.city) as session:
        about = select(Event.kind).where(Event.subject_id == attempt.payment_id).order_by(Event.id)
        kinds = list(session.scalars(about))
    assert kinds == ["payment.begun", "payment.paid", "payment.disputed", "payment.paid", "payment.refunded"]


def test_an_event_about_nothing_of_ours_does_not_wait_for_ever(desk):
    event = desk.event(PAID, uuid4())
    assert desk.tell(event) is None
    with committed(desk.engine) as session:
        assert events_waiting(session) == [event.id]
    desk.clock.move_to(desk.clock.now() + WAITS_AT_MOST + timedelta(days=400))
    with committed(desk.engine) as session:
        assert try_again(session, event.id, clock=desk.clock) == NOT_OURS
        assert events_waiting(session) == []
