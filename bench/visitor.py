"""A person with a browser: the requests it would send, written out as bytes, and plain answers to them."""

import http.client
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import Flask
from flask.sessions import SecureCookieSessionInterface

from portal.views.identity import TOKEN

TOKEN_FIELD = re.compile(r'name="csrf_token"[^>]*value="([^"]+)"')
ACCEPTED = "br, gzip"


@dataclass(frozen=True)
class Asked:
    """One request, and the status it is to be answered with."""

    name: str
    method: str
    path: str
    status: int = 200
    cookie: str = ""
    body: str = ""

    def as_bytes(self, port: int) -> bytes:
        """HTTP/1.1 with keep-alive, as a browser sends it."""
        lines = [f"{self.method} {self.path} HTTP/1.1", f"Host: localhost:{port}", f"Accept-Encoding: {ACCEPTED}"]
        lines += [f"Cookie: {self.cookie}"] if self.cookie else []
        if self.method == "POST":
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(self.body)}"]
        return "\r\n".join([*lines, "", self.body]).encode()


@dataclass(frozen=True)
class Answer:
    """A whole answer as it came over the wire."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def wire_bytes(self) -> int:
        """Status line, headers and body."""
        return len(self.headers.as_bytes()) + len(b"HTTP/1.1 200 OK\r\n") + len(self.body)


def get(port: int, path: str, *, cookie: str = "", accepted: str = ACCEPTED) -> Answer:
    """Ask once, on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Host": f"localhost:{port}", "Accept-Encoding": accepted} | ({"Cookie": cookie} if cookie else {})
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    answer = Answer(response.status, response.headers, response.read())
    connection.close()
    return answer


def signed_in_cookie(token: str, *, secret_key: str) -> str:
    """The cookie a browser holds after signing in."""
    return f"portal={signed({TOKEN: token}, secret_key=secret_key)}"


def signed(session: Mapping[str, object], *, secret_key: str) -> str:
    """What a cookie says in which a browser keeps this."""
    app = Flask(__name__)
    app.secret_key = secret_key
    signer = SecureCookieSessionInterface().get_signing_serializer(app)
    if signer is None:
        raise ValueError("Signing needs a key")
    return str(signer.dumps(dict(session)))


def open_form(port: int, path: str, *, cookie: str) -> tuple[str, str]:
    """Look at a page with a form: the cookie from then on, and the form's token."""
    answer = get(port, path, cookie=cookie, accepted="identity")
    found = TOKEN_FIELD.search(answer.body.decode())
    if answer.status != 200 or found is None:
        raise SystemExit(f"{path} was answered with {answer.status} and has no form")
    given = answer.headers.get("Set-Cookie", cookie).partition(";")[0]
    return given, found.group(1)


def posted(**fields: str) -> str:
    return urlencode(fields)
