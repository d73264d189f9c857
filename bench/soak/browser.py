"""Somebody at a browser: a cookie, a connection that stays open, and an address of their own behind the proxy."""

import gzip
import http.client
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode, urljoin, urlsplit
from uuid import uuid4

import brotli

from bench.soak.forms import Form, Upload, chosen, forms_of
from bench.soak.pace import Outcomes, Pace

PATIENCE_SECONDS = 60
MOST_MOVES = 6
MOST_TRIES = 20
BOUNDARY = "----soak"
SAID = re.compile(r"<h1.*?</h1>|class=\"error-summary.*?</ul>", re.DOTALL)
TAGS = re.compile(r"<[^>]*>|^[^<]*>")


class Stuck(Exception):
    """The portal did not answer as it should; it is noted already."""


@dataclass
class Answer:
    """What came."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode(errors="replace")


@dataclass
class Browser:
    """One person's browser. `path` and `text` are what they look at."""

    port: int
    pace: Pace
    outcomes: Outcomes
    cookies: dict[str, str] = field(default_factory=dict)
    address: str = field(default_factory=lambda: ".".join(str(random.randrange(1, 255)) for _ in range(4)))
    path: str = "/"
    text: str = ""
    location: str = ""
    _connection: http.client.HTTPConnection | None = None

    def visit(self, path: str, *, kind: str = "page", status: int = 200) -> "Browser":
        """Go to an address and on to where it leads."""
        self._arrive(self.ask("GET", path, kind=kind, status=status, follows=True))
        return self

    def submit(
        self, *, button: str = "", kind: str = "form", status: int = 200, or_status: int = 0, **answers: object
    ) -> "Browser":
        """Fill in the form that has this button and asks this, and press it."""
        form = chosen(self.forms(), answers, button)
        if form is None:
            self.stuck("no such form", f"“{button}” {sorted(answers)} on {_gist(self.text)}")
        sent = form.filled(answers, button)
        body, content_type = _encoded(form, sent)
        if form.is_multipart and any(isinstance(value, tuple) for _, value in sent):
            kind = "upload"
        headers = {"Content-Type": content_type}
        path = urljoin(self.path, form.action) if form.action else self.path
        self._arrive(self.ask("POST", path, body, headers, kind=kind, status=status, or_status=or_status, follows=True))
        return self

    def ask(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        *,
        kind: str,
        status: int = 200,
        or_status: int = 0,
        follows: bool = False,
    ) -> Answer:
        """One request at its time, and those that its answer leads to."""
        for _ in range(MOST_TRIES):
            answer = self._once(method, path, body, headers or {}, kind)
            if answer.status == 503 and kind == "upload":
                self.outcomes.waited()
                time.sleep(int(answer.headers.get("Retry-After", "1")))
                continue
            break
        moves = 0
        while follows and answer.status == 303 and (target := self._own(path, answer)):
            moves += 1
            if moves > MOST_MOVES:
                self.stuck("sent in circles", path)
            path = target
            answer = self._once("GET", path, b"", {}, "page")
        self.path = path
        if answer.status not in (status, or_status, 303 if follows else status):
            self.stuck(f"{kind} {method}: {answer.status} instead of {status}", f"{path} {_gist(answer.text)}")
        return answer

    def stuck(self, what: str, detail: str) -> "Browser":
        """Note it and give up."""
        self.outcomes.fail(what, f"{self.path}: {detail}")
        raise Stuck(what)

    def forms(self) -> list[Form]:
        """The forms of the page."""
        return forms_of(self.text)

    def links(self, beginning: str) -> list[str]:
        """Where the page's links lead that begin so."""
        found = [one.partition('"')[0] for one in self.text.split('href="')[1:]]
        return [one for one in found if one.startswith(beginning)]

    def close(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    def _arrive(self, answer: Answer) -> None:
        self.text = answer.text
        self.location = answer.headers.get("Location", "")

    def _own(self, path: str, answer: Answer) -> str:
        target = urlsplit(urljoin(f"http://localhost:{self.port}{path}", answer.headers.get("Location", "")))
        is_own = target.port == self.port
        return target._replace(scheme="", netloc="", fragment="").geturl() if is_own else ""

    def _once(self, method: str, path: str, body: bytes, more: Mapping[str, str], kind: str) -> Answer:
        due = self.pace.due()
        headers = {
            "Host": f"localhost:{self.port}",
            "Accept-Encoding": "br, gzip",
            "X-Forwarded-For": self.address,
            "Sec-Fetch-Site": "same-origin",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            **more,
        }
        try:
            answer = self._exchange(method, path, body, headers)
        except (OSError, http.client.HTTPException) as problem:
            self.close()
            self.outcomes.fail(f"no answer: {type(problem).__name__}", f"{method} {path}")
            raise Stuck from problem
        if answer.status < 500:
            self.outcomes.note(kind, time.perf_counter() - due)
        return answer

    def _exchange(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        self._connection.request(method, path, body=body or None, headers=dict(headers))
        response = self._connection.getresponse()
        content = response.read()
        for cookie in response.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return Answer(response.status, response.headers, opened(content, response.headers.get("Content-Encoding")))


def _gist(page: str) -> str:
    """The heading and what is said to be wrong."""
    said = SAID.findall(page)
    return " | ".join(" ".join(TAGS.sub(" ", one).split()) for one in said) or page[:300]


def opened(content: bytes, coding: str | None) -> bytes:
    if coding == "br":
        return bytes(brotli.decompress(content))
    return gzip.decompress(content) if coding == "gzip" else content


def _encoded(form: Form, sent: list[tuple[str, str | Upload]]) -> tuple[bytes, str]:
    if not form.is_multipart:
        return urlencode([(name, value) for name, value in sent]).encode(), "application/x-www-form-urlencoded"
    boundary = f"{BOUNDARY}{uuid4().hex}"
    parts = bytearray()
    for name, value in sent:
        parts += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'.encode()
        if isinstance(value, tuple):
            parts += f'; filename="{value[0]}"\r\nContent-Type: application/octet-stream\r\n\r\n'.encode() + value[1]
        else:
            parts += b"\r\n\r\n" + value.encode()
        parts += b"\r\n"
    return bytes(parts + f"--{boundary}--\r\n".encode()), f"multipart/form-data; boundary={boundary}"
