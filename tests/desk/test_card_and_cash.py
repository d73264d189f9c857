"""Money that goes back to a card and over the counter: neither hides the other, and nothing goes back twice."""

from portal.gateways.payments.processor import ProcessorRefused
from tests.support.money import at_card

FAILED = "Given back, and the bank did not take it"
THERE = "Given back in the processor’s dashboard"
DISPUTED = "Disputed at the payer’s bank"
REFUNDED = "SELECT refunded_cents FROM animal_control.payment"
PAYMENT = "SELECT id FROM animal_control.payment"


def to_card(clerk, **answer):
    clerk.visit("/desk").click(FAILED)
    clerk.submit(button="Settle it", outcome="given_back", how="card", reason="A new card.", **answer)


def give_back(clerk, database):
    return clerk.visit(f"/desk/payments/{database.value(PAYMENT)}/give-back")


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


def test_card_and_cash_above_what_was_paid_wait_at_the_desk_as_soon_as_the_card_refund_fails(
    clerk, four_dollars_failed, card_page, app, database, still_asked
):
    in_cash(clerk)
    card_page.deed(four_dollars_failed, "refund")
    card_page.deliver(app)
    clerk.visit("/desk").click(THERE)
    assert "given back $10.00, and $4.00 more than was paid" in clerk.text
    assert "-$4.00" in clerk.visit("/desk/exports/year").text, "what the city is left with"
    card_page.deed(four_dollars_failed, "fail_refunds")
    card_page.deliver(app)
    assert (database.value(REFUNDED), sorted(still_asked())) == (400, ["refund_failed, 600", "refunded_there, 600"])
    clerk.visit("/desk").click(FAILED)
    assert "$4.00 of it was more than was paid" in clerk.text
    assert "Hand over $6.00, in cash or by check." in clerk.text


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
