"""Each request has an id and one line in the log: what was asked for, never by whom or about whom.

The line names the route and not the address, since addresses hold tokens and what people looked for.
"""

import logging
import re
import secrets
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import request

from portal.gateways import logs
from portal.gateways.measures import count_request

log = logging.getLogger(__name__)

HEADER = "X-Request-ID"
ROUTE = "portal.route"
# What nginx and Envoy make: hexadecimal digits, or a UUID. Nothing else that a header may say comes into the log.
SAFE_ID = re.compile(r"[0-9A-Fa-f-]{16,64}")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
BUILT_FILES = "/static/"
NO_ROUTE = "none"


@dataclass
class _Answer:
    """What is known of the answer while it goes out."""

    status: int = 500
    size: int | None = None


class RequestLog:
    """Gives each request its id and writes its line. A proxy's id counts only where proxies are trusted."""

    def __init__(self, app: WSGIApplication, *, trusts_ids: bool) -> None:
        self.app = app
        self.trusts_ids = trusts_ids

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """WSGI (PEP 3333)."""
        request_id, began, answer = self._id(environ), time.perf_counter(), _Answer()

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            answer.status = int(status[:3])
            answer.size = _length(headers)
            return start_response(status, [*headers, (HEADER, request_id)], *more)

        with logs.about(request_id=request_id):
            try:
                body = self.app(environ, start)
            except BaseException:
                _write(environ, _Answer(), began)
                raise
            if answer.size is not None:  # it is whole; and the server may have a quicker way to send a file
                _write(environ, answer, began)
                return body
        return _counted(body, environ, answer, began, request_id)

    def _id(self, environ: WSGIEnvironment) -> str:
        given: Any = environ.get("HTTP_X_REQUEST_ID", "") if self.trusts_ids else ""
        return given if SAFE_ID.fullmatch(given) else secrets.token_hex(16)


def note_route() -> None:
    """Before each request of an application: which of its routes it is."""
    if request.url_rule is not None:
        request.environ[ROUTE] = request.url_rule.rule


def _counted(
    body: Iterable[bytes], environ: WSGIEnvironment, answer: _Answer, began: float, request_id: str
) -> Iterator[bytes]:
    """A body that is made while it goes out: its line is written when the last of it has gone."""
    answer.size = 0
    with logs.about(request_id=request_id):
        try:
            for piece in body:
                answer.size += len(piece)
                yield piece
        finally:
            if hasattr(body, "close"):
                body.close()
            _write(environ, answer, began)


def _write(environ: WSGIEnvironment, answer: _Answer, began: float) -> None:
    route, method = _route(environ), environ["REQUEST_METHOD"]
    method = method if method in METHODS else "other"
    took_ms = round((time.perf_counter() - began) * 1000, 1)
    count_request(method=method, route=route, status=answer.status, seconds=took_ms / 1000)
    told = {"method": method, "route": route, "status": answer.status, "ms": took_ms, "bytes": answer.size}
    log.info("%s %s %d", method, route, answer.status, extra=told)


def _route(environ: WSGIEnvironment) -> str:
    path: Any = environ.get("PATH_INFO", "")
    return environ.get(ROUTE) or (f"{BUILT_FILES}<file>" if path.startswith(BUILT_FILES) else NO_ROUTE)


def _length(headers: list[tuple[str, str]]) -> int | None:
    return next((int(value) for name, value in headers if name.lower() == "content-length"), None)
