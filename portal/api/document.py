"""The OpenAPI document of the interface, made from the code that answers (OpenAPI 3.1)."""

from http import HTTPStatus
from typing import Any

from flask import Blueprint, Flask, current_app, g, jsonify
from flask.typing import ResponseReturnValue
from flask_smorest import Api

from portal.api.schemas import Problem
from portal.views.access import Access, open_to
from portal.views.problems import DETAILS, MEDIA_TYPE

DOCUMENT = "openapi_document"
ABOUT = (
    "File rabies certificates with the city (90.04(D)(2)). Your clinic makes a token on its page “Tokens for "
    "software” and can take it back there. A token takes 120 requests a minute. Errors are problem details (RFC 9457)."
)
SECONDS = {"description": "Seconds to wait before trying again.", "schema": {"type": "integer", "minimum": 1}}
HEADERS: dict[int, dict[str, Any]] = {
    401: {"WWW-Authenticate": {"description": "Bearer (RFC 6750).", "schema": {"type": "string"}}},
    405: {"Allow": {"description": "The methods this address takes.", "schema": {"type": "string"}}},
    429: {"Retry-After": SECONDS},
    503: {"Retry-After": SECONDS},
}

document = Blueprint("api_document", __name__)


class Certificates(Api):
    """Describes the interface, and leaves errors to the portal's own handlers."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, app: Flask) -> None:
        described = {
            "title": "Rabies certificates",
            "version": "1",
            "openapi_version": "3.1.0",
            "info": {"description": ABOUT},
            "servers": [{"url": app.config["BASE_URL"]}],
            "security": [{"token": []}],
        }
        super().__init__(app, spec_kwargs=described)
        self.spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})

    def _register_responses(self) -> None:
        for status, detail in DETAILS.items():
            example = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
            told = {
                "description": HTTPStatus(status).phrase,
                "content": {MEDIA_TYPE: {"schema": Problem, "example": example}},
                "headers": HEADERS.get(status, {}),
            }
            self.spec.components.response(HTTPStatus(status).name, told, lazy=True)

    def _register_pagination_header(self) -> None:
        """Pages are asked for by the last certificate seen, not by number."""

    def _register_error_handlers(self) -> None:
        """The portal answers errors itself, see `portal.views.errors`."""


@document.get("/api/v1/openapi.json")
@open_to(Access.ANYONE)
def openapi() -> ResponseReturnValue:
    """The document, for everybody: there is nothing of anybody in it."""
    g.is_private = False
    return jsonify(current_app.extensions[DOCUMENT])
