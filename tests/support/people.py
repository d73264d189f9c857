"""People at their browsers: they visit pages, fill in the forms that are really there, and read what comes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from portal.composition import Gateways
from portal.schema.accounts import Account, SignIn
from portal.services.secrets import new_token, token_hash
from portal.services.signing_in.sign_in import SIGN_IN_LASTS, email_key
from portal.settings import Settings
from portal.views.identity import ACCOUNT, TOKEN
from tests.support.outbox import Outbox
from tests.support.page_checker import PageChecker
from tests.support.pages import Page
from tests.support.watching import Watch

MOVES = (301, 302, 303, 307, 308)
MOST_MOVES = 10
LIKE_A_BROWSER = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate"}
LIKE_HTMX = {"HX-Request": "true", "Accept": "*/*", "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}


@dataclass
class Person:
    """Someone with a browser of their own. `page` is what they look at, `moves` how they got there."""

    client: FlaskClient
    outbox: Outbox
    watch: Watch
    checker: PageChecker
    origin: str
    email: str = "pat@example.com"
    answer: TestResponse = field(init=False)
    page: Page = field(init=False)
    moves: list[str] = field(default_factory=list)

    def visit(self, path: str, *, status: int | None = 200, follow: bool = True) -> "Person":
        """Go to an address, and on to wherever it leads within the portal."""
        self.moves = []
        self._open("GET", path)
        return self._arrive(status, follow=follow)

    def submit(
        self,
        answers: dict[str, Any] | None = None,
        *,
        button: str | None = None,
        status: int | None = 200,
        follow: bool = True,
        htmx: bool = False,
        **more: Any,
    ) -> "Person":
        """Fill in the page's form and press its button: the first, or the one that says `button`.

        A date fills its three boxes; a box to tick takes True or False; a file a Path or (bytes, name).
        """
        answers = {**(answers or {}), **more}
        form = self.page.form(button=button, names=answers)
        sent = form.filled(answers, button=button)
        address = form.action or self.page.path
        self.moves = []
        if form.is_posted:
            kind = "multipart/form-data" if form.is_multipart else "application/x-www-form-urlencoded"
            headers = {**LIKE_HTMX, "HX-Current-URL": self.page.path} if htmx else {}
            self._open("POST", address, data=_encoded(sent), content_type=kind, headers=headers)
        else:
            self._open("GET", address, query_string=MultiDict([(n, v) for n, vs in sent.items() for v in vs]))
        return self._arrive(status, follow=follow)

    def click(self, link: str, *, status: int | None = 200) -> "Person":
        """Follow a link of the page by what it says."""
        assert link in self.page.links, f"there is no link “{link}”, only {sorted(self.page.links)}"
        return self.visit(self.page.links[link], status=status)

    def follow(self, *, status: int | None = 200) -> "Person":
        """Go where a redirect that was not followed leads."""
        return self._arrive(status, follow=True)

    def sign_in(self, email: str | None = None, *, then: str = "/register") -> "Person":
        """Sign in with the code of the message, and land on `then`."""
        self.email = email or self.email
        self.visit(f"/sign-in?next={then}").submit(email=self.email)
        return self.submit(code=self.outbox.code(self.email.strip()), status=None)

    @property
    def location(self) -> str | None:
        """Where the last answer sends the browser."""
        return self.answer.headers.get("Location") or self.answer.headers.get("HX-Redirect")

    @property
    def title(self) -> str:
        return self.page.title

    @property
    def h1(self) -> str:
        return self.page.h1

    @property
    def errors(self) -> list[str]:
        """The sentences of the error summary."""
        return self.page.errors

    @property
    def text(self) -> str:
        return self.page.text

    @property
    def links(self) -> dict[str, str]:
        return self.page.links

    @property
    def path(self) -> str:
        """The address of the page, with its query."""
        return self.page.path

    def _open(self, method: str, path: str, *, headers: dict[str, str] | None = None, **sent: Any) -> None:
        like_a_browser = {**LIKE_A_BROWSER, **(headers or {})}
        if method == "POST":
            like_a_browser["Origin"] = self.origin
        self.watch.clear()
        self.answer = self.client.open(path, method=method, base_url=self.origin, headers=like_a_browser, **sent)
        html = self.answer.text if _is_page(self.answer) else ""
        address = self.answer.request.full_path.rstrip("?")
        self.page = Page(address, self.answer.status_code, html, self.answer.headers)
        self.watch.check(status=self.answer.status_code)
        if _is_page(self.answer):
            self.checker.check(self.page)

    def _arrive(self, status: int | None, *, follow: bool) -> "Person":
        while follow and (target := self._own_target()):
            assert len(self.moves) < MOST_MOVES, f"sent in circles: {self.moves}"
            self.moves.append(target)
            self._open("GET", target)
        found = self.answer.status_code
        assert status in (None, found), f"{found} instead of {status} at {self.path}: {self.h1} {self.errors}"
        return self

    def _own_target(self) -> str | None:
        """The next address, unless it is another site's."""
        target = self.location
        if target is None or (self.answer.status_code not in MOVES and "HX-Redirect" not in self.answer.headers):
            return None
        parts = urlsplit(target)
        return target if not parts.netloc or target.startswith(self.origin + "/") else None


def _is_page(answer: TestResponse) -> bool:
    return answer.mimetype == "text/html" and answer.status_code not in MOVES and bool(answer.data)


def _encoded(sent: dict[str, list[Any]]) -> MultiDict[str, Any]:
    pairs = [(name, value) for name, values in sent.items() for value in values]
    return MultiDict([(n, (BytesIO(v[0]), v[1]) if isinstance(v, tuple) else v) for n, v in pairs])


Arrival = Callable[..., Person]


@pytest.fixture
def arrive(app: Flask, outbox: Outbox, watch: Watch, page_checker: PageChecker, settings: Settings) -> Arrival:
    """Someone new at a browser of their own: `arrive()`, `arrive("gavin@example.com")`, `arrive(app=other_app)`."""

    def arrive(email: str = "pat@example.com", *, app: Flask = app) -> Person:
        return Person(app.test_client(), outbox, watch, page_checker, settings.base_url, email)

    return arrive


@pytest.fixture
def visitor(arrive: Arrival) -> Person:
    """Someone who is not signed in."""
    return arrive()


@pytest.fixture
def back_again(arrive: Arrival, gateways: Gateways) -> Arrival:
    """Someone whose browser still knows them: `back_again("gavin@example.com")`. Signing in anew takes four pages."""

    def back_again(email: str = "pat@example.com") -> Person:
        person, token = arrive(email), new_token()
        until = gateways.clock.now() + SIGN_IN_LASTS
        with Session(gateways.engine) as session, session.begin():
            account = session.scalar(select(Account).where(Account.email_key == email_key(email)))
            account = account or Account(email=email, email_key=email_key(email))
            session.add(account)
            session.flush()
            session.add(SignIn(account_id=account.id, token_hash=token_hash(token), expires_at=until))
            with person.client.session_transaction(base_url=person.origin) as cookie:
                cookie[TOKEN], cookie[ACCOUNT] = token, str(account.id)
                cookie.permanent = True
        return person.visit("/register")

    return back_again


@pytest.fixture
def resident(back_again: Arrival) -> Person:
    """Someone signed in as pat@example.com."""
    return back_again("pat@example.com")


@pytest.fixture
def another_resident(back_again: Arrival) -> Person:
    """Someone else, signed in as gavin@example.com."""
    return back_again("gavin@example.com")
