"""A practice processor at a free port, the real client that talks to it, and a portal that hears of events."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import requests

from portal.gateways.payments.processor import Checkout, CheckoutLine, CheckoutRequest, EventKind, ProcessorEvent
from portal.gateways.payments.stripe_checkout import StripeCheckout
from portal.practice import PracticeSettings, create_practice_app
from tests.support.practice import WebhookReceiver, free_socket, receiving, serving, url_of, wait_for


@dataclass
class Practice:
    """The stand-in as a payer, the city and the portal meet it."""

    url: str
    settings: PracticeSettings
    processor: StripeCheckout
    webhooks: WebhookReceiver

    def request(self, **changes: object) -> CheckoutRequest:
        return checkout_request(**changes)

    def opened(self) -> Checkout:
        return self.processor.open_checkout(self.request())

    def payer(self, checkout: Checkout, way: str) -> requests.Response:
        """The payer presses a button on the hosted page."""
        return post(f"{self.url}/c/pay/{checkout.reference}", way=way)

    def city(self, checkout: Checkout, deed: str, **more: str) -> requests.Response:
        """The city presses a button in the processor's dashboard."""
        return post(f"{self.url}/practice/payments/{checkout.reference}", deed=deed, **more)

    def dashboard(self, path: str = "") -> str:
        """A page of the dashboard."""
        return requests.get(f"{self.url}/practice/payments{path}", timeout=60).text

    def again(self, event_id: str) -> None:
        """The city has an event sent once more."""
        assert post(f"{self.url}/practice/events/{event_id}/again").status_code == 303

    def api(self, path: str) -> Any:
        """An API call that the portal's client does not make."""
        return requests.get(self.url + path, auth=("sk_test_practice", ""), timeout=60).json()

    def fault(self, kind: str, **more: str) -> None:
        assert post(f"{self.url}/practice/faults", kind=kind, **more).status_code == 303

    def paid(self) -> Checkout:
        checkout = self.opened()
        self.payer(checkout, "card")
        return self.processor.read_checkout(checkout.reference)

    def events(self, *kinds: EventKind) -> list[ProcessorEvent]:
        """The events that came, once as many as named here have come; they are of these kinds."""
        wait_for(lambda: len(self.webhooks.read_by(self.processor)) >= len(kinds))
        events = self.webhooks.read_by(self.processor)
        assert [event.kind for event in events] == list(kinds)
        return events


def checkout_request(**changes: object) -> CheckoutRequest:
    """Two licenses in one payment, with what is to be different."""
    asked = CheckoutRequest(
        payment_id=uuid4(),
        lines=(CheckoutLine("License for Pepper, 2027", 1000), CheckoutLine("License for Rex, 2027", 2500)),
        email="gavin@example.com",
        return_url="http://localhost:8000/pay/7/done?session={CHECKOUT_SESSION_ID}",
        cancel_url="http://localhost:8000/pay/7",
        expires_at=datetime.now(UTC) + timedelta(hours=1),
    )
    return replace(asked, **changes)  # type: ignore[arg-type]


def processor_at(url: str, *, time_out_seconds: float = 60) -> StripeCheckout:
    """The real client; a busy machine makes it give up nothing."""
    return StripeCheckout(
        secret_key="sk_test_practice",
        webhook_secret="whsec_practice",
        api_base=url,
        checkout_origin=url,
        time_out_seconds=time_out_seconds,
    )


def post(url: str, **form: str) -> requests.Response:
    return requests.post(url, data=form, timeout=60, allow_redirects=False)


@pytest.fixture
def webhooks() -> Iterator[WebhookReceiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def start(tmp_path: Path, webhooks: WebhookReceiver) -> Iterator[Callable[..., Practice]]:
    """Starts practice apps, each stopped before the next begins, over the same data."""
    running: list[Iterator[Practice]] = []

    def stop() -> None:
        while running:
            next(running.pop(), None)

    def begin(**changes: object) -> Practice:
        stop()
        running.append(_run(tmp_path, webhooks, changes))
        return next(running[-1])

    yield begin
    stop()


@pytest.fixture
def practice(start: Callable[..., Practice]) -> Practice:
    return start()


def _run(folder: Path, webhooks: WebhookReceiver, changes: dict[str, object]) -> Iterator[Practice]:
    listener = free_socket()
    settings = replace(
        PracticeSettings(
            data=folder / "var",
            webhook_url=webhooks.url,
            webhook_secret="whsec_practice",
            secret_key="sk_test_practice",
            base_url=url_of(listener),
            mail_folder=folder / "mail",
            retry_after_s=0.01,
        ),
        **changes,  # type: ignore[arg-type]
    )
    app = create_practice_app(settings)
    with serving(app, listener):
        yield Practice(url_of(listener), settings, processor_at(url_of(listener)), webhooks)
        app.extensions["practice"].close()
