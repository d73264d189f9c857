"""Stripe's signed events in the portal's words, and everything else turned away (cases P2, P5)."""

import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from portal.gateways.payments.processor import BadSignature, EventKind
from portal.gateways.payments.stripe_checkout import StripeCheckout, sign_event

SECRET = "whsec_test"
PAYMENT_ID = UUID("7c9e6679-7425-40de-944b-e07fc1f90ae7")
STRIPE = StripeCheckout(secret_key="sk_test_x", webhook_secret=SECRET)


def event(kind: str, **content: Any) -> bytes:
    told = {"id": "evt_1", "object": "event", "created": 1_764_475_200, "type": kind, "data": {"object": content}}
    return json.dumps(told).encode()


def session(**changes: Any) -> dict[str, Any]:
    return {
        "id": "cs_1",
        "object": "checkout.session",
        "client_reference_id": str(PAYMENT_ID),
        "payment_intent": "pi_1",
        "payment_status": "paid",
        "amount_total": 1000,
        "currency": "usd",
        **changes,
    }


def signature(body: bytes, *, later: int = 0, secret: str = SECRET) -> str:
    """What Stripe signs now, or so many seconds later."""
    moment = int(time.time()) + later
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


@pytest.mark.parametrize(
    ("kind", "changes", "expected"),
    [
        ("checkout.session.completed", {}, EventKind.PAID),
        ("checkout.session.completed", {"payment_status": "unpaid"}, EventKind.UNPAID),
        ("checkout.session.async_payment_succeeded", {}, EventKind.PAID),
        ("checkout.session.async_payment_failed", {"payment_status": "unpaid"}, EventKind.FAILED),
        ("checkout.session.expired", {"payment_status": "unpaid", "payment_intent": None}, EventKind.EXPIRED),
    ],
)
def test_what_became_of_a_checkout(kind, changes, expected):
    body = event(kind, **session(**changes))
    told = STRIPE.read_event(body, signature(body))
    assert told is not None
    assert (told.kind, told.payment_id, told.checkout_reference) == (expected, PAYMENT_ID, "cs_1")
    assert (told.amount_cents, told.currency, told.refunded_cents) == (1000, "usd", None)
    assert told.occurred_at.isoformat() == "2025-11-30T04:00:00+00:00"


def test_a_charge_given_whole_is_known_by_its_id():
    body = event("checkout.session.completed", **session(payment_intent={"id": "pi_1", "object": "payment_intent"}))
    told = STRIPE.read_event(body, signature(body))
    assert told is not None
    assert told.charge_reference == "pi_1"


def test_a_refund_tells_the_sum_so_far():
    charge = {"amount": 1000, "amount_refunded": 400, "currency": "usd", "payment_intent": "pi_1"}
    body = event("charge.refunded", id="ch_1", metadata={"payment_id": str(PAYMENT_ID)}, **charge)
    told = STRIPE.read_event(body, signature(body))
    assert told is not None
    assert (told.kind, told.payment_id, told.charge_reference) == (EventKind.REFUNDED, PAYMENT_ID, "pi_1")
    assert (told.amount_cents, told.refunded_cents) == (1000, 400)


def test_a_refund_that_failed_is_known_by_its_charge():
    refund = {"amount": 400, "currency": "usd", "payment_intent": "pi_1", "failure_reason": "lost_or_stolen_card"}
    body = event("refund.failed", id="re_1", object="refund", status="failed", metadata={}, **refund)
    told = STRIPE.read_event(body, signature(body))
    assert told is not None
    assert (told.kind, told.charge_reference) == (EventKind.REFUND_FAILED, "pi_1")
    assert (told.amount_cents, told.detail) == (400, "lost_or_stolen_card")


@pytest.mark.parametrize(
    ("kind", "status", "expected"),
    [
        ("charge.dispute.created", "warning_needs_response", EventKind.DISPUTED),
        ("charge.dispute.closed", "lost", EventKind.DISPUTE_CLOSED),
    ],
)
def test_a_dispute_is_known_by_its_charge(kind, status, expected):
    body = event(kind, id="du_1", amount=1000, currency="usd", payment_intent="pi_1", status=status, metadata={})
    told = STRIPE.read_event(body, signature(body))
    assert told is not None
    assert (told.kind, told.charge_reference, told.detail) == (expected, "pi_1", status)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(event("payment_intent.succeeded", id="pi_1"), id="a kind we do not act on"),
        pytest.param(event("checkout.session.completed", **session(client_reference_id=None)), id="no reference"),
        pytest.param(event("checkout.session.completed", **session(client_reference_id="pool-7")), id="not ours"),
        pytest.param(b'{"id": "evt_1", "object": "v2.core.event", "type": "v2.x"}', id="an event without content"),
    ],
)
def test_signed_but_not_about_our_payments(body):
    assert STRIPE.read_event(body, signature(body)) is None


PAID = event("checkout.session.completed", **session())


def signed(body: bytes, **how: Any) -> Callable[[], str]:
    """A signature that is made when it is sent: one made when the tests were collected is old by then."""
    return lambda: signature(body, **how)


@pytest.mark.parametrize(
    ("body", "header"),
    [
        pytest.param(PAID, lambda: "", id="no signature"),
        pytest.param(PAID, lambda: "nonsense", id="nonsense"),
        pytest.param(PAID, lambda: "t=1,v1=é", id="letters no signature has"),
        pytest.param(PAID, lambda: "t=99999999999999999999,v1=0", id="a time beyond all times"),
        pytest.param(PAID, signed(PAID, secret="whsec_other"), id="another secret"),
        pytest.param(PAID + b" ", signed(PAID), id="changed on the way"),
        pytest.param(PAID, signed(PAID, later=-400), id="P2 replayed outside the tolerance"),
        pytest.param(PAID, signed(PAID, later=1000), id="signed in the future"),
        pytest.param(b"\xff\xfe", signed(b"\xff\xfe"), id="not text"),
        pytest.param(b"{", signed(b"{"), id="not JSON"),
        pytest.param(b"[]", signed(b"[]"), id="not an object"),
        pytest.param(b"", signed(b""), id="empty"),
    ],
)
def test_turned_away(body, header):
    with pytest.raises(BadSignature):
        STRIPE.read_event(body, header())


def test_a_delivery_some_minutes_late_is_still_believed():
    assert STRIPE.read_event(PAID, signature(PAID, later=-240))


def test_our_own_signing_is_the_one_that_is_verified():
    assert STRIPE.read_event(PAID, sign_event(PAID.decode(), secret=SECRET))


def test_a_portal_without_a_webhook_secret_believes_nothing():
    with pytest.raises(BadSignature):
        StripeCheckout(secret_key="sk_test_x", webhook_secret="").read_event(PAID, signature(PAID, secret=""))
