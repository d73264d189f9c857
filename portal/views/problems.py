"""Errors as practice software reads them: problem details for HTTP (RFC 9457)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from flask import Response, json, request
from werkzeug.exceptions import HTTPException

PATH = "/api/"
MEDIA_TYPE = "application/problem+json"
DETAILS = {
    400: "We could not read this request.",
    401: "Send a token of an approved clinic in the Authorization header: Bearer and the token.",
    404: "There is nothing here that this token may see.",
    405: "This address does not take this method. The Allow header lists those it takes.",
    409: "This does not agree with what we have.",
    413: "This is larger than we take.",
    415: "This address does not take this type of content.",
    422: "Some of this needs correcting. Each error names its field.",
    429: "Too many requests with this token. Try again after the seconds in Retry-After.",
    500: "The fault is ours. If it happens again, call the city and quote the reference.",
    503: "We are busy. Try again after the seconds in Retry-After.",
}


@dataclass(frozen=True)
class FieldProblem:
    """What is wrong with one field of a request."""

    field: str
    detail: str


def is_for_software() -> bool:
    """Whether this request is one of practice software, which reads no pages."""
    return request.path.startswith(PATH)


def problem(
    status: int, detail: str | None = None, *, errors: Iterable[FieldProblem] = (), reference: str | None = None
) -> Response:
    """An answer that says what is wrong, to a machine and to the person who reads its log."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail or DETAILS.get(status, DETAILS[400]),
    }
    if told := [{"field": one.field, "detail": one.detail} for one in errors]:
        body["errors"] = told
    if reference:
        body["reference"] = reference
    return Response(json.dumps(body), status, content_type=MEDIA_TYPE)


def problem_of(error: HTTPException) -> Response:
    """The same for what the framework raises; a request that was read and found wrong says so field by field."""
    found: Mapping[str, Any] = getattr(error, "data", None) or {}
    errors = [one for told in found.get("messages", {}).values() for one in _flat("", told)]
    return problem(error.code or 500, errors=errors)


def _flat(name: str, told: Any) -> Iterator[FieldProblem]:
    if isinstance(told, Mapping):
        for part, more in told.items():
            yield from _flat(".".join(filter(None, (name, "" if part == "_schema" else str(part)))), more)
    elif isinstance(told, str):
        yield FieldProblem(name, told)
    else:
        for one in told:
            yield from _flat(name, one)
