"""Stripe Checkout, hosted: the one module that knows Stripe's client.

https://docs.stripe.com/api/checkout/sessions, https://docs.stripe.com/webhooks
"""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import stripe
from stripe.checkout import Session
from stripe.params import EventListParams, RefundCreateParams
from stripe.params.checkout import SessionCreateParams, SessionCreateParamsLineItem

from portal.gateways.payments.processor import (
    BadSignature,
    Checkout,
    CheckoutLine,
    CheckoutRequest,
    CheckoutState,
    ProcessorEvent,
    ProcessorRefused,
    ProcessorUnavailable,
)
from portal.gateways.payments.stripe_events import READERS, payment_id_from, processor_event
from portal.gateways.several import several

STRIPE_API = "https://api.stripe.com"
STRIPE_CHECKOUT = "https://checkout.stripe.com"
CURRENCY = "usd"
TIME_OUT_SECONDS = 10.0
RETRIES = 2
TOLERANCE_SECONDS = 300

# The client would otherwise write an id into the home folder and send it along with the machine's description.
stripe.enable_telemetry = False


class StripeCheckout:
    """A PaymentProcessor that talks to Stripe, or to whatever speaks as Stripe does at `api_base`."""

    def __init__(
        self,
        *,
        secret_key: str,
        webhook_secret: str,
        api_base: str = STRIPE_API,
        checkout_origin: str = STRIPE_CHECKOUT,
        time_out_seconds: float = TIME_OUT_SECONDS,
    ) -> None:
        self.checkout_origin = checkout_origin
        self._webhook_secrets = several(webhook_secret)
        self._client = stripe.StripeClient(
            secret_key,
            base_addresses={"api": api_base.rstrip("/")},
            max_network_retries=RETRIES,
            http_client=stripe.RequestsClient(timeout=time_out_seconds),
        )

    def open_checkout(self, request: CheckoutRequest) -> Checkout:
        with _in_our_words():
            session = self._client.v1.checkout.sessions.create(
                _session_params(request), {"idempotency_key": str(request.payment_id)}
            )
        return _checkout(session)

    def read_checkout(self, reference: str) -> Checkout:
        with _in_our_words():
            return _checkout(self._client.v1.checkout.sessions.retrieve(reference))

    def expire_checkout(self, reference: str) -> Checkout:
        with _in_our_words():
            return _checkout(self._client.v1.checkout.sessions.expire(reference))

    def refund(self, *, charge_reference: str, amount_cents: int, idempotency_key: str) -> str:
        params: RefundCreateParams = {"payment_intent": charge_reference, "amount": amount_cents}
        with _in_our_words():
            return self._client.v1.refunds.create(params, {"idempotency_key": idempotency_key}).id

    def reach(self) -> datetime | None:
        """The processor's own time, asked for with our key; raises ProcessorUnavailable or ProcessorRefused."""
        with _in_our_words():
            answer = self._client.v1.events.list({"limit": 1}).last_response
        told = answer.headers.get("Date") if answer and answer.headers else None
        return parsedate_to_datetime(told) if told else None

    def events_since(self, moment: datetime) -> Iterator[ProcessorEvent]:
        """https://docs.stripe.com/api/events/list, newest first, a hundred a page."""
        asked: EventListParams = {"created": {"gte": int(moment.timestamp())}, "types": [*READERS], "limit": 100}
        with _in_our_words():
            for event in self._client.v1.events.list(asked).auto_paging_iter():
                if read := processor_event(event.to_dict()):
                    yield read

    def read_event(self, body: bytes, signature: str) -> ProcessorEvent | None:
        """Stripe delivers until it gets a 2xx, so an event that does not check out may be answered with 400."""
        _verify(body, signature, secrets=self._webhook_secrets)
        try:
            event = json.loads(body)
        except ValueError as problem:
            raise BadSignature("The event is not JSON") from problem
        if not isinstance(event, dict):
            raise BadSignature("The event is not an object")
        return processor_event(event)


def sign_event(body: str, *, secret: str) -> str:
    """The Stripe-Signature header for a body sent now, for whoever stands in for Stripe."""
    header: str = stripe.WebhookSignature.generate_signature_header(body, secret)
    return header


def _verify(body: bytes, signature: str, *, secrets: Sequence[str]) -> None:
    """Signed with one of our secrets, within five minutes of now on either side. Two hold while one is changed."""
    if not signature.isascii():
        raise BadSignature("The signature is not ASCII")
    if not any(_is_signed(body, signature, secret) for secret in secrets):
        raise BadSignature("The event is not signed for us just now")
    # The client looks at the past alone; one signed ahead of time could be replayed until that time has passed.
    signed_at = int(next(part[2:] for part in signature.split(",") if part.startswith("t=")))
    if signed_at > time.time() + TOLERANCE_SECONDS:
        raise BadSignature("The event is signed in the future")


def _is_signed(body: bytes, signature: str, secret: str) -> bool:
    try:
        stripe.WebhookSignature.verify_header(body, signature, secret, TOLERANCE_SECONDS)
    except (stripe.SignatureVerificationError, UnicodeDecodeError):
        return False
    return True


def _session_params(request: CheckoutRequest) -> SessionCreateParams:
    """Which ways to pay are offered (cards, wallets, bank debit) is chosen in Stripe's dashboard."""
    metadata = {"payment_id": str(request.payment_id)}
    params: SessionCreateParams = {
        "mode": "payment",
        "client_reference_id": str(request.payment_id),
        "line_items": [_line_item(line) for line in request.lines],
        "metadata": metadata,
        # A session's metadata is not copied to its charge, and it is the charge that is refunded and disputed.
        "payment_intent_data": {"metadata": metadata},
        "success_url": request.return_url,
        "cancel_url": request.cancel_url,
        "expires_at": int(request.expires_at.timestamp()),
    }
    if request.email is not None:
        params["customer_email"] = request.email
    return params


def _line_item(line: CheckoutLine) -> SessionCreateParamsLineItem:
    return {
        "quantity": 1,
        "price_data": {
            "currency": CURRENCY,
            "unit_amount": line.amount_cents,
            "product_data": {"name": line.description},
        },
    }


def _checkout(session: Session) -> Checkout:
    intent = session.payment_intent
    return Checkout(
        reference=session.id,
        url=session.url,
        state=CheckoutState(session.status or CheckoutState.OPEN),
        is_paid=session.payment_status == "paid",
        amount_cents=session.amount_total or 0,
        currency=session.currency or CURRENCY,
        payment_id=payment_id_from(session.client_reference_id),
        charge_reference=intent if intent is None or isinstance(intent, str) else intent.id,
        expires_at=datetime.fromtimestamp(session.expires_at, UTC),
    )


@contextmanager
def _in_our_words() -> Iterator[None]:
    """No answer, too many requests, a conflict of two calls at once or a fault of theirs can be tried again."""
    try:
        yield
    except stripe.StripeError as problem:
        status = problem.http_status
        kind = " ".join(filter(None, (type(problem).__name__, str(status or ""), problem.code)))
        if status is None or status in {409, 429} or status >= 500:
            raise ProcessorUnavailable(str(problem), kind=kind) from problem
        raise ProcessorRefused(str(problem), kind=kind) from problem
