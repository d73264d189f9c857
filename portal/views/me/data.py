"""What the portal holds about a person: to read and print, and as a file to take away."""

import json
from datetime import date, datetime
from typing import Any

from flask import make_response, session
from flask.typing import ResponseReturnValue

from portal.gateways.rate_limits import DATA_LOOKS
from portal.services.accounts.my_columns import Who
from portal.services.accounts.my_data import Entry, my_data
from portal.services.accounts.my_report_data import my_report_data
from portal.services.reports.follow_report import WayIn
from portal.services.signing_in.sign_in import email_key
from portal.views.access import Access, open_to
from portal.views.answers import page
from portal.views.identity import TOKEN, resident
from portal.views.me.blueprint import blueprint
from portal.views.words import day, moment, money
from portal.views.work import gateways, reading


@blueprint.get("/data")
@open_to(Access.RESIDENT)
def data() -> ResponseReturnValue:
    """To read and print."""
    held = {_title(subject): [_rows(entry) for entry in entries] for subject, entries in _held().items() if entries}
    return page("me/data.html", held=held, made_at=gateways().clock.now())


@blueprint.get("/data.json")
@open_to(Access.RESIDENT)
def data_file() -> ResponseReturnValue:
    """The same for software."""
    whole = {"held_by": gateways().city.name, "made_at": gateways().clock.now(), **_held()}
    response = make_response(json.dumps(whole, ensure_ascii=False, indent=2, default=_as_text))
    response.mimetype = "application/json"
    response.headers["Content-Disposition"] = 'attachment; filename="my-record.json"'
    return response


def _held() -> dict[str, list[Entry]]:
    me = resident()
    gateways().limits.take(DATA_LOOKS, str(me.account_id))
    who = Who(account_id=me.account_id, email=me.email, email_key=email_key(me.email), person_id=me.person_id)
    own = WayIn(sign_in=session[TOKEN])
    return my_data(reading(), who) | my_report_data(reading(), own, clock=gateways().clock)


def _as_text(value: Any) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)


def _title(name: str) -> str:
    return name.removesuffix("_cents").replace("_", " ").capitalize()


def _rows(entry: Entry) -> list[dict[str, str]]:
    return [
        {"question": _title(name), "answer": _words(name, value)} for name, value in entry.items() if value is not None
    ]


def _words(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, date):
        return day(value)
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return money(value) if name.endswith("_cents") else str(value)
