"""Staff give back what was paid by card, on the page of the payment: each refund once, and a new try anew."""

import pytest

from portal.gateways.payments.processor import ProcessorRefused
from tests.support.money import at_card

REFUNDED = "SELECT refunded_cents FROM animal_control.payment"
PAYMENT = "SELECT id FROM animal_control.payment"


def give_back(clerk, database):
    return clerk.visit(f"/desk/payments/{database.value(PAYMENT)}/give-back")


def test_the_same_sum_goes_to_the_card_anew_once_its_refund_failed(
    clerk, four_dollars_failed, card_page, app, database
):
    give_back(clerk, database).submit(amount="4", why="Once more")
    card_page.deliver(app)
    assert (database.value(REFUNDED), at_card(card_page)) == (400, 400)


def test_the_same_sum_goes_to_the_card_anew_once_the_processor_said_no(clerk, paid, card_page, database, monkeypatch):
    keys = []

    def refuses(_self, *, idempotency_key, **_):
        keys.append(idempotency_key)
        raise ProcessorRefused("no")

    monkeypatch.setattr(type(card_page.processor), "refund", refuses)
    for _ in range(2):
        give_back(clerk, database).submit(amount="4", why="Wrong fee", status=422)
    assert len(set(keys)) == 2


def test_a_refund_whose_answer_was_lost_is_one_refund_however_often_the_key_is_pressed(
    clerk, paid, answer_is_lost, card_page, app, database
):
    with answer_is_lost():
        give_back(clerk, database).submit(amount="4", why="Wrong fee", status=503)
        give_back(clerk, database).submit(amount="4", why="Wrong fee", status=503)
    give_back(clerk, database).submit(amount="4", why="Wrong fee")
    card_page.deliver(app)
    assert (database.value(REFUNDED), at_card(card_page)) == (400, 400)


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
