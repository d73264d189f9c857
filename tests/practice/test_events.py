"""What the portal hears: signed, at least once, and in any order (cases P2, P3, P5)."""

import json

import pytest

from portal.gateways.payments.processor import BadSignature, EventKind
from portal.gateways.payments.stripe_checkout import StripeCheckout
from tests.support.practice import wait_for


def test_a_card_payment_is_told_with_all_that_settling_needs(practice):
    asked = practice.request()
    checkout = practice.processor.open_checkout(asked)
    practice.payer(checkout, "card")
    (paid,) = practice.events(EventKind.PAID)
    assert paid.payment_id == asked.payment_id
    assert (paid.amount_cents, paid.currency) == (3500, "usd")
    assert paid.checkout_reference == checkout.reference
    assert paid.charge_reference == practice.processor.read_checkout(checkout.reference).charge_reference


def test_paying_twice_takes_money_once(practice):
    checkout = practice.opened()
    assert practice.payer(checkout, "card").status_code == practice.payer(checkout, "bank").status_code == 303
    practice.city(checkout, "dispute")
    practice.events(EventKind.PAID, EventKind.DISPUTED)


def test_a_declined_card_can_be_followed_by_a_good_one(practice):
    checkout = practice.opened()
    assert practice.payer(checkout, "decline").status_code == 422
    assert not practice.processor.read_checkout(checkout.reference).is_paid
    practice.payer(checkout, "card")
    practice.events(EventKind.PAID)


def test_p5_a_bank_debit_is_unpaid_until_it_settles(practice):
    checkout = practice.opened()
    practice.payer(checkout, "bank")
    practice.events(EventKind.UNPAID)
    assert not practice.processor.read_checkout(checkout.reference).is_paid
    practice.city(checkout, "settle")
    unpaid, paid = practice.events(EventKind.UNPAID, EventKind.PAID)
    assert unpaid.payment_id == paid.payment_id == checkout.payment_id
    assert practice.processor.read_checkout(checkout.reference).is_paid


def test_p5_a_bank_debit_that_fails_is_never_paid(practice):
    checkout = practice.opened()
    practice.payer(checkout, "bank")
    practice.city(checkout, "fail")
    practice.city(checkout, "settle")
    practice.events(EventKind.UNPAID, EventKind.FAILED)
    assert not practice.processor.read_checkout(checkout.reference).is_paid


def test_a_bank_debit_settles_by_itself_where_that_is_wanted(start):
    practice = start(settle_after_s=0)
    practice.payer(practice.opened(), "bank")
    practice.events(EventKind.UNPAID, EventKind.PAID)


def test_p5_a_refund_that_the_bank_does_not_take_is_told(practice):
    checkout = practice.paid()
    practice.city(checkout, "refund", amount="")
    practice.city(checkout, "fail_refunds")
    practice.city(checkout, "fail_refunds")
    _, _, failed = practice.events(EventKind.PAID, EventKind.REFUNDED, EventKind.REFUND_FAILED)
    assert (failed.charge_reference, failed.amount_cents) == (checkout.charge_reference, 3500)


def test_p5_a_partial_then_a_full_refund_tell_the_sum_so_far(practice):
    checkout = practice.paid()
    practice.city(checkout, "refund", amount="$10.00")
    practice.city(checkout, "refund", amount="")
    paid, partial, full = practice.events(EventKind.PAID, EventKind.REFUNDED, EventKind.REFUNDED)
    assert (partial.refunded_cents, full.refunded_cents) == (1000, 3500)
    assert partial.payment_id == full.payment_id == paid.payment_id
    assert full.charge_reference == paid.charge_reference


@pytest.mark.parametrize(("deed", "status"), [("win", "won"), ("lose", "lost")])
def test_p5_a_dispute_names_the_charge_and_ends_in_a_word(practice, deed, status):
    checkout = practice.paid()
    practice.city(checkout, "dispute")
    practice.city(checkout, deed)
    _, opened, closed = practice.events(EventKind.PAID, EventKind.DISPUTED, EventKind.DISPUTE_CLOSED)
    assert opened.charge_reference == closed.charge_reference == checkout.charge_reference
    assert (opened.detail, closed.detail) == ("needs_response", status)
    assert opened.amount_cents == 3500


def test_p2_an_event_that_is_not_taken_comes_again_until_it_is(practice):
    practice.webhooks.answers[:] = [400] * 6
    checkout = practice.paid()
    wait_for(lambda: practice.dashboard(f"/{checkout.reference}").count("Taken;") == 2)
    events = practice.webhooks.read_by(practice.processor)
    assert len(events) > 1
    assert len({event.id for event in events}) == 1


def test_p3_an_event_can_come_twice(practice):
    practice.fault("duplicate_event")
    practice.paid()
    first, second = practice.events(EventKind.PAID, EventKind.PAID)
    assert first == second


def test_p3_the_city_can_send_an_event_again(practice):
    checkout = practice.paid()
    (paid,) = practice.events(EventKind.PAID)
    practice.again(paid.id)
    practice.events(EventKind.PAID, EventKind.PAID)
    assert "Taken" in practice.dashboard(f"/{checkout.reference}")


def test_events_can_overtake_each_other(practice):
    practice.fault("late_event")
    checkout = practice.opened()
    practice.payer(checkout, "bank")
    practice.city(checkout, "settle")
    paid, unpaid = practice.events(EventKind.PAID, EventKind.UNPAID)
    assert paid.occurred_at >= unpaid.occurred_at


def test_events_of_no_concern_are_signed_and_passed_over(practice):
    practice.paid()
    practice.events(EventKind.PAID)
    kinds = [json.loads(delivery.body)["type"] for delivery in practice.webhooks.deliveries]
    assert "payment_intent.succeeded" in kinds


def test_an_event_signed_for_another_is_not_believed(practice):
    practice.paid()
    practice.events(EventKind.PAID)
    other = StripeCheckout(secret_key="sk_test_practice", webhook_secret="whsec_other", api_base=practice.url)
    with pytest.raises(BadSignature):
        practice.webhooks.read_by(other)


def test_the_events_can_be_listed(practice):
    practice.paid()
    listed = practice.api("/v1/events?limit=1")
    assert [event["type"] for event in listed["data"]] == ["checkout.session.completed"]
    assert listed["has_more"]


def test_what_was_not_delivered_goes_out_after_a_restart(start, webhooks):
    webhooks.answers[:] = [500] * 1000
    before = start()
    checkout = before.paid()
    wait_for(lambda: len(webhooks.answers) < 1000)
    after = start()
    webhooks.answers.clear()
    wait_for(lambda: [event.kind for event in webhooks.read_by(after.processor)][-1:] == [EventKind.PAID])
    assert after.processor.read_checkout(checkout.reference).is_paid
