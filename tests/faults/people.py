"""People who don't give up: a page that does not come is loaded again, a button that did nothing is pressed again."""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import requests

from tests.faults.place import Place
from tests.faults.world import CONSOLE, World
from tests.support.owing import Owed
from tests.support.pages import Form, Page
from tests.support.practice import wait_for

PATIENCE_SECONDS = 180.0
UNREACHABLE = (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError)
DECIDED = re.compile(r"Accepted [0-9a-f-]+\.|decided already: it is accepted")
TAKEN = re.compile(r"Receipt \S+: |is paid already")


@dataclass
class Resident:
    """Someone signed in, at a browser that runs no script."""

    place: Place
    account_id: UUID
    browser: requests.Session = field(default_factory=requests.Session)

    def __post_init__(self) -> None:
        self.browser.cookies.set("portal", self.place.cookie(self.account_id), domain=urlsplit(self.place.url).hostname)
        self.browser.trust_env = False

    def visit(self, path: str) -> Page:
        """The page, loaded until it comes."""
        page: Page = until_it_works(lambda: self.look(path))
        return page

    def press(self, action: str, *, on: str, answers: Mapping[str, Any] | None = None) -> requests.Response:
        """Load the page `on` and press the button that leads to `action`; both again if need be."""

        def attempt() -> requests.Response | None:
            form = self.form(action, on=on)
            return self.send(action, form.filled(answers or {}, button=None)) if form else None

        answer: requests.Response = until_it_works(attempt)
        return answer

    def form(self, action: str, *, on: str) -> Form | None:
        """The form of the page `on` that is sent to `action`; None when the page does not come."""
        page = self.look(on)
        if page is None:
            return None
        form = next((one for one in page.forms if (one.action or on) == action), None)
        assert form, f"{on} “{page.h1}” has no button that leads to {action}: {page.text}"
        return form

    def look(self, path: str) -> Page | None:
        """The page if it comes."""
        answer = self.browser.get(self.place.url + path, timeout=20)
        if answer.status_code >= 500:
            return None
        return Page(answer.url, answer.status_code, answer.text, answer.headers)

    def send(self, action: str, values: Mapping[str, list[Any]]) -> requests.Response | None:
        """The answer to a form if it comes."""
        files = {name: (one[1], one[0]) for name, (one, *_) in values.items() if isinstance(one, tuple)}
        words = {name: found for name, found in values.items() if name not in files}
        answer = self.browser.post(
            self.place.url + action, data=words, files=files or None, timeout=40, allow_redirects=False
        )
        return None if answer.status_code >= 500 else answer


@dataclass
class Payer(Resident):
    """Someone who owes for licenses."""

    owed: Owed = field(kw_only=True)

    @classmethod
    def of(cls, place: Place, owed: Owed) -> "Payer":
        return cls(place, owed.account_id, owed=owed)

    def go_to_card_page(self) -> str:
        """Press “Pay by card” until the processor's page comes; its address."""
        path = f"/pay/{self.owed.order_id}"
        answer = self.press(f"{path}/card", on=path)
        assert answer.status_code == 303, answer.text
        assert self.place.practice_url.rpartition(":")[2] in answer.headers["Location"]
        return answer.headers["Location"]

    def act(self, card_page: str, way: str = "card") -> None:
        """Press a button of the processor's page."""
        answer = requests.post(card_page, data={"way": way}, timeout=20, allow_redirects=False)
        assert answer.status_code == 303, answer.text
        self.place.figures.accepted += 1


def until_it_works(attempt: Callable[[], Any]) -> Any:
    """Load it again, press it again, until something comes."""

    def try_once() -> Any:
        try:
            return attempt()
        except UNREACHABLE:
            return None

    return wait_for(try_once, seconds=PATIENCE_SECONDS)


@dataclass
class Officer:
    """Works on the console; a command that died is typed again."""

    world: World

    def accept(self, owed: Owed) -> None:
        """Accept each certificate."""
        for vaccination_id in owed.vaccination_ids:
            self._type(["certificate", "accept", str(vaccination_id), "--officer", "officer@benson.example"], DECIDED)

    def take_payment(self, owed: Owed) -> None:
        """Take the whole amount at the counter."""
        reference = self.world.database.value(
            "SELECT reference FROM animal_control.fee_order WHERE id = :id", id=owed.order_id
        )
        self._type(["order", "take", reference, "--officer", "desk@benson.example"], TAKEN)

    def _type(self, command: list[str], done: re.Pattern[str]) -> None:
        def attempt() -> bool:
            before = len(self.world.log(CONSOLE))
            self.world.command(*command).wait()
            return bool(done.search(self.world.log(CONSOLE)[before:]))

        wait_for(attempt, seconds=PATIENCE_SECONDS)


@dataclass
class Processor:
    """The practice processor, as the city sees it and as its books tell."""

    place: Place

    def deed(self, card_page: str, deed: str, **more: str) -> None:
        """The city presses a button in the dashboard: refund, dispute, settle ..."""
        url = f"{self.place.practice_url}/practice/payments/{card_page.rsplit('/', 1)[1]}"
        answer = requests.post(url, data={"deed": deed, **more}, timeout=20, allow_redirects=False)
        assert answer.status_code == 303, answer.text

    def give_up(self) -> None:
        """It has tried for three days and delivers none of its events any more."""
        self._run("UPDATE event SET copies_left = 0")

    def keep_nothing_back(self) -> None:
        """An event that was to arrive after the next one arrives now: there may be no next one."""
        self._run("UPDATE event SET waits_for_a_later_one = 0")

    def all_delivered(self) -> bool:
        """Every event was taken by the portal."""
        return bool(self._run("SELECT count(*) FROM event WHERE copies_left > 0")[0][0] == 0)

    def charged(self, owed: Owed) -> list[int]:
        """What was taken and not given back, in cents, for each of the order's pages that was paid on."""
        return [left for _, is_paid, left in self._pages(owed) if is_paid and left]

    def pages_each(self, owed: Owed) -> list[int]:
        """How many pages it opened for each of the order's attempts to pay."""
        return list(Counter(payment for payment, _, _ in self._pages(owed)).values())

    def _pages(self, owed: Owed) -> list[tuple[str, bool, int]]:
        """For each page of the order: which attempt it is for, whether it was paid on, the cents that were kept."""
        attempts = self.place.database.rows(
            "SELECT id FROM animal_control.payment WHERE order_id = :id", id=owed.order_id
        )
        ours = {str(row.id) for row in attempts}
        rows = self._run("SELECT params, payment_status = 'paid', amount_cents - refunded_cents FROM payment")
        pages = [(json.loads(params)["client_reference_id"], bool(is_paid), left) for params, is_paid, left in rows]
        return [page for page in pages if page[0] in ours]

    def _run(self, statement: str) -> list[Any]:
        with closing(sqlite3.connect(self.place.data / "practice.sqlite3", timeout=30)) as store, store:
            return store.execute(statement).fetchall()
