"""Paying at the police counter, and the receipts: slip, receipt, nothing due (case P7, examples 33 and 38)."""

import pytest
from sqlalchemy import select

from portal.schema.events import Event
from portal.schema.orders import Order
from portal.services.orders.standing import order_of
from tests.support.owing import (
    RESOLUTION,
    committed,
    letters,
    license_numbers,
    order_state,
    owe,
    payment_states,
    take_at_counter,
)
from tests.support.paying import open_till


@pytest.fixture
def till(cluster, tmp_path, page_checker):
    with open_till(cluster.fresh_database(), tmp_path, page_checker=page_checker) as till:
        yield till


def reference_of(till, owed):
    with committed(till.engine) as session:
        return session.get_one(Order, owed.order_id).reference


def test_choosing_the_counter_gives_a_slip_with_all_that_one_needs(till):
    owed = owe(till.engine, "Pepper", "Rex", clock=till.clock)
    payer = till.payer(owed)
    answer = payer.press(till.path(owed.order_id, "/counter"), on=payer.visit(till.path(owed.order_id)))
    assert answer.headers["Location"] == till.path(owed.order_id, "/slip")
    slip = payer.visit(till.path(owed.order_id, "/slip"))
    assert slip.heading == "Payment slip"
    for words in (
        reference_of(till, owed),
        "$20.00",
        "Nguyễn O’Brien",
        "Dog license 2027: Rex",
        RESOLUTION,
        "1410 Kansas Avenue, Benson, MN 56215",
        "Monday to Friday, 8 a.m. to 4:30 p.m.",
        "320-555-0100",
        "Sample",
    ):
        assert words in slip.text
    assert "rabies certificate" not in slip.text
    assert order_state(till.engine, owed.order_id) == "open"


def test_who_has_not_sent_the_certificate_yet_is_told_to_bring_it(till):
    owed = owe(till.engine, clock=till.clock, with_certificate=False)
    assert "Pepper’s rabies certificate" in till.payer(owed).visit(till.path(owed.order_id, "/slip")).text


def test_with_script_the_button_leads_to_the_slip_too(till):
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    payer.browser.headers["HX-Request"] = "true"
    answer = payer.press(till.path(owed.order_id, "/counter"), on=payer.visit(till.path(owed.order_id)))
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, till.path(owed.order_id, "/slip"))


def test_choosing_the_counter_twice_is_told_to_the_city_once_and_a_card_still_works(till):
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    for _ in range(2):
        payer.press(till.path(owed.order_id, "/counter"), on=payer.visit(till.path(owed.order_id)))
    with committed(till.owner) as session:
        told = session.scalars(select(Event).where(Event.kind == "order.counter_chosen")).all()
    assert len(told) == 1
    page = payer.visit(till.path(owed.order_id))
    assert "You chose to pay at the police counter" in page.text
    assert page.buttons[0] == "Pay $10.00 by card"
    assert payer.go_to_card_page(owed)


def test_paid_at_the_counter_gives_a_receipt_and_leaves_nothing_to_press(till):
    owed = owe(till.engine, clock=till.clock, accepted=True)
    payer = till.payer(owed)
    an_older_tab = payer.visit(till.path(owed.order_id))
    take_at_counter(till.engine, owed, clock=till.clock)
    page = payer.visit(till.path(owed.order_id))
    assert (page.heading, page.buttons) == ("Paid", [])
    for button in ("/card", "/counter"):
        pressed = payer.press(till.path(owed.order_id, button), on=an_older_tab)
        assert pressed.headers["Location"] == till.path(owed.order_id)
    assert payment_states(till.engine, owed.order_id) == ["paid"]
    assert payer.visit(till.path(owed.order_id, "/slip")).heading == "Paid"
    receipt = payer.visit(till.path(owed.order_id, "/receipt"))
    assert receipt.heading == f"Receipt {reference_of(till, owed)}"
    for words in (
        "At the police counter",
        "Received from Nguyễn O’Brien",
        "Dog license 2027: Pepper $10.00",
        RESOLUTION,
        "not refunded because a dog dies or its owner leaves the city",
        "90.04(B)(5)",
        "A charge made in error is refunded: call 320-555-0100",
        "licensed for 2027, number 1",
    ):
        assert words in receipt.text


def test_before_it_is_paid_there_is_no_receipt(till):
    owed = owe(till.engine, clock=till.clock)
    assert till.payer(owed).visit(till.path(owed.order_id, "/receipt")).heading == "Pay $10.00"


def test_nothing_due_is_settled_at_once_with_a_receipt_of_nothing(till):
    """P7: it never goes to the processor."""
    owed = owe(till.engine, clock=till.clock, cents=0, accepted=True)
    payer = till.payer(owed)
    assert (order_state(till.engine, owed.order_id), payment_states(till.engine, owed.order_id)) == ("paid", ["paid"])
    receipt = payer.visit(till.path(owed.order_id, "/receipt"))
    assert "Paid $0.00" in receipt.text
    assert "Nothing was due" in receipt.text
    assert license_numbers(till.engine, owed) == [1]
    assert letters(till.engine, owed, "receipt") == 1
    assert payer.visit(till.path(owed.order_id, "/return")).path == till.path(owed.order_id, "/receipt")


def test_names_typed_by_people_are_shown_as_typed(till):
    name = "🐶 <b>Bailey</b> & O’Brien"
    owed = owe(till.engine, name, clock=till.clock, with_certificate=False)
    payer = till.payer(owed)
    for page in ("", "/slip"):
        assert f"Dog license 2027: {name}" in payer.visit(till.path(owed.order_id, page)).text.replace("\u00a0", " ")


def test_looking_changes_nothing(till):
    owed = owe(till.engine, clock=till.clock)
    payer = till.payer(owed)
    for page in ("", "/card", "/counter", "/return", "/slip", "/receipt"):
        assert payer.visit(till.path(owed.order_id, page)).status == 200
    with committed(till.engine) as session:
        view = order_of(session, person_id=owed.person_id, order_id=owed.order_id)
    assert (view.payments, view.order.counter_chosen_at) == ((), None)
