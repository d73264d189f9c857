"""The real client against the practice processor over HTTP: opening, reading, closing, paying back."""

import time
from datetime import UTC, datetime, timedelta

import pytest

from portal.gateways.payments.processor import (
    CheckoutLine,
    CheckoutState,
    EventKind,
    ProcessorRefused,
    ProcessorUnavailable,
)
from portal.gateways.payments.stripe_checkout import StripeCheckout
from tests.practice.conftest import processor_at


def test_an_opened_checkout_shows_what_was_asked_for(practice):
    asked = practice.request()
    checkout = practice.processor.open_checkout(asked)
    assert checkout.payment_id == asked.payment_id
    assert (checkout.amount_cents, checkout.currency) == (3500, "usd")
    assert (checkout.state, checkout.is_paid, checkout.charge_reference) == (CheckoutState.OPEN, False, None)
    assert checkout.expires_at == asked.expires_at.replace(microsecond=0)
    assert checkout.url == f"{practice.processor.checkout_origin}/c/pay/{checkout.reference}"


def test_asking_twice_for_the_same_payment_gives_the_same_page(practice):
    asked = practice.request()
    assert practice.processor.open_checkout(asked) == practice.processor.open_checkout(asked)


def test_the_same_payment_with_another_amount_is_refused(practice):
    asked = practice.request()
    practice.processor.open_checkout(asked)
    other = practice.request(payment_id=asked.payment_id, lines=(CheckoutLine("License for Pepper, 2027", 2500),))
    with pytest.raises(ProcessorRefused, match="other parameters"):
        practice.processor.open_checkout(other)


def test_a_request_found_wrong_can_be_put_right_under_the_same_payment(practice):
    asked = practice.request(lines=(CheckoutLine("License", 49),))
    with pytest.raises(ProcessorRefused, match=r"0\.50"):
        practice.processor.open_checkout(asked)
    assert practice.processor.open_checkout(practice.request(payment_id=asked.payment_id)).amount_cents == 3500


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"email": "gavin"}, id="an address that is none"),
        pytest.param({"lasts": timedelta(minutes=5)}, id="closes in five minutes"),
        pytest.param({"lasts": timedelta(hours=25)}, id="stays open longer than a day"),
        pytest.param({"return_url": "/pay/7/done"}, id="leads back to no host"),
        pytest.param({"lines": ()}, id="nothing to pay for"),
        pytest.param({"lines": (CheckoutLine(" ", 1000),)}, id="a line without a name"),
        pytest.param({"lines": (CheckoutLine("License", 1000), CheckoutLine("Less", -100))}, id="a negative line"),
    ],
)
def test_what_stripe_would_refuse_is_refused(practice, changes):
    if "lasts" in changes:  # from now on, and not from when the tests were collected
        changes = {"expires_at": datetime.now(UTC) + changes["lasts"]}
    with pytest.raises(ProcessorRefused):
        practice.processor.open_checkout(practice.request(**changes))


def test_a_payment_without_an_address_can_be_made(practice):
    assert practice.processor.open_checkout(practice.request(email=None)).url


def test_names_typed_by_people_arrive_as_typed(practice):
    checkout = practice.processor.open_checkout(
        practice.request(lines=(CheckoutLine("License for 🐶 <b>Bailey</b> & O’Brien [x](y)", 1000),))
    )
    page = practice.payer(checkout, "decline").text
    assert "License for 🐶 &lt;b&gt;Bailey&lt;/b&gt; &amp; O’Brien [x](y)" in page


def test_a_closed_checkout_cannot_be_paid_and_not_closed_again(practice):
    checkout = practice.opened()
    closed = practice.processor.expire_checkout(checkout.reference)
    assert (closed.state, closed.url) == (CheckoutState.EXPIRED, None)
    practice.payer(checkout, "card")
    assert practice.processor.read_checkout(checkout.reference) == closed
    with pytest.raises(ProcessorRefused, match="expired"):
        practice.processor.expire_checkout(checkout.reference)
    practice.events(EventKind.EXPIRED)


def test_a_paid_checkout_tells_its_charge_and_cannot_be_closed(practice):
    paid = practice.paid()
    assert (paid.state, paid.is_paid, paid.url) == (CheckoutState.COMPLETE, True, None)
    assert paid.charge_reference
    with pytest.raises(ProcessorRefused, match="complete"):
        practice.processor.expire_checkout(paid.reference)


def test_a_checkout_that_does_not_exist(practice):
    with pytest.raises(ProcessorRefused, match="No such"):
        practice.processor.read_checkout("cs_nothing")


def test_another_key_is_let_in_nowhere(practice):
    stranger = StripeCheckout(secret_key="sk_test_other", webhook_secret="whsec_x", api_base=practice.url)
    with pytest.raises(ProcessorRefused, match="API Key"):
        stranger.open_checkout(practice.request())


def test_a_refund_asked_for_twice_is_made_once(practice):
    charge = practice.paid().charge_reference
    first = practice.processor.refund(charge_reference=charge, amount_cents=500, idempotency_key="refund-1")
    again = practice.processor.refund(charge_reference=charge, amount_cents=500, idempotency_key="refund-1")
    assert first == again
    _, refunded = practice.events(EventKind.PAID, EventKind.REFUNDED)
    assert refunded.refunded_cents == 500


@pytest.mark.parametrize("cents", [pytest.param(0, id="nothing"), pytest.param(3501, id="more than was paid")])
def test_no_more_than_was_paid_can_be_refunded(practice, cents):
    with pytest.raises(ProcessorRefused):
        practice.processor.refund(
            charge_reference=practice.paid().charge_reference, amount_cents=cents, idempotency_key="refund-1"
        )


def test_nothing_is_refunded_twice(practice):
    charge = practice.paid().charge_reference
    practice.processor.refund(charge_reference=charge, amount_cents=3500, idempotency_key="refund-1")
    with pytest.raises(ProcessorRefused, match="already been refunded"):
        practice.processor.refund(charge_reference=charge, amount_cents=1, idempotency_key="refund-2")


def test_a_server_error_is_tried_again_unseen(practice):
    practice.fault("error")
    assert practice.opened().state is CheckoutState.OPEN


def test_errors_without_end_are_told_as_unavailable(practice):
    practice.fault("error", times="3")
    with pytest.raises(ProcessorUnavailable):
        practice.opened()


def test_a_slow_answer_is_not_waited_for_and_opens_nothing_twice(practice):
    practice.fault("delay", seconds="6")
    asked, hurried = practice.request(), processor_at(practice.url, time_out_seconds=3)
    begun = time.monotonic()
    opened = hurried.open_checkout(asked)
    assert time.monotonic() - begun >= 3, "nothing was slow"
    assert opened == practice.processor.open_checkout(asked)


def test_a_lost_answer_leads_to_the_same_page_when_asked_again(practice):
    practice.fault("drop")
    asked = practice.request()
    with pytest.raises(ProcessorUnavailable):
        practice.processor.open_checkout(asked)
    practice.processor.open_checkout(asked)
    assert practice.dashboard().count("/practice/payments/") == 1


def test_nobody_at_the_other_end():
    nobody = StripeCheckout(secret_key="sk_test_x", webhook_secret="whsec_x", api_base="http://127.0.0.1:9")
    with pytest.raises(ProcessorUnavailable):
        nobody.read_checkout("cs_1")
