"""The desk among a million dogs: search, a full queue, the pages of a person, a dog, a home, and a file of all."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from statistics import median
from time import monotonic
from urllib.parse import urlencode
from uuid import UUID

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

from bench.desk_rows import KINDS_WAITING, fill
from bench.load import run
from bench.report import Figure, Report, percentile, table
from bench.stage import SECRET_KEY, Server, Stage
from bench.visitor import Asked
from portal.schema.staff import FactorKind, Staff, StaffRole, StaffSignIn
from portal.services.secrets import derived_token, new_token, token_hash
from portal.services.signing_in.sign_in import email_key
from portal.views.desk.identity import SEEN, TOKEN

MANY = 1_000_000
WAITING = 3_000
MOST_MS = 100
MOST_GROWTH_MB = 40
PIECE = 1 << 16
PAGES = (
    Asked("a name without its accent", "GET", "/desk/search?q=echo"),
    Asked("a name of 28,000 dogs", "GET", "/desk/search?q=bella"),
    Asked("two letters", "GET", "/desk/search?q=be"),
    Asked("dog and keeper", "GET", "/desk/search?q=pepper%20johnson"),
    Asked("a person", "GET", "/desk/search?q=zoe%20nguyen"),
    Asked("four digits", "GET", "/desk/search?q=4271"),
    Asked("a chip's beginning", "GET", "/desk/search?q=985112"),
    Asked("a chip's middle", "GET", "/desk/search?q=2000123"),
    Asked("a phone", "GET", "/desk/search?q=(200)%20230-0004"),
    Asked("a phone's end", "GET", "/desk/search?q=230-0004"),
    Asked("an address", "GET", "/desk/search?q=21310%20Idaho%20Avenue"),
    Asked("a street", "GET", "/desk/search?q=idaho%20ave"),
    Asked("a tag", "GET", "/desk/search?q=2025-4271"),
    Asked("nothing", "GET", "/desk/search?q=zzzzzz%20qqqqq"),
    Asked("the queue", "GET", "/desk"),
    Asked("a resident", "GET", "/desk/people/%person"),
    Asked("a dog", "GET", "/desk/dogs/%animal"),
    Asked("a home", "GET", "/desk/places/%premises"),
)


@dataclass(frozen=True)
class Filled:
    """A database with so many dogs, and a cookie of somebody at the desk."""

    name: str
    cookie: str


def measure(stage: Stage, report: Report, *, dogs: int, rounds: int, seconds: float) -> None:
    with _filled(stage, dogs, WAITING) as filled, stage.serving(database=filled.name) as server:
        rows = []
        pages = [Asked(page.name, page.method, _with_keys(page.path), cookie=filled.cookie) for page in PAGES]
        for page in pages:
            run(server.port, page, seconds=0.5)
        for page in pages:
            loads = [run(server.port, page, seconds=seconds, connections=1) for _ in range(rounds)]
            taken = [1000 * latency for load in loads for latency in load.latencies]
            p95_ms = 1000 * median(percentile(load.latencies, 0.95) for load in loads)
            rows.append((page.name, f"{min(taken):.1f}", f"{median(taken):.1f}", f"{p95_ms:.1f}"))
            report.add(Figure(f"desk, {page.name}: p95 at {dogs} dogs", p95_ms, "ms", at_most=MOST_MS))
        heads = ("page", "least ms", "p50 ms", "p95 ms")
        table(f"The desk at {dogs} dogs, {KINDS_WAITING * WAITING} items in the queue", heads, rows)
        _take_away(server, filled, report, dogs=dogs)


def _take_away(server: Server, filled: Filled, report: Report, *, dogs: int) -> None:
    """Every license as a file: how soon it begins, how long it takes, and what the process grows by."""
    before, most, size, began = server.process.memory_info().rss, 0, 0, monotonic()
    first_s = 0.0
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=600)) as connection:
        asked, cookie = _export_asked(connection, filled.cookie)
        connection.request("POST", "/desk/exports", asked, _headers(cookie))
        answer = connection.getresponse()
        assert answer.status == HTTPStatus.OK, answer.status
        while piece := answer.read(PIECE):
            first_s = first_s or monotonic() - began
            size += len(piece)
            most = max(most, server.process.memory_info().rss)
    grown_mb = (most - before) / (1 << 20)
    rows = [(f"{size >> 20} MB", f"{first_s:.1f}", f"{monotonic() - began:.0f}", f"{grown_mb:.0f}")]
    table(f"A file of {dogs} licenses", ("size", "first byte s", "whole s", "grown MB"), rows)
    report.add(Figure(f"desk, file of {dogs} licenses: memory", grown_mb, "MB", at_most=MOST_GROWTH_MB))


def _export_asked(connection: HTTPConnection, cookie: str) -> tuple[str, str]:
    """What the form sends, and the cookie that its token belongs to."""
    connection.request("GET", "/desk/exports", headers={"Cookie": cookie, "Host": "localhost"})
    answer = connection.getresponse()
    page, given = answer.read().decode(), SimpleCookie(answer.headers.get("Set-Cookie", ""))
    cookie = f"desk={given['desk'].value}" if "desk" in given else cookie
    token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page)
    assert token is not None
    asked = {"csrf_token": token[1], "what": "licenses", "shape": "spreadsheet", "year": "2025"}
    return urlencode(asked), cookie


def _headers(cookie: str) -> dict[str, str]:
    return {"Cookie": cookie, "Host": "localhost", "Content-Type": "application/x-www-form-urlencoded"}


@contextmanager
def _filled(stage: Stage, dogs: int, waiting: int) -> Iterator[Filled]:
    name = stage.copied_database("desk")
    engine = create_engine(stage.postgres.url(name))
    fill(engine, dogs=dogs, waiting=waiting)
    token, now = new_token(), datetime.now(UTC)
    with Session(engine) as session, session.begin():
        email = "olsen@benson.example"
        staff = Staff(
            email=email, email_key=email_key(email), role=StaffRole.OFFICER, added_by="bench", set_up_until=now
        )
        session.add(staff)
        session.flush()
        session.add(
            StaffSignIn(
                staff_id=staff.id,
                token_hash=token_hash(token),
                proved_by=FactorKind.APP,
                proved_at=now,
                expires_at=now + timedelta(hours=10),
            )
        )
    engine.dispose()
    yield Filled(name, _cookie(token, now))


def _cookie(token: str, now: datetime) -> str:
    """The desk's cookie of a browser that is signed in, signed as the desk signs it."""
    app = Flask(__name__)
    app.secret_key = derived_token("desk", key=SECRET_KEY)
    signer = SecureCookieSessionInterface().get_signing_serializer(app)
    assert signer is not None
    return f"desk={signer.dumps({TOKEN: token, SEEN: int(now.timestamp())})}"


def _with_keys(path: str) -> str:
    for table_name in ("person", "animal", "premises"):
        path = path.replace(f"%{table_name}", _key(table_name))
    return path


def _key(table_name: str) -> str:
    return str(UUID(hashlib.md5(f"{table_name} 4271".encode(), usedforsecurity=False).hexdigest()))
