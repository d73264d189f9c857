"""What every answer says to the browser: no inline code, no foreign request, nothing private kept."""

from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, current_app, g, request

HSTS = "max-age=31536000; includeSubDomains"
POLICY = "content_security_policy"
ALWAYS = [
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(self), microphone=(), payment=()"),
]


class AlwaysSaid:
    """Adds what is the same on every answer when it leaves, whoever gave it, built files too."""

    def __init__(self, app: WSGIApplication) -> None:
        self.app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """WSGI (PEP 3333)."""

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            return start_response(status, headers + ALWAYS, *more)

        return self.app(environ, start)


def content_security_policy(checkout_origin: str) -> str:
    """Only our own files. A form may also lead to the processor's page: the browser checks redirects too."""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' blob:",
            "connect-src 'self'",
            "manifest-src 'self'",
            f"form-action 'self' {checkout_origin}",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        )
    )


def _secure(response: Response) -> Response:
    headers = response.headers
    headers.setdefault("Content-Security-Policy", current_app.extensions[POLICY])
    if request.is_secure:
        headers.setdefault("Strict-Transport-Security", HSTS)
    if response.mimetype == "text/html":
        headers.add("Vary", "HX-Request")
    headers.setdefault("Cache-Control", "no-store" if g.get("is_private", True) else "no-cache")
    return response


def init_app(app: Flask, *, checkout_origin: str) -> None:
    app.extensions[POLICY] = content_security_policy(checkout_origin)
    app.after_request(_secure)
