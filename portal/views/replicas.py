"""Which requests may be answered from a replica, and how everybody still sees what they wrote themselves.

After a transaction the browser gets a cookie that says how far the database had come; until the replica is that far,
this browser's pages come from the primary. A page that is not there, or failed, is asked of the primary once more: the
link to it may be younger than what the replica holds.
"""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, current_app, g, request
from sqlalchemy import Connection
from werkzeug.wsgi import ClosingIterator

from portal.gateways.database.replica import Replica

LOOKS = frozenset({"GET", "HEAD"})
ONLY_PRIMARY = "portal.only_primary"
WAS_REPLICA = "portal.was_replica"
ONCE_MORE = frozenset({404, 410, 500, 503})
FAILED = frozenset({500, 503})
FURTHEST = 2**63 - 1
# Longer than a replica that is used may be behind.
SECONDS = 60


def connection(replica: Replica | None) -> Connection | None:
    """A connection to the replica where this request may be answered from it."""
    if replica is None or not _may_be_old():
        return None
    found = replica.connection(holding=_seen())
    request.environ[WAS_REPLICA] = found is not None
    return found


def remember(replica: Replica | None) -> None:
    """This browser wrote something: it sees it from now on."""
    if replica is not None:
        g.written = replica.written()


def _may_be_old() -> bool:
    """Software keeps no cookie, so what it wrote is read where it was written; and readiness is the primary's."""
    return (
        request.method in LOOKS
        and "written" not in g
        and "Authorization" not in request.headers
        and ONLY_PRIMARY not in request.environ
        and not request.path.startswith("/health/")
    )


def _seen() -> int:
    told = request.cookies.get(_cookie(), "0")
    return min(int(told), FURTHEST) if told.isascii() and told.isdigit() and len(told) < 20 else FURTHEST


def _cookie() -> str:
    is_https = urlsplit(current_app.config["BASE_URL"]).scheme == "https"
    return "__Host-written" if is_https else "written"


def _tell(response: Response) -> Response:
    if "written" in g:
        response.set_cookie(
            _cookie(),
            str(g.written),
            max_age=SECONDS,
            secure=_cookie().startswith("__Host-"),
            httponly=True,
            samesite="Lax",
        )
    return response


class OnceMore:
    """Asks the primary for what the replica did not have."""

    def __init__(self, app: WSGIApplication, replica: Replica) -> None:
        self.app, self.replica = app, replica

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """WSGI (PEP 3333)."""
        begun: list[tuple[Any, ...]] = []

        def begin(*line: Any) -> Any:
            begun.append(line)
            return _no_writing

        answer = self.app(environ, begin)
        status = int(begun[0][0].split()[0])
        if not environ.get(WAS_REPLICA) or status not in ONCE_MORE:
            start_response(*begun[0])
            return answer
        if status in FAILED:
            self.replica.doubt()
        ClosingIterator(answer).close()
        environ[ONLY_PRIMARY] = True
        return self.app(environ, start_response)


def _no_writing(_data: bytes) -> object:
    raise NotImplementedError("Flask hands its answers over as they are")


def init_app(app: Flask, replica: Replica) -> None:
    app.after_request(_tell)
    app.wsgi_app = OnceMore(app.wsgi_app, replica)  # type: ignore[method-assign]
