"""Counts for Prometheus: not for the public, and so only with the token that the settings name."""

import hmac
from collections.abc import Iterable

from flask import Blueprint, Response, abort, current_app, request
from flask.typing import ResponseReturnValue

from portal.gateways.measures import MEDIA_TYPE, Gauge, exposed
from portal.services.watching.measuring import gauges, measure
from portal.views.access import Access, open_to
from portal.views.work import gateways, reading

blueprint = Blueprint("metrics", __name__)


@blueprint.get("/metrics")
@open_to(Access.MACHINE)
def show() -> ResponseReturnValue:
    """This process's own counters, and what is counted in the database, in one statement."""
    check_token()
    return told(gauges(measure(reading(), clock=gateways().clock)))


def check_token() -> None:
    """Whoever does not know the token is told nothing, not even that there is something here."""
    authorization = request.authorization
    given = (authorization.token if authorization else None) or ""
    tokens: Iterable[str] = current_app.config["METRICS_TOKENS"]
    known = [hmac.compare_digest(given.encode("utf-8", "surrogatepass"), token.encode()) for token in tokens]
    if not any(known):
        abort(404)


def told(found: list[Gauge]) -> Response:
    return Response(exposed(found), content_type=MEDIA_TYPE)
