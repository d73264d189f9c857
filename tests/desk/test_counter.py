"""The counter: what somebody owes is found and taken once, and the till of the day balances."""

from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from portal.schema.staff import StaffRole
from portal.services.payments.pay_at_counter import choose_counter
from tests.support.desk import CLERK


@pytest.fixture
def owing(registrations, gateways):
    """Pat owes for two dogs and has said that they come to the counter."""
    [pepper, _] = registrations.dogs([registrations.animal("Pepper"), registrations.animal("Rex")])
    with Session(gateways.engine) as session, session.begin():
        order = choose_counter(session, order_id=pepper.order_id, person_id=pepper.person_id, clock=gateways.clock)
        return order.reference


def test_what_is_owed_is_found_by_slip_or_name_and_taken(clerk, owing, outbox):
    clerk.visit("/desk/counter").submit(q="o’brien")
    assert "Pat O’Brien, $20.00" in clerk.links
    clerk.submit(q=owing.lower().replace("-", " ")).click("Pat O’Brien, $20.00")
    assert clerk.h1 == "Pat O’Brien owes $20.00"
    clerk.submit(button="Take $20.00")
    assert f"Receipt {owing}: $20.00 taken." in clerk.page.html
    assert "receipt" in outbox.templates(to="pat@example.com")
    clerk.visit("/desk/counter").submit(q=owing)
    assert f"Nothing is owed under “{owing}”." in clerk.text


def test_the_till_of_the_day_balances(clerk, owing, registrations):
    registrations.pay(registrations.dog("Max", email="gavin@example.com"))
    clerk.visit("/desk").click("Pat O’Brien pays at the counter").submit(button="Take $20.00")
    clerk.visit("/desk/counter").click("Today’s till")
    assert clerk.h1 == "Till of November 30, 2026"
    assert "It balances: $30.00 taken, $30.00 owed by what was paid." in clerk.text
    assert "clark@benson.example1$20.00" in clerk.text
    clerk.submit(on="2026-11-29")
    assert "It balances: $0.00 taken" in clerk.text
    clerk.visit("/desk/counter/till?on=yesterday", status=404)


def test_a_till_that_does_not_balance_says_so(clerk, owing, registrations, database):
    registrations.take(owing)
    database.run("UPDATE animal_control.payment SET amount_cents = 1500")
    assert "It does not balance: $15.00 taken, $20.00 owed" in clerk.visit("/desk/counter/till").text


def test_the_second_of_two_takes_nothing(officer, working, owing, database):
    clerk = working(CLERK, StaffRole.CLERK)
    for person in (officer, clerk):
        person.visit("/desk").click("Pat O’Brien pays at the counter")
    officer.submit(button="Take $20.00")
    clerk.submit(button="Take $20.00", status=409)
    assert f"taken by {officer.email}" in clerk.text
    assert database.value("SELECT count(*) FROM animal_control.payment") == 1


def test_money_given_back_stands_in_the_till_of_the_day_it_was_given(clerk, working, owing, outbox, clock, database):
    clerk.visit("/desk").click("Pat O’Brien pays at the counter").submit(button="Take $20.00")
    clock.move_to(clock.now() + timedelta(days=1))
    clerk = working(CLERK, StaffRole.CLERK)
    payment = database.value("SELECT id FROM animal_control.payment")
    clerk.visit(f"/desk/payments/{payment}/give-back").submit(amount="5", why="Wrong fee")
    clerk.visit("/desk/counter/till")
    assert clerk.h1 == "Till of December 1, 2026"
    assert "It balances: $0.00 taken, $0.00 owed by what was paid, $5.00 given back: -$5.00 in the till." in clerk.text
    assert "Wrong fee" in clerk.text
    clerk.submit(on="2026-11-30")
    assert "It balances: $20.00 taken, $20.00 owed by what was paid." in clerk.text
    [letter] = outbox.messages(to="pat@example.com", template="given_back")
    assert (letter.context["amount_cents"], letter.context["left_cents"]) == (500, 1500)
    database.run("UPDATE animal_control.payment SET refunded_cents = 700")
    assert "It does not balance" in clerk.visit("/desk/counter/till").text


def test_a_part_of_fees_of_several_accounts_is_taken_from_one_of_them(clerk, owing, database):
    database.run(
        "UPDATE animal_control.fee_order_line SET ledger_code = '101-99' "
        "WHERE id = (SELECT id FROM animal_control.fee_order_line LIMIT 1)"
    )
    clerk.visit("/desk").click("Pat O’Brien pays at the counter").submit(button="Take $20.00")
    payment = database.value("SELECT id FROM animal_control.payment")
    back = clerk.visit(f"/desk/payments/{payment}/give-back")
    back.submit(amount="5", why="Wrong fee", status=422)
    assert clerk.errors == ["Choose the fee it is given back from"]
    clerk.submit(amount="12", account="101-99", why="Wrong fee", status=422)
    assert clerk.errors == ["That is more than is left of this fee"]
    clerk.submit(amount="5", account="101-99")
    clerk.visit(f"/desk/payments/{payment}/give-back").submit(amount="15", why="All of it")
    given = database.rows(
        "SELECT ledger_code, sum(amount_cents) AS cents FROM animal_control.counter_refund GROUP BY 1"
    )
    assert {row.ledger_code: row.cents for row in given} == {"101-99": 1000, "sample-dog-license": 1000} or len(
        given
    ) == 2
    clerk.visit("/desk/counter/till")
    assert (
        "It balances: $20.00 taken, $20.00 owed by what was paid, $20.00 given back: $0.00 in the till." in clerk.text
    )


def test_what_no_name_holds_is_left_out_of_a_search(clerk):
    assert clerk.visit("/desk/counter?q=%00xx").h1 == clerk.visit("/desk/counter").h1
