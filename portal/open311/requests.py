"""How reports stand: one by its id, and a list of those that accuse nobody (13.44, 13.82).

A report is its kind, its state and when; never words, a place or a person. The note of a closing is an officer's own
words to the reporter: who holds the id reads it, and a list does not show it.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from flask import g, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from portal.open311.blueprint import ENDING, blueprint
from portal.open311.discovery import NAMES, kind_of
from portal.open311.questions import Unreadable, read_instant
from portal.schema.reports import ReportState
from portal.services.reports.report_status import (
    ReportStatus,
    reports_accusing_nobody,
    status_accusing_nobody,
    status_by_link,
    statuses_by_link,
)
from portal.views.access import Access, open_to
from portal.views.georeport import refused, told
from portal.views.work import gateways, reading

MOST_DAYS = timedelta(days=90)
MOST_IDS = 50
LONGEST_ID = 100
REFERENCE = re.compile(r"[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}")
OPEN, CLOSED = "open", "closed"
TOO_LONG_A_TIME = "start_date and end_date may not span more than 90 days."
TOO_MANY_IDS = f"Ask for {MOST_IDS} ids or fewer at once."
WRONG_STATUS = "status is open, closed or both with a comma."
NOTES = {
    ReportState.RECEIVED: "Received. An officer looks at it next.",
    ReportState.LOOKING: "An officer is looking into it.",
    ReportState.WAITING: "An officer asked the reporter something.",
    ReportState.CLOSED: "Closed.",
}


@blueprint.get(f"/requests{ENDING}")
@open_to(Access.OPEN311)
def requests(ending: str) -> ResponseReturnValue:
    """GET Service Requests: by their ids, or those of a time that stand in the public list."""
    if ids := _several("service_request_id"):
        return _by_ids(ids[: MOST_IDS + 1])
    kinds = {kind_of(code) for code in _several("service_code")}
    states = set(_several("status")) or {OPEN, CLOSED}
    if not states <= {OPEN, CLOSED}:
        return refused(400, WRONG_STATUS)
    try:
        since, until = _span()
    except Unreadable as unreadable:
        return refused(400, str(unreadable))
    listed = gateways().city.listed_reports & (kinds or gateways().city.listed_reports)
    found = [
        _shown(one.reference or "", one, is_listed=True)
        for one in reports_accusing_nobody(reading(), since=since, until=until)
        if one.kind in listed and _state(one) in states
    ]
    g.is_private = False
    return told("service_requests", found)


@blueprint.get(f"/requests/<request_id>{ENDING}")
@open_to(Access.OPEN311)
def one_request(request_id: str, ending: str) -> ResponseReturnValue:
    """GET Service Request: by the id that sending it gave, or by the one in a list."""
    if REFERENCE.fullmatch(request_id):
        listed = _listed(request_id)
        if listed is None:
            raise NotFound
        return told("service_requests", [_shown(request_id, listed, is_listed=True)])
    return told("service_requests", [_shown(request_id, _held(request_id))])


@blueprint.get(f"/tokens/<token>{ENDING}")
@open_to(Access.OPEN311)
def token(token: str, ending: str) -> ResponseReturnValue:
    """GET service_request_id from a token. Sending gives the id at once, so the token is the id."""
    _held(token)
    return told("service_requests", [{"service_request_id": token, "token": token}])


def _by_ids(ids: list[str]) -> ResponseReturnValue:
    if len(ids) > MOST_IDS:
        return refused(400, TOO_MANY_IDS)
    held = statuses_by_link(reading(), tokens=[one for one in ids if _may_be_id(one)])
    return told("service_requests", [_shown(one, held[one]) for one in ids if one in held])


def _held(request_id: str) -> ReportStatus:
    found = status_by_link(reading(), token=request_id) if _may_be_id(request_id) else None
    if found is None:
        raise NotFound
    return found


def _listed(reference: str) -> ReportStatus | None:
    found = status_accusing_nobody(reading(), reference=reference)
    return found if found and found.kind in gateways().city.listed_reports else None


def _may_be_id(typed: str) -> bool:
    return len(typed) <= LONGEST_ID


def _several(name: str) -> list[str]:
    """The values of an argument that may be repeated, and may hold several with commas; each once."""
    return list(dict.fromkeys(_each(name)))


def _each(name: str) -> Iterator[str]:
    for typed in request.args.getlist(name):
        yield from filter(None, (one.strip() for one in typed.split(",")))


def _span() -> tuple[datetime, datetime]:
    """From when to when: the last 90 days, or as asked; the second at the end counts."""
    zone, now = gateways().city.time_zone, gateways().clock.now()
    start, end = (
        read_instant(typed, zone=zone) if (typed := request.args.get(name, "").strip()) else None
        for name in ("start_date", "end_date")
    )
    until = end or (min(start + MOST_DAYS, now) if start else now)
    since = start or until - MOST_DAYS
    if until - since > MOST_DAYS:
        raise Unreadable(TOO_LONG_A_TIME)
    return since, until + timedelta(seconds=1)


def _state(status: ReportStatus) -> str:
    return CLOSED if status.state is ReportState.CLOSED else OPEN


def _shown(request_id: str, status: ReportStatus, *, is_listed: bool = False) -> dict[str, Any]:
    """All fields of the specification; those that would tell of a place or in words stay empty."""
    reason = None if is_listed else status.closed_reason
    return {
        "service_request_id": request_id,
        "status": _state(status),
        "status_notes": reason or NOTES[status.state],
        "service_name": NAMES[status.kind],
        "service_code": status.kind.value,
        "description": None,
        "agency_responsible": gateways().city.police.name,
        "service_notice": None,
        "requested_datetime": _instant(status.created_at),
        "updated_datetime": _instant(status.changed_at),
        "expected_datetime": None,
        "address": None,
        "address_id": None,
        "zipcode": None,
        "lat": None,
        "long": None,
        "media_url": None,
    }


def _instant(moment: datetime) -> str:
    return moment.astimezone(gateways().city.time_zone).isoformat(timespec="seconds")
