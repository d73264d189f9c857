"""Money in question at the desk: each kind waits in the queue, and is settled once, with a reason."""

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.payments.processor import ProcessorUnavailable
from portal.schema.orders import Payment
from portal.schema.payment_questions import PaymentQuestion, QuestionKind, QuestionOutcome, RefundMethod
from portal.services.payments.questions import Doubt, ask_about_charge, ask_about_payment
from portal.services.payments.settle_question import GOES_BACK, Settling, settle_question, ways_back
from portal.services.refusal import Refused

STATES = """
    SELECT p.state || ', ' || o.state FROM animal_control.payment p
    JOIN animal_control.fee_order o ON o.id = p.order_id
"""
SETTLED = "SELECT outcome, reason, decided_by FROM animal_control.payment_question WHERE settled_at IS NOT NULL"


def test_another_amount_waits_and_is_kept_with_a_reason(clerk, another_amount, registrations, database, outbox):
    dog = another_amount()
    registrations.accept(dog)
    assert "$8.00" in clerk.visit("/desk?kind=payment_question").text
    clerk.click("Another amount came than was asked")
    assert clerk.h1 == "Another amount came than was asked: $8.00"
    assert "Paid $8.00, asked $10.00" in clerk.text
    clerk.submit(button="Settle it", status=422)
    assert clerk.errors == ["Choose what becomes of it", "Say why: it is written down with your name"]
    clerk.submit(button="Settle it", outcome="kept", reason="The chief lets the two dollars go.")
    assert database.value(STATES) == "paid, paid"
    assert database.value("SELECT amount_cents FROM animal_control.payment") == 800
    assert database.value("SELECT state FROM animal_control.license") == "issued"
    [settled] = database.rows(SETTLED)
    assert tuple(settled.values()) == ("kept", "The chief lets the two dollars go.", clerk.email)
    assert "receipt" in outbox.templates(to=dog.email)
    told = database.rows(
        "SELECT kind, actor FROM animal_control.event WHERE kind LIKE 'payment_question.%' ORDER BY id"
    )
    assert [tuple(one.values()) for one in told] == [
        ("payment_question.asked", "processor"),
        ("payment_question.settled", f"officer:{clerk.email}"),
    ]


def test_another_currency_pays_no_fee_and_goes_back_another_way(clerk, another_amount, database, outbox):
    dog = another_amount(900, "eur")
    assert "9.00 EUR" in clerk.visit("/desk?kind=payment_question").text
    assert "$9.00" not in clerk.text
    clerk.visit("/desk").click("Another amount came than was asked")
    assert clerk.h1 == "Another amount came than was asked: 9.00 EUR"
    clerk.submit(button="Settle it", outcome="kept", reason="It is nearly ten dollars.", status=422)
    assert clerk.errors == ["Only US dollars pay a fee: give it back"]
    clerk.submit(button="Settle it", outcome="given_back", reason="Through the bank.", status=422)
    assert clerk.errors == ["Choose how it goes back"]
    clerk.submit(button="Settle it", outcome="given_back", how="other", reason="Through the bank.")
    assert database.value(STATES) == "refunded, open"
    [letter] = outbox.letters(to=dog.email, template="given_back")
    assert letter.subject == "Your payment was given back to you"
    assert "We gave what you paid for" in letter.text
    assert "$" not in letter.text, "nine euros are not nine dollars"


def test_another_currency_that_goes_back_to_its_card_is_all_of_it(
    clerk, another_amount, database, outbox, card_page, monkeypatch
):
    dog = another_amount(900, "eur")
    monkeypatch.setattr(type(card_page.processor), "refund", lambda _self, **_: "re_euros")
    clerk.visit("/desk").click("Another amount came than was asked")
    clerk.submit(button="Settle it", outcome="given_back", how="card", reason="They meant another shop.")
    assert database.value(STATES) == "refunded, open"
    [letter] = outbox.letters(to=dog.email, template="given_back")
    assert "back to the card" in letter.text
    assert "$" not in letter.text


def test_cash_for_what_came_by_card_leaves_the_till_of_its_day(clerk, another_amount, database, outbox):
    dog = another_amount()
    clerk.visit("/desk").click("Another amount came than was asked")
    assert "Hand over $8.00, in cash or by check." in clerk.text
    clerk.submit(button="Settle it", outcome="given_back", how="counter", reason="Pat stands here.")
    assert "Hand over $8.00." in clerk.page.html
    assert database.value(STATES) == "refunded, open"
    clerk.visit("/desk/counter/till")
    sums = "It balances: $0.00 taken, $0.00 owed by what was paid, $8.00 given back: -$8.00 in the till."
    assert sums in clerk.text
    assert "Pat stands here." in clerk.text
    assert "given_back" in outbox.templates(to=dog.email)
    database.run("UPDATE animal_control.payment SET refunded_cents = 700")
    assert "It does not balance" in clerk.visit("/desk/counter/till").text


def test_money_that_is_nobodys_is_not_handed_to_somebody(clerk, desk_engine):
    with Session(desk_engine) as session, session.begin():
        doubt = Doubt(kind=QuestionKind.UNMATCHED, told="Nobody’s", amount_cents=1000)
        ask_about_charge(session, "pi_stray", doubt, actor="system")
    clerk.visit("/desk").click("Came for nothing that the portal knows")
    assert "Over the counter, now" not in clerk.text


def test_what_the_processor_may_have_given_back_is_neither_kept_nor_handed_over_as_well(
    clerk, another_amount, database, card_page, desk_engine, clock, monkeypatch
):
    def away(_self, **_):
        raise ProcessorUnavailable("no answer")

    another_amount()
    clerk.visit("/desk").click("Another amount came than was asked")
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(type(card_page.processor), "refund", away)
        clerk.submit(button="Settle it", outcome="given_back", how="card", reason="Wrong sum.", status=503)
    clerk.visit("/desk").click("Another amount came than was asked")
    assert "asked the card processor to give it back" in clerk.text
    chosen = {name: clerk.page.values[name] for name in ("outcome", "how", "reason")}
    assert chosen == {"outcome": ["given_back"], "how": ["card"], "reason": ["Wrong sum."]}
    assert "Over the counter, now" not in clerk.text
    clerk.submit(button="Settle it", outcome="kept", reason="It may stay.", status=422)
    assert clerk.errors == [GOES_BACK]
    question_id = database.value("SELECT id FROM animal_control.payment_question")
    over_counter = Settling(outcome=QuestionOutcome.GIVEN_BACK, reason="Pat stands here.", back=RefundMethod.COUNTER)
    with Session(desk_engine) as session, pytest.raises(Refused, match="over the counter"):
        settle_question(session, question_id=question_id, settling=over_counter, officer="Sam", clock=clock)
    clerk.submit(button="Settle it", outcome="given_back", how="card", reason="Wrong sum.", status=422)
    assert "Over the counter, now" in clerk.visit("/desk").click("Another amount came than was asked").text


def test_what_the_processor_refuses_waits_again_with_all_that_was_typed(clerk, another_amount, database):
    another_amount()
    clerk.visit("/desk").click("Another amount came than was asked")
    clerk.submit(button="Settle it", outcome="given_back", how="card", reason="Wrong sum.", status=422)
    assert clerk.errors[0].startswith("The card processor does not give it back.")
    assert clerk.page.values["reason"] == ["Wrong sum."]
    assert database.value("SELECT outcome FROM animal_control.payment_question") is None
    assert database.value(STATES) == "mismatch, open"


def test_a_refund_that_failed_is_tried_at_the_card_once_more(clerk, paid, card_page, app, database):
    payment = database.value("SELECT id FROM animal_control.payment")
    clerk.visit(f"/desk/payments/{payment}/give-back").submit(amount="10", why="Wrong fee")
    card_page.deliver(app)
    card_page.deed(paid, "fail_refunds")
    card_page.deliver(app)
    clerk.visit("/desk").click("Given back, and the bank did not take it")
    clerk.submit(button="Settle it", outcome="given_back", how="card", reason="They have a new card.")
    card_page.deliver(app)
    assert database.value(STATES) == "refunded, refunded"
    [settled] = database.rows(SETTLED)
    assert tuple(settled.values()) == ("given_back", "They have a new card.", clerk.email)


def test_what_is_given_back_at_the_desk_is_no_question_and_in_the_dashboard_it_is(
    clerk, paid, card_page, app, database
):
    payment = database.value("SELECT id FROM animal_control.payment")
    clerk.visit(f"/desk/payments/{payment}/give-back").submit(amount="4", why="Wrong fee")
    card_page.deliver(app)
    assert database.value("SELECT count(*) FROM animal_control.payment_question") == 0
    card_page.deed(paid, "refund")
    card_page.deliver(app)
    clerk.visit("/desk").click("Given back in the processor’s dashboard")
    assert clerk.h1 == "Given back in the processor’s dashboard: $6.00"
    clerk.submit(button="Settle it", outcome="given_back", reason="The treasurer did it by mistake, and it stands.")
    assert database.value(STATES) == "refunded, refunded"


def test_a_dispute_that_is_won_settles_itself(clerk, paid, card_page, app, database):
    card_page.deed(paid, "dispute")
    card_page.deliver(app)
    assert "Disputed at the payer’s bank" in clerk.visit("/desk").links
    card_page.deed(paid, "win")
    card_page.deliver(app)
    assert "Disputed at the payer’s bank" not in clerk.visit("/desk").links
    assert database.rows(SETTLED)[0].decided_by == "processor"
    assert database.value(STATES) == "paid, paid"


@pytest.mark.parametrize(("outcome", "order"), [("written_off", "paid"), ("given_back", "refunded")])
def test_a_dispute_that_is_lost_is_written_off_or_ends_what_it_paid_for(
    clerk, paid, card_page, app, database, outcome, order
):
    card_page.deed(paid, "dispute")
    card_page.deed(paid, "lose")
    card_page.deliver(app)
    clerk.visit("/desk").click("Disputed at the payer’s bank")
    clerk.submit(button="Settle it", outcome=outcome, reason="The bank has decided.")
    assert database.value(STATES) == f"refunded, {order}"


def test_money_that_is_nobodys_pays_an_order_of_the_same_sum_and_no_other(
    clerk, registrations, desk_engine, database, outbox
):
    pepper = registrations.dog()
    two = registrations.dogs([registrations.animal("Rex"), registrations.animal("Max")], email="gavin@example.com")
    told = "The processor took $10.00, and the portal knows no payment of it"
    doubt = Doubt(kind=QuestionKind.UNMATCHED, told=told, amount_cents=1000)
    with Session(desk_engine) as session, session.begin():
        assert ask_about_charge(session, "pi_stray", doubt, actor="system")
        assert not ask_about_charge(session, "pi_stray", doubt, actor="system")
    reference = "SELECT reference FROM animal_control.fee_order WHERE id = :id"
    clerk.visit("/desk").click("Came for nothing that the portal knows")
    against = {"outcome": "set_against", "reason": "Pat paid through the bank’s own page."}
    clerk.submit(button="Settle it", **against, against="AAAA-BBBB", status=422)
    assert clerk.errors == ["Enter the reference of an order that is not paid"]
    other = database.value(reference, id=two[0].order_id)
    clerk.submit(button="Settle it", **against, against=other, status=422)
    assert clerk.errors == ["That order is about another amount"]
    clerk.submit(button="Settle it", **against, against=database.value(reference, id=pepper.order_id).lower())
    assert database.value("SELECT state FROM animal_control.fee_order WHERE id = :id", id=pepper.order_id) == "paid"
    assert database.value("SELECT charge_reference FROM animal_control.payment") == "pi_stray"
    assert "receipt" in outbox.templates(to=pepper.email)


def test_a_second_payment_pays_what_else_they_owe(clerk, paid, registrations, database, desk_engine):
    rex = registrations.dog("Rex")
    order = "SELECT id, reference FROM animal_control.fee_order ORDER BY created_at"
    first, second = database.rows(order)
    database.run(
        "INSERT INTO animal_control.payment (order_id, method, state, amount_cents, charge_reference, paid_at)"
        " VALUES (:order, 'card', 'duplicate', 1000, 'pi_again', now())",
        order=first.id,
    )
    with Session(desk_engine) as session, session.begin():
        payment = session.scalars(select(Payment).where(Payment.charge_reference == "pi_again")).one()
        doubt = Doubt(kind=QuestionKind.PAID_TWICE, told="Paid twice", amount_cents=1000)
        ask_about_payment(session, payment, doubt, actor="processor")
    clerk.visit("/desk").click("Paid twice, and not given back")
    assert f"{second.reference}, $10.00, since November 30, 2026 (the same sum)" in clerk.text
    clerk.submit(button="Settle it", outcome="set_against", against=second.reference, reason="They ask for it.")
    states = "SELECT state FROM animal_control.payment WHERE order_id = :id"
    assert [one.state for one in database.rows(states, id=first.id)] == ["paid"]
    assert [one.state for one in database.rows(states, id=rex.order_id)] == ["paid"]


def test_two_who_settle_one_settle_it_once(clerk, officer, another_amount, database):
    another_amount()
    for person in (clerk, officer):
        person.visit("/desk").click("Another amount came than was asked")
    clerk.submit(button="Settle it", outcome="kept", reason="Close enough.")
    officer.submit(button="Settle it", outcome="given_back", how="other", reason="In cash.", status=409)
    assert "In cash." in officer.text
    assert f"by {clerk.email}" in officer.text
    assert database.value(STATES) == "paid, paid"


@pytest.mark.parametrize(
    ("kind", "in_cash"),
    [
        (QuestionKind.AMOUNT_DIFFERS, True),
        (QuestionKind.REFUND_FAILED, True),
        pytest.param(QuestionKind.DISPUTED, False, id="the bank may give it back as well"),
        pytest.param(QuestionKind.MISSING, False, id="the processor says it never took it"),
        pytest.param(QuestionKind.UNMATCHED, False, id="nobody's"),
        pytest.param(QuestionKind.REFUNDED_THERE, False, id="back already"),
    ],
)
def test_only_money_that_the_city_had_is_handed_over_the_counter(kind, in_cash):
    assert (RefundMethod.COUNTER in ways_back(PaymentQuestion(kind=kind, currency="usd"))) is in_cash
