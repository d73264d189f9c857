"""Who sends a report by software: the holder of a key that the city gave, or somebody who is signed in."""

from dataclasses import dataclass
from typing import cast
from uuid import UUID

from flask import g, request
from flask_wtf.csrf import validate_csrf
from werkzeug.exceptions import Forbidden, UnsupportedMediaType
from wtforms.validators import ValidationError

from portal.gateways.rate_limits import (
    OPEN311_READS,
    OPEN311_SENDS,
    OPEN311_SENDS_A_DAY,
    OPEN311_SENDS_OF_ACCOUNT,
    WRONG_TOKENS,
)
from portal.services.reports.open311_keys import KeyHolder, key_holder
from portal.services.signing_in.live_sign_in import Resident
from portal.views.identity import current_resident
from portal.views.work import gateways, reading

FORM = "application/x-www-form-urlencoded"
LARGEST_BYTES = 1_000_000


@dataclass(frozen=True)
class ReportSender:
    """Software with its key, or a signed-in person."""

    holder: KeyHolder | None
    resident: Resident | None

    @property
    def sender_id(self) -> UUID:
        """What tells one sender from another."""
        if self.holder is not None:
            return self.holder.key_id
        return cast(Resident, self.resident).account_id


def admit_sender() -> None:
    """Anybody may read. Who sends needs a key, or a sign-in and its form token; raises Forbidden, or TooOften.

    Only wrong keys count for an address: the software of many people may stand behind one.
    """
    if request.method != "POST":
        gateways().limits.take(OPEN311_READS, request.remote_addr or "")
        return
    request.max_content_length = LARGEST_BYTES
    if request.mimetype != FORM:
        raise UnsupportedMediaType
    key = request.form.get("api_key", "").strip()
    g.report_sender = _by_key(key) if key else _by_sign_in()
    g.sender_is_known = True


def report_sender() -> ReportSender:
    """The sender, where access was checked."""
    return cast(ReportSender, g.report_sender)


def _by_key(key: str) -> ReportSender:
    holder = key_holder(reading(), key)
    if holder is None:
        gateways().limits.take(WRONG_TOKENS, request.remote_addr or "")
        raise Forbidden
    for limit in (OPEN311_SENDS, OPEN311_SENDS_A_DAY):
        gateways().limits.take(limit, str(holder.key_id))
    return ReportSender(holder, None)


def _by_sign_in() -> ReportSender:
    """No key, so a browser's session: another site must not be able to use it."""
    found = current_resident()
    if found is None:
        raise Forbidden
    try:
        validate_csrf(request.headers.get("X-CSRFToken") or request.form.get("csrf_token", ""))
    except ValidationError as forged:
        raise Forbidden from forged
    gateways().limits.take(OPEN311_SENDS_OF_ACCOUNT, str(found.account_id))
    return ReportSender(None, found)
