"""Which clinic's software is asking: that of the bearer token (RFC 6750), read once a request."""

from typing import cast

from flask import g, request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from portal.gateways.rate_limits import WRONG_TOKENS
from portal.services.clinics.software import ClinicSoftware, clinic_software, is_use_to_note, note_use
from portal.views.work import gateways, reading, transaction

REALM = "Certificates"


def admit_software() -> None:
    """Let in who holds a token, noting its use by the hour; raises Unauthorized, or TooOften.

    Only failures count for an address: other clinics' software may stand behind the same one.
    """
    sent = request.authorization
    token = sent.token if sent is not None and sent.type == "bearer" else None
    found = clinic_software(reading(), token) if token else None
    if found is None:
        gateways().limits.take(WRONG_TOKENS, request.remote_addr or "")
        told: dict[str, str | None] = {"realm": REALM, "error": "invalid_token"} if token else {"realm": REALM}
        raise Unauthorized(www_authenticate=WWWAuthenticate("bearer", told))
    g.sender_is_known = True  # no browser adds this header by itself, so no other site can forge the request
    g.software = found
    if is_use_to_note(found, clock=gateways().clock):
        with transaction() as db:
            note_use(db, found, clock=gateways().clock)


def software() -> ClinicSoftware:
    """The caller, where access was checked."""
    return cast(ClinicSoftware, g.software)
