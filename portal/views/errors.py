"""When something does not work: a readable page, and a reference to quote when the fault is ours."""

import logging
import secrets

from flask import Flask, Response, g, make_response, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import HTTPException, InternalServerError, RequestEntityTooLarge, TooManyRequests

from portal.gateways.child_processes.running import AllTurnsTaken
from portal.gateways.file_refusal import TryAgainLater
from portal.gateways.measures import count_refused_upload
from portal.gateways.payments.processor import ProcessorUnavailable
from portal.gateways.rate_limits import TooOften
from portal.gateways.storage.store import StorageUnavailable
from portal.services.files.scans import HeldBack
from portal.services.refusal import NotTheirs
from portal.views.georeport import is_for_georeport, refused
from portal.views.problems import is_for_software, problem, problem_of
from portal.views.work import gateways

log = logging.getLogger(__name__)

OWN_PAGE = frozenset({400, 403, 404, 405, 409, 413, 429, 500, 503})
KEPT_HEADERS = ("Allow", "WWW-Authenticate")
FOR_A_WHILE = frozenset({429, 500, 503})
HELD_BACK = {
    True: "Our virus scanner found something harmful in this file, so nobody is given it.",
    False: "This file has not been checked for viruses yet. Try again in some minutes.",
}
FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})


def _page(status: int, *, reference: str | None = None, **context: object) -> Response:
    """A page for a person, a problem for software."""
    if is_for_software():
        return problem(status, reference=reference)
    if is_for_georeport():
        return refused(status, reference=reference)
    context |= {"reference": reference, "sent": _sent() if status in FOR_A_WHILE else []}
    return make_response(render_template(f"errors/{status}.html", is_error=True, **context), status)


def _sent() -> list[tuple[str, str]]:
    """What was typed into the form that could not be taken now, its token included: the page can send it again."""
    is_form = request.method == "POST" and request.mimetype in FORMS
    return list(request.form.items(multi=True)) if is_form else []


def _http(error: HTTPException) -> ResponseReturnValue:
    status = error.code or 500
    if status < 400:
        return error.get_response()
    if status == 413:
        return _too_large(error)
    response = _told(error, status)
    response.status_code = status
    if isinstance(error, TooManyRequests) and error.retry_after:
        response.headers["Retry-After"] = str(error.retry_after)
    for name, value in error.get_headers():
        if name in KEPT_HEADERS:
            response.headers[name] = value
    return response


def _told(error: HTTPException, status: int) -> Response:
    if is_for_software():
        return problem_of(error)
    return _page(status if status in OWN_PAGE or is_for_georeport() else 400)


def _too_large(_error: HTTPException) -> Response:
    count_refused_upload("whole_form_too_large")
    return _page(413, limit_mb=gateways().city.uploads.max_form_mb)


def _too_often(error: TooOften) -> Response:
    response = _page(429, wait_seconds=error.retry_after_seconds)
    response.headers["Retry-After"] = str(error.retry_after_seconds)
    return response


def not_theirs(_error: Exception) -> Response:
    """What is not there for this person."""
    return _page(404)


def _busy(error: AllTurnsTaken) -> Response:
    response = _page(503)
    response.headers["Retry-After"] = str(error.retry_after_seconds)
    return response


def _held_back(held: HeldBack) -> Response:
    if is_for_software():
        return problem(409, HELD_BACK[held.is_infected])
    if is_for_georeport():
        return refused(409, HELD_BACK[held.is_infected])
    return make_response(render_template("errors/held_back.html", is_error=True, is_infected=held.is_infected), 409)


def _unavailable(error: Exception) -> Response:
    g.resident = None  # the page must not ask the database again who is looking
    reference = _reference()
    log.error("unavailable %s: %s", reference, type(error).__name__, exc_info=error)
    response = _page(503, reference=reference)
    response.headers["Retry-After"] = "30"
    return response


def _ours(error: Exception) -> Response:
    cause = error.original_exception if isinstance(error, InternalServerError) else error
    g.resident = None
    reference = _reference()
    log.error("fault %s", reference, exc_info=cause)
    return _page(500, reference=reference)


def _reference() -> str:
    """What a person can quote and we can find in the log."""
    return secrets.token_hex(4)


def init_app(app: Flask) -> None:
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(RequestEntityTooLarge, _too_large)
    app.register_error_handler(TooOften, _too_often)
    app.register_error_handler(NotTheirs, not_theirs)
    app.register_error_handler(AllTurnsTaken, _busy)
    app.register_error_handler(HeldBack, _held_back)
    for away in (ProcessorUnavailable, StorageUnavailable, TryAgainLater):
        app.register_error_handler(away, _unavailable)
    app.register_error_handler(OperationalError, _unavailable)
    app.register_error_handler(InternalServerError, _ours)
    app.register_error_handler(Exception, _ours)
