"""Money that goes back to a card and over the counter: neither hides the other, and nothing goes back twice."""

from contextlib import contextmanager

import pytest
from sqlalchemy.orm import Session

from portal.gateways.payments import ProcessorRefused, ProcessorUnavailable
from portal.schema.payment_questions import QuestionOutcome
from portal.services.payments.settle_question import BANK_DECIDES, Settling, Way, settle_question
from portal.services.refusal import Refused

FAILED = "Given back, and the bank did not take it"
THERE = "Given back in the processor’s dashboard"
DISPUTED = "Disputed at the payer’s bank"
REFUNDED = "SELECT refunded_cents FROM animal_control.payment"
PAYMENT = "SELECT id FROM animal_control.payment"
AT_CARD = "SELECT refunded_cents FROM payment"
OPEN = """
    SELECT kind || ', ' || amount_cents FROM animal_control.payment_question
    WHERE settled_at IS NULL ORDER BY created_at, kind
"""


@pytest.fixture
def still_asked(database):
    """The questions that wait: their kinds and their cents."""

    def still_asked():
        return [next(iter(row.values())) for row in database.rows(OPEN)]

    return still_asked


@pytest.fixture
def answer_is_lost(card_page, monkeypatch):
    """As long as the block lasts the processor gives money back, and its answer never arrives."""
    processor = type(card_page.processor)
    real = processor.refund

    def lost(self, **asked):
        real(self, **asked)
        raise ProcessorUnavailable("no answer")

    @contextmanager
    def answer_is_lost():
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(processor, "refund", lost)
            yield

    return answer_is_lost


def at_card(card_page):
    """How much the processor gave back."""
    with card_page.office.store.transaction() as db:
        return db.execute(AT_CARD).fetchone()[0]


def to_card(clerk, **answer):
    clerk.visit("/desk").click(FAILED)
    clerk.submit(button="Settle it", outcome="given_back", how="card", reason="A new card.", **answer)


def in_cash(clerk):
    clerk.visit("/desk").click(FAILED)
    clerk.submit(button="Settle it", outcome="given_back", how="counter", reason="Pat stands here.")


def test_a_refund_whose_answer_was_lost_is_settled_by_the_processors_own_word(
    clerk, four_dollars_failed, answer_is_lost, card_page, app, database, still_asked
):
    with answer_is_lost():
        to_card(clerk, status=503)
    assert still_asked() == ["refund_failed, 400"]
    card_page.deliver(app)
    assert still_asked() == []
    assert (database.value(REFUNDED), at_card(card_page)) == (400, 400)


def test_a_refund_whose_answer_was_lost_and_that_is_asked_for_again_is_booked_once(
    clerk, four_dollars_failed, answer_is_lost, card_page, app, database, still_asked
):
    with answer_is_lost():
        to_card(clerk, status=503)
    to_card(clerk)
    assert (database.value(REFUNDED), still_asked()) == (400, [])
    card_page.deliver(app)
    assert (database.value(REFUNDED), at_card(card_page), still_asked()) == (400, 400, [])


def test_a_refund_that_was_booked_before_it_is_asked_for_again_is_booked_once(
    clerk, four_dollars_failed, answer_is_lost, card_page, app, database, still_asked
):
    """As a portal left it that did not settle the question by the processor's word."""
    with answer_is_lost():
        to_card(clerk, status=503)
    card_page.deliver(app)
    database.run("UPDATE animal_control.payment_question SET settled_at = NULL")
    to_card(clerk)
    assert (database.value(REFUNDED), at_card(card_page), still_asked()) == (400, 400, [])


def test_no_second_refund_is_decided_while_one_is_on_its_way(clerk, four_dollars_failed, answer_is_lost, database):
    with answer_is_lost():
        to_card(clerk, status=503)
    clerk.visit(f"/desk/payments/{database.value(PAYMENT)}/give-back").submit(amount="4", why="Wrong fee", status=422)
    assert clerk.errors[0].startswith("Some of this payment is going back to the card already")


def test_a_refund_that_failed_and_was_made_anew_in_the_dashboard_is_no_second_one(
    clerk, four_dollars_failed, card_page, app, database, still_asked
):
    card_page.deed(four_dollars_failed, "refund", amount="4")
    card_page.deliver(app)
    assert (database.value(REFUNDED), still_asked()) == (400, [])


def test_what_the_processor_refused_to_give_back_is_not_decided_any_more(
    clerk, paid, card_page, app, database, still_asked, monkeypatch
):
    """So that the same sum given back in the dashboard is asked about, or answers what waits."""

    def refuses(_self, **_):
        raise ProcessorRefused("no")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(type(card_page.processor), "refund", refuses)
        back = clerk.visit(f"/desk/payments/{database.value(PAYMENT)}/give-back")
        back.submit(amount="4", why="Wrong fee", status=422)
    card_page.deed(paid, "refund", amount="4")
    card_page.deliver(app)
    assert still_asked() == ["refunded_there, 400"]
    card_page.deed(paid, "fail_refunds")
    card_page.deliver(app)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(type(card_page.processor), "refund", refuses)
        to_card(clerk, status=422)
    card_page.deed(paid, "refund", amount="4")
    card_page.deliver(app)
    assert still_asked() == ["refunded_there, 400"]
    assert database.value(REFUNDED) == 400


def test_cash_hides_no_later_refund_to_the_card(clerk, four_dollars_failed, card_page, app, database, still_asked):
    in_cash(clerk)
    card_page.deed(four_dollars_failed, "refund", amount="3")
    card_page.deliver(app)
    assert (database.value(REFUNDED), still_asked()) == (700, ["refunded_there, 300"])
    clerk.visit("/desk/counter/till")
    assert "It balances: $0.00 taken, $0.00 owed by what was paid, $4.00 given back" in clerk.text


def test_more_than_was_paid_given_back_both_ways_is_told(
    clerk, four_dollars_failed, card_page, app, database, still_asked
):
    in_cash(clerk)
    card_page.deed(four_dollars_failed, "refund")
    card_page.deliver(app)
    assert (database.value(REFUNDED), sorted(still_asked())) == (1000, ["refunded_there, 400", "refunded_there, 600"])
    there = "kind = 'refunded_there' AND amount_cents = 400"
    told = database.value(f"SELECT told FROM animal_control.payment_question WHERE {there}")  # noqa: S608
    assert told.startswith("The card processor gave it back too")


def test_what_the_desk_gives_to_the_card_after_cash_counts_beside_it_and_is_no_question(
    clerk, four_dollars_failed, card_page, app, database, still_asked, outbox
):
    in_cash(clerk)
    clerk.visit(f"/desk/payments/{database.value(PAYMENT)}/give-back").submit(amount="3", why="The rest of it")
    assert database.value(REFUNDED) == 700
    card_page.deliver(app)
    assert (database.value(REFUNDED), still_asked(), at_card(card_page)) == (700, [], 300)
    letter = outbox.messages(template="given_back")[-1]
    assert (letter.context["amount_cents"], letter.context["left_cents"]) == (300, 300)


def test_a_refund_that_fails_after_cash_takes_no_cash_back(
    clerk, four_dollars_failed, card_page, app, database, still_asked
):
    in_cash(clerk)
    card_page.deed(four_dollars_failed, "refund", amount="3")
    card_page.deed(four_dollars_failed, "fail_refunds")
    card_page.deliver(app)
    assert database.value(REFUNDED) == 400
    assert "refund_failed, 300" in still_asked()


def test_page_sentence_and_letter_name_what_is_handed_over_and_not_what_was_asked(
    clerk, four_dollars_failed, card_page, app, database, outbox
):
    card_page.deed(four_dollars_failed, "refund", amount="7")
    card_page.deliver(app)
    clerk.visit("/desk").click(FAILED)
    assert "Hand over $3.00, in cash or by check." in clerk.text
    clerk.submit(button="Settle it", outcome="given_back", how="counter", reason="Pat stands here.")
    assert "Hand over $3.00." in clerk.page.html
    letter = outbox.letters(template="given_back")[-1]
    assert letter.subject == "$3.00 given back to you"
    assert database.value("SELECT sum(amount_cents) FROM animal_control.counter_refund") == 300


def test_nothing_is_handed_over_while_the_bank_decides(
    clerk, four_dollars_failed, card_page, app, database, desk_engine, clock
):
    card_page.deed(four_dollars_failed, "dispute")
    card_page.deliver(app)
    assert "Over the counter, now" not in clerk.visit("/desk").click(DISPUTED).text
    assert "the bank may give it back as well" in clerk.text
    assert "Over the counter, now" not in clerk.visit("/desk").click(FAILED).text
    over_counter = Settling(outcome=QuestionOutcome.GIVEN_BACK, reason="Pat stands here.", back=Way.COUNTER)
    for question in database.rows("SELECT id FROM animal_control.payment_question WHERE settled_at IS NULL"):
        with Session(desk_engine) as session, pytest.raises(Refused, match=BANK_DECIDES[:30]):
            settle_question(session, question_id=question.id, settling=over_counter, officer="Sam", clock=clock)


def test_a_dispute_won_after_it_was_let_go_counts_no_more_than_was_let_go(
    clerk, paid, card_page, app, database, still_asked
):
    clerk.visit(f"/desk/payments/{database.value(PAYMENT)}/give-back").submit(amount="4", why="Wrong fee")
    card_page.deed(paid, "dispute")
    card_page.deliver(app)
    clerk.visit("/desk").click(DISPUTED)
    clerk.submit(button="Settle it", outcome="written_off", reason="Not worth the trouble.")
    assert database.value(REFUNDED) == 1000
    card_page.deed(paid, "win")
    card_page.deliver(app)
    assert still_asked() == ["disputed, 600"]
    clerk.visit("/desk").click(DISPUTED).submit(button="Settle it", outcome="kept", reason="We won.")
    assert database.value(REFUNDED) == 400


def test_cash_that_was_handed_over_for_a_dispute_stays_gone_when_the_city_wins(
    clerk, paid, card_page, app, database, still_asked
):
    """No such cash is handed over any more; some was."""
    card_page.deed(paid, "dispute")
    card_page.deliver(app)
    clerk.visit("/desk").click(DISPUTED).submit(button="Settle it", outcome="given_back", reason="In cash.")
    database.run(
        "INSERT INTO animal_control.counter_refund (payment_id, amount_cents, ledger_code, given_by, why, given_at)"
        " SELECT id, 1000, '101', 'Sam', 'In cash.', now() FROM animal_control.payment"
    )
    card_page.deed(paid, "win")
    card_page.deliver(app)
    clerk.visit("/desk").click(DISPUTED).submit(button="Settle it", outcome="kept", reason="We won.")
    assert database.value(REFUNDED) == 1000
    assert database.value("SELECT state FROM animal_control.fee_order") == "refunded"


def test_of_which_fee_is_asked_only_where_the_counter_is_open(clerk, four_dollars_failed, card_page, app, database):
    database.run(
        "INSERT INTO animal_control.fee_order_line"
        " (order_id, kind, license_id, description, amount_cents, resolution, ledger_code)"
        " SELECT order_id, kind, license_id, 'Late fee', 500, resolution, '101-99' FROM animal_control.fee_order_line"
    )
    assert "of which fee?" in clerk.visit("/desk").click(FAILED).text
    card_page.deed(four_dollars_failed, "dispute")
    card_page.deliver(app)
    assert "of which fee?" not in clerk.visit("/desk").click(DISPUTED).text
    assert "of which fee?" not in clerk.visit("/desk").click(FAILED).text


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("2.005", "Enter the amount in dollars and cents, like 12.50"),
        ("1/3", "Enter the amount in dollars and cents, like 12.50"),
        ("0", "Enter more than nothing"),
    ],
)
def test_an_amount_that_nobody_can_give_back_is_asked_for_again(clerk, paid, database, typed, sentence):
    back = clerk.visit(f"/desk/payments/{database.value(PAYMENT)}/give-back")
    back.submit(amount=typed, why="Wrong fee", status=422)
    assert clerk.errors == [sentence]
