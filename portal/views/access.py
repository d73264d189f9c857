"""Who may reach what. Every route says so itself; one that says nothing stops the start."""

from collections.abc import Callable
from enum import StrEnum

from flask import Flask, abort, current_app, g, request, url_for
from flask.typing import ResponseReturnValue

from portal.views.answers import see_other
from portal.views.clinic_identity import current_clinic
from portal.views.clinic_software import admit_software
from portal.views.georeport_sender import admit_sender
from portal.views.identity import current_resident
from portal.views.kept_answers import keep_posted_answers
from portal.views.marks import View, mark_of, marked


class Access(StrEnum):
    """Kinds of caller."""

    ANYONE = "anyone"
    RESIDENT = "resident"
    CLINIC = "clinic"
    CLINIC_API = "clinic_api"
    PROCESSOR = "processor"
    LETTER = "letter"
    OPEN311 = "open311"
    MACHINE = "machine"


SIGNED_IN = (Access.RESIDENT, Access.CLINIC)
# What they send, or the link they follow, is signed.
SIGNED = (Access.PROCESSOR, Access.LETTER)


def open_to(access: Access) -> Callable[[View], View]:
    """State who may reach a view. Whose things they may see there is decided in each query."""
    return marked(access)


def access_of(app: Flask, endpoint: str) -> Access:
    """Who may reach an endpoint; raises LookupError when it does not say."""
    return mark_of(app, endpoint, Access)


def admit() -> ResponseReturnValue | None:
    """Before every request: turn away forged forms, and send those who must sign in to do so."""
    if request.endpoint is None:
        return None
    access = access_of(current_app, request.endpoint)
    if access in SIGNED:
        g.sender_is_known = True  # the view checks the signature before it does anything
        return None
    if access is Access.CLINIC_API:
        admit_software()
        return None
    if access is Access.OPEN311:
        admit_sender()
        return None
    if request.method == "POST" and request.headers.get("Sec-Fetch-Site") == "cross-site":
        abort(403)
    if access in SIGNED_IN and current_resident() is None:
        return sign_in_first()
    if access is Access.CLINIC and current_clinic() is None:
        abort(404)  # which clinics there are, and who files for them, is nobody else's business
    return None


def sign_in_first() -> ResponseReturnValue:
    """To the sign-in and back here; what was posted is kept meanwhile."""
    if request.method == "POST":
        keep_posted_answers()
    where = request.full_path.rstrip("?") if request.method in ("GET", "HEAD") else request.path
    return see_other(url_for("sign_in.ask", next=where))


def init_app(app: Flask) -> None:
    """Call after every blueprint is registered."""
    for endpoint in app.view_functions:
        access_of(app, endpoint)
    app.before_request(admit)
