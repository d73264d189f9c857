"""What all of the interface shares: its address, how requests are read, and how many and how large they may be."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar

import marshmallow as ma
from flask import Request, request
from flask_smorest import Blueprint
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from portal.gateways.rate_limits import CLINIC_SOFTWARE
from portal.views.clinic_software import software
from portal.views.work import gateways

LARGEST_JSON_BYTES = 100_000
ALWAYS = (400, 401, 429, 500)
View = TypeVar("View", bound=Callable[..., Any])


class JsonParser(FlaskParser):
    """Takes JSON that says it is JSON. What Python's own reader stumbles over is the sender's fault, not ours."""

    def load_json(self, req: Request, schema: ma.Schema) -> Any:
        if not req.is_json:
            raise UnsupportedMediaType
        try:
            return super().load_json(req, schema)
        except (RecursionError, ValueError) as unreadable:
            raise BadRequest from unreadable


class SoftwareBlueprint(Blueprint):
    """A blueprint that reads requests as above."""

    ARGUMENTS_PARSER = JsonParser()


blueprint = SoftwareBlueprint(
    "certificates", __name__, url_prefix="/api/v1", description="Rabies certificates that your clinic files."
)


def problems(*statuses: int) -> Callable[[View], View]:
    """Describe the errors of an operation, with those that every operation may have."""

    def describe(view: View) -> View:
        for status in (*ALWAYS, *statuses):
            view = blueprint.alt_response(status, response=HTTPStatus(status).name)(view)
        return view

    return describe


@blueprint.before_request
def bound() -> None:
    """So many requests a minute for each token; a file is larger than any JSON."""
    is_file = request.method == "PUT"
    request.max_content_length = gateways().city.uploads.max_file_bytes if is_file else LARGEST_JSON_BYTES
    gateways().limits.take(CLINIC_SOFTWARE, str(software().token_id))
