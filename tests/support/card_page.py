"""The processor's page where cards are paid: the practice processor over real HTTP.

Its webhooks are kept by a receiver and reach the portal when a test hands them over, so that a test decides which
comes first, the payer or the webhook.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
import requests
from flask import Flask
from werkzeug.test import TestResponse

from portal.gateways.clock import FixedClock
from portal.gateways.payments.stripe_checkout import StripeCheckout
from portal.practice import PracticeSettings, create_practice_app
from portal.practice.office import Office
from portal.settings import Settings
from tests.support.practice import Delivery, WebhookReceiver, free_socket, receiving, serving, url_of, wait_for

TABLES = ("payment", "answer", "event", "fault")


@dataclass
class CardPage:
    """The hosted page, the dashboard behind it, and the webhooks that left it."""

    url: str
    processor: StripeCheckout
    office: Office
    webhooks: WebhookReceiver

    def pay(self, page_url: str, way: str = "card") -> str:
        """The payer presses a button (card, bank, decline); where the page sends them next."""
        answer = requests.post(page_url, data={"way": way}, timeout=60, allow_redirects=False)
        return answer.headers.get("Location", page_url)

    def deed(self, page_url: str, deed: str, **more: str) -> None:
        """The city presses a button in the processor's dashboard: refund, dispute, settle ..."""
        address = f"{self.url}/practice/payments/{reference_of(page_url)}"
        answer = requests.post(address, data={"deed": deed, **more}, timeout=60, allow_redirects=False)
        assert answer.status_code == 303, answer.text

    def waiting(self) -> list[Delivery]:
        """Every webhook the processor has sent and the portal was not handed yet, once all are out."""
        wait_for(self._is_quiet)
        return self.webhooks.deliveries

    def deliver(self, app: Flask) -> list[TestResponse]:
        """Hand the waiting webhooks to the portal, in order; what it answered."""
        answers = [post_webhook(app, delivery) for delivery in self.waiting()]
        self.webhooks.deliveries.clear()
        return answers

    def forget(self) -> None:
        """No payments, no events, nothing on its way."""
        with self.office.store.transaction() as db:
            for table in TABLES:
                db.execute(f"DELETE FROM {table}")  # noqa: S608
        self.webhooks.deliveries.clear()
        self.webhooks.answers.clear()

    def _is_quiet(self) -> bool:
        with self.office.store.transaction() as db:
            left = "SELECT count(*) FROM event WHERE copies_left > 0 AND NOT waits_for_a_later_one"
            return db.execute(left).fetchone()[0] == 0


def post_webhook(app: Flask, delivery: Delivery) -> TestResponse:
    """Hand one webhook to the portal, as the processor would."""
    headers = {"Stripe-Signature": delivery.signature, "Content-Type": "application/json; charset=utf-8"}
    return app.test_client().post("/stripe/webhook", data=delivery.body, headers=headers)


def reference_of(page_url: str) -> str:
    """The checkout session of a hosted page's address."""
    return page_url.partition("?")[0].rpartition("/")[2]


@pytest.fixture(scope="session")
def shared_card_page(
    settings: Settings, shared_clock: FixedClock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[CardPage]:
    folder, listener = tmp_path_factory.mktemp("practice"), free_socket()
    secrets = {"secret_key": settings.stripe.secret_key, "webhook_secret": settings.stripe.webhook_secret}
    with ExitStack() as stack:
        webhooks = stack.enter_context(receiving())
        app = create_practice_app(
            PracticeSettings(
                data=folder,
                webhook_url=webhooks.url,
                base_url=url_of(listener),
                mail_folder=settings.mail_folder,
                retry_after_s=0.01,
                clock=shared_clock,
                **secrets,
            )
        )
        office: Office = app.extensions["practice"]
        stack.enter_context(serving(app, listener))
        stack.callback(office.close)
        url = url_of(listener)
        yield CardPage(url, StripeCheckout(api_base=url, checkout_origin=url, **secrets), office, webhooks)


@pytest.fixture
def card_page(shared_card_page: CardPage) -> Iterator[CardPage]:
    """The practice processor, with nothing in it from other tests."""
    yield shared_card_page
    shared_card_page.forget()
