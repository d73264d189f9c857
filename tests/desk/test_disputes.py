"""Payments that a bank decides about: what may be done meanwhile, and what is said once it has decided."""

import pytest
from sqlalchemy.orm import Session

from portal.schema.payment_questions import QuestionOutcome, RefundMethod
from portal.services.payments.settle_question import BANK_DECIDES, Settling, settle_question
from portal.services.refusal import Refused

FAILED = "Given back, and the bank did not take it"
DISPUTED = "Disputed at the payer’s bank"
REFUNDED = "SELECT refunded_cents FROM animal_control.payment"
PAYMENT = "SELECT id FROM animal_control.payment"


def test_nothing_is_handed_over_while_the_bank_decides(
    clerk, four_dollars_failed, card_page, app, database, desk_engine, clock
):
    card_page.deed(four_dollars_failed, "dispute")
    card_page.deliver(app)
    assert "Over the counter, now" not in clerk.visit("/desk").click(DISPUTED).text
    assert "the bank may give it back as well" in clerk.text
    assert "Over the counter, now" not in clerk.visit("/desk").click(FAILED).text
    over_counter = Settling(outcome=QuestionOutcome.GIVEN_BACK, reason="Pat stands here.", back=RefundMethod.COUNTER)
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


@pytest.mark.parametrize(
    ("outcome", "told"), [("given_back", "The payer’s bank gives it back"), ("written_off", "It is written off")]
)
def test_a_dispute_lost_after_it_was_let_go_is_settled_and_the_desk_says_that_nothing_goes_out_again(
    clerk, paid, card_page, app, database, still_asked, outcome, told
):
    card_page.deed(paid, "dispute")
    card_page.deliver(app)
    page = clerk.visit("/desk").click(DISPUTED).path
    clerk.submit(button="Settle it", outcome=outcome, reason="We do not fight it.")
    card_page.deed(paid, "lose")
    card_page.deliver(app)
    assert (database.value(REFUNDED), still_asked()) == (1000, [])
    assert database.value("SELECT count(*) FROM animal_control.event WHERE kind = 'payment.dispute_lost'") == 1
    clerk.visit(page)
    assert told in clerk.text
    assert "It decided against the city and took the money. Nothing goes out for it again." in clerk.text
    clerk.visit("/desk/exports/year")
    assert "$10.00 was taken by payers’ banks in disputes, or written off in one." in clerk.text


def test_a_dispute_that_was_let_go_and_won_after_all_is_no_loss_in_the_books(clerk, paid, card_page, app):
    for deed, outcome in (("dispute", "written_off"), ("win", "kept")):
        card_page.deed(paid, deed)
        card_page.deliver(app)
        clerk.visit("/desk").click(DISPUTED).submit(button="Settle it", outcome=outcome, reason="So it is.")
    clerk.visit("/desk/exports/year")
    assert "in disputes" not in clerk.text


def test_a_dispute_that_waits_after_it_was_lost_says_what_is_left_to_decide(clerk, paid, card_page, app):
    card_page.deed(paid, "dispute")
    card_page.deed(paid, "lose")
    card_page.deliver(app)
    clerk.visit("/desk").click(DISPUTED)
    assert "The payer’s bank decided against the city and took the money." in clerk.text
    assert "If the city wins" not in clerk.text
    page = clerk.path
    clerk.submit(button="Settle it", outcome="given_back", reason="The bank has decided.")
    assert "It decided against the city and took the money." in clerk.visit(page).text


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
