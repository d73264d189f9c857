"""Texts by a provider's HTTP interface, in the plainest form there is; docs/operations says which.

A provider that speaks otherwise needs a few lines between, or another adapter beside this one.
"""

import json
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from portal.gateways.texts.sending import Text, TextDeferred, TextRefused

TIME_OUT_SECONDS = 20.0
# What the provider may take later as it is; any other 4xx is about the text or the phone.
LATER = frozenset(
    {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS}
)


class _NoRedirects(HTTPRedirectHandler):
    """The token is for one address alone."""

    def redirect_request(self, *_: Any) -> None:
        return None


def open_without_redirects(request: Request, *, time_out_seconds: float) -> Any:
    """The answer; raises HTTPError for any but a good one, and OSError where there is none."""
    return build_opener(_NoRedirects).open(request, timeout=time_out_seconds)


@dataclass(frozen=True)
class HttpTextSender:
    """POSTs {"to", "text"} as JSON with a bearer token; a text sent again has the same Idempotency-Key."""

    url: str
    token: str = field(repr=False)
    time_out_seconds: float = TIME_OUT_SECONDS

    def send(self, text: Text) -> None:
        request = Request(  # noqa: S310 - https, or this machine's own: the settings check it
            self.url,
            data=json.dumps({"to": text.to, "text": text.words}).encode(),
            headers={
                "Authorization": f"Bearer {self.token}",
                "Content-Type": "application/json",
                "Idempotency-Key": text.key,
            },
            method="POST",
        )
        try:
            with open_without_redirects(request, time_out_seconds=self.time_out_seconds):
                return
        except HTTPError as answer:
            answer.close()
            # What the provider says may quote the phone: the status is enough.
            is_refused = 400 <= answer.code < 500 and answer.code not in LATER
            raise (TextRefused if is_refused else TextDeferred)(f"The provider answered {answer.code}") from None
        except OSError as problem:
            raise TextDeferred(f"The provider can't be reached: {type(problem).__name__}") from None
