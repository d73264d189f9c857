"""Who at the desk may reach what. Every route says so itself; one that says nothing stops the start."""

from collections.abc import Callable
from enum import StrEnum

from flask import Flask, abort, current_app, request, url_for
from flask.typing import ResponseReturnValue

from portal.schema.staff import StaffRole
from portal.views.answers import see_other
from portal.views.desk.identity import current_member
from portal.views.desk.kept import bring_back, keep_posted
from portal.views.marks import View, mark_of, marked


class Desk(StrEnum):
    """Kinds of caller. What a clerk may do, an officer may too."""

    ANYONE = "anyone"
    HALF_WAY = "half_way"
    CLERK = "clerk"
    OFFICER = "officer"


def open_to(access: Desk) -> Callable[[View], View]:
    """State who may reach a view."""
    return marked(access)


def access_of(app: Flask, endpoint: str) -> Desk:
    """Who may reach an endpoint; raises LookupError when it does not say."""
    return mark_of(app, endpoint, Desk)


def admit() -> ResponseReturnValue | None:
    """Before every request: forged forms are turned away, and whoever is not signed in with both factors."""
    if request.endpoint is None:
        return None
    access = access_of(current_app, request.endpoint)
    if request.method == "POST" and request.headers.get("Sec-Fetch-Site") == "cross-site":
        abort(403)
    if access is Desk.ANYONE:
        return None
    member = current_member()
    is_in = member is not None and member.is_proved
    if request.method == "POST" and access is not Desk.HALF_WAY and not is_in:
        keep_posted()
    if member is None:
        return see_other(url_for("sign_in.ask", next=_where()))
    if access is Desk.HALF_WAY:
        return None
    if not member.is_proved:
        return see_other(url_for("sign_in.second" if member.has_factor else "sign_in.set_up"))
    if access is Desk.OFFICER and member.role is not StaffRole.OFFICER:
        abort(403)
    bring_back(member)
    return None


def _where() -> str:
    return request.full_path.rstrip("?")


def init_app(app: Flask) -> None:
    """Call after every blueprint is registered."""
    for endpoint in app.view_functions:
        access_of(app, endpoint)
    app.before_request(admit)
