"""The portal and the practice processor served over real HTTP, each knowing the other, with people who pay."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import requests
from flask import Flask
from sqlalchemy import Engine, create_engine

from portal.app import create_app
from portal.city import City, load_city
from portal.composition import CITIES, Gateways
from portal.gateways.clock import Clock, SystemClock
from portal.gateways.database.connections import connect
from portal.gateways.payments.stripe_checkout import StripeCheckout, sign_event
from portal.gateways.rate_limits import RateLimits
from portal.practice import PracticeSettings, create_practice_app
from portal.schema.accounts import SignIn
from portal.schema.roles import WEB
from portal.services.secrets import new_token, token_hash
from portal.settings import Settings, SmsSettings, StripeSettings
from portal.views.identity import TOKEN
from tests.support.owing import Owed, committed
from tests.support.page_checker import PageChecker
from tests.support.practice import free_socket, serving, url_of
from tests.support.storage import MemoryStorage

CITY = load_city(CITIES / "benson.toml")
SECRET = "whsec_practice"
TEXT = re.compile(r"<(script|style)\b.*?</\1>|<[^>]+>", re.DOTALL)


@dataclass
class Page:
    """An answer as its reader sees it."""

    response: requests.Response

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def path(self) -> str:
        return urlsplit(self.response.url).path

    @property
    def heading(self) -> str:
        found = re.search(r"<h1[^>]*>(.*?)</h1>", self.response.text, re.DOTALL)
        return _plain(found.group(1)) if found else ""

    @property
    def text(self) -> str:
        main = re.search(r"<main.*</main>", self.response.text, re.DOTALL)
        return _plain(main.group(0) if main else self.response.text)

    @property
    def buttons(self) -> list[str]:
        """What can be pressed to send something."""
        return [_plain(label) for label in re.findall(r"<button[^>]*submit[^>]*>(.*?)</button>", self.response.text)]

    @property
    def token(self) -> str:
        found = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', self.response.text)
        assert found, "the page has no form"
        return found.group(1)


def _plain(html: str) -> str:
    return " ".join(unescape(TEXT.sub(" ", html)).split())


@dataclass
class Payer:
    """A signed-in person with a browser that runs no script."""

    till: "Till"
    browser: requests.Session = field(default_factory=requests.Session)

    def visit(self, path: str, **headers: str) -> Page:
        """A page, wherever it leads within the portal."""
        return Page(self.browser.get(self.till.url + path, headers=headers, timeout=60))

    def look(self, path: str, **headers: str) -> requests.Response:
        """The bare answer, without going where it leads."""
        return self.browser.get(self.till.url + path, headers=headers, timeout=60, allow_redirects=False)

    def press(self, path: str, *, on: Page) -> requests.Response:
        """Press the button that posts to `path`, on a page that has it."""
        sent = {"csrf_token": on.token}
        return self.browser.post(self.till.url + path, data=sent, timeout=60, allow_redirects=False)

    def press_card(self, owed: Owed) -> requests.Response:
        """Press the main button of the page that says what is owed."""
        return self.press(f"/pay/{owed.order_id}/card", on=self.visit(f"/pay/{owed.order_id}"))

    def go_to_card_page(self, owed: Owed) -> str:
        """The address of the processor's page that the main button leads to."""
        answer = self.press_card(owed)
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"]

    def act(self, card_page: str, way: str) -> requests.Response:
        """Press a button of the processor's page."""
        return requests.post(card_page, data={"way": way}, timeout=60, allow_redirects=False)


@dataclass
class Till:
    """Everything that takes part in a payment."""

    app: Flask
    url: str
    practice_url: str
    engine: Engine
    owner: Engine  # the same database without the web process's role
    clock: Clock
    practice: PracticeSettings

    def payer(self, owed: Owed) -> Payer:
        """The person who owes, signed in."""
        token = new_token()
        with committed(self.engine) as session:
            ends = self.clock.now() + timedelta(days=1)
            session.add(SignIn(account_id=owed.account_id, token_hash=token_hash(token), expires_at=ends))
        signer = self.app.session_interface.get_signing_serializer(self.app)  # type: ignore[attr-defined]
        payer = Payer(self)
        payer.browser.cookies.set("portal", signer.dumps({TOKEN: token}), domain="127.0.0.1")
        return payer

    def dashboard(self, card_page: str, deed: str, **more: str) -> None:
        """The city presses a button in the processor's dashboard."""
        reference = card_page.rsplit("/", 1)[1]
        url = f"{self.practice_url}/practice/payments/{reference}"
        answer = requests.post(url, data={"deed": deed, **more}, timeout=60, allow_redirects=False)
        assert answer.status_code == 303, answer.text

    def fault(self, kind: str, **more: str) -> None:
        """Something is to go wrong at the processor."""
        url = f"{self.practice_url}/practice/faults"
        assert requests.post(url, data={"kind": kind, **more}, timeout=60, allow_redirects=False).status_code == 303

    def deliver(self, body: str, *, signature: str | None = None) -> requests.Response:
        """Post an event to the webhook, signed now unless told otherwise."""
        signed = sign_event(body, secret=SECRET) if signature is None else signature
        headers = {"Stripe-Signature": signed, "Content-Type": "application/json"}
        return requests.post(f"{self.url}/stripe/webhook", data=body.encode(), headers=headers, timeout=60)

    def last_event(self) -> str:
        """The newest event of the processor, whether anybody has heard it or not."""
        with closing(sqlite3.connect(self.practice.database)) as store:
            body: str = store.execute("SELECT body FROM event ORDER BY number DESC LIMIT 1").fetchone()[0]
        return body

    def path(self, order_id: UUID, page: str = "") -> str:
        return f"/pay/{order_id}{page}"


@contextmanager
def open_till(
    database_url: str,
    folder: Path,
    *,
    webhooks: bool = True,
    city: City = CITY,
    page_checker: PageChecker | None = None,
) -> Iterator[Till]:
    """Serve both. Without `webhooks` the processor's events reach nobody, as if they were late."""
    portal_socket, practice_socket = free_socket(), free_socket()
    url, practice_url = url_of(portal_socket), url_of(practice_socket)
    practice = PracticeSettings(
        data=folder / "practice",
        webhook_url=f"{url}/stripe/webhook" if webhooks else "http://127.0.0.1:9/stripe/webhook",
        webhook_secret=SECRET,
        secret_key="sk_test_practice",
        base_url=practice_url,
        mail_folder=folder / "mail",
        retry_after_s=0.01 if webhooks else 60,
    )
    engine, owner = connect(database_url, role=WEB), create_engine(database_url)
    clock = SystemClock(CITY.time_zone)
    app = create_app(_settings(url, practice_url, folder), gateways=_gateways(city, engine, clock, practice_url))
    stand_in = create_practice_app(practice)
    if page_checker:
        page_checker.watch(app)
    try:
        with serving(app, portal_socket), serving(stand_in, practice_socket):
            yield Till(app, url, practice_url, engine, owner, clock, practice)
            stand_in.extensions["practice"].close()
    finally:
        engine.dispose()
        owner.dispose()
    if page_checker:
        page_checker.check_rest()


def _gateways(city: City, engine: Engine, clock: Clock, practice_url: str) -> Gateways:
    processor = StripeCheckout(
        secret_key="sk_test_practice",
        webhook_secret=SECRET,
        api_base=practice_url,
        checkout_origin=practice_url,
        time_out_seconds=60,
    )
    return Gateways(
        city=city,
        clock=clock,
        engine=engine,
        storage=MemoryStorage(),
        processor=processor,
        limits=RateLimits(engine, secret_key="a-key-for-tests-alone"),
    )


def _settings(url: str, practice_url: str, folder: Path) -> Settings:
    return Settings(
        base_url=url,
        port=int(url.rsplit(":", 1)[1]),
        data=folder,
        city="benson",
        secret_keys=("k" * 40,),
        database_url=None,
        storage_url=(folder / "files").as_uri(),
        mail_url=None,
        mail_from="portal@localhost",
        stripe=StripeSettings("sk_test_practice", SECRET, practice_url, is_practice=True),
        sms=SmsSettings(None, "", "", is_offered=False),
    )
