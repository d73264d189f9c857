"""Where the provider of texts delivers what people answer: STOP, START, HELP, or the same in their own words."""

import logging

from flask import Blueprint, current_app, request
from flask.typing import ResponseReturnValue

from portal.forms.phones import UnreadablePhone, read_phone
from portal.gateways.rate_limits import TEXTS_IN, TooOften
from portal.gateways.texts_incoming import BadTextSignature, UnreadableText, read_incoming
from portal.services.reminder_choices import answer_text
from portal.views.access import Access, open_to
from portal.views.work import gateways, transaction

blueprint = Blueprint("texts", __name__, url_prefix="/sms")

log = logging.getLogger(__name__)

LARGEST_TEXT_BYTES = 20_000
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}


@blueprint.post("/incoming")
@open_to(Access.PROCESSOR)
def incoming() -> ResponseReturnValue:
    """Take in one signed text. Neither its words nor its phone is logged."""
    request.max_content_length = LARGEST_TEXT_BYTES
    parts = gateways()
    try:
        told = read_incoming(
            request.get_data(),
            timestamp=request.headers.get("X-Portal-Timestamp", ""),
            signature=request.headers.get("X-Portal-Signature", ""),
            secret=current_app.config["SMS_SECRET"],
            now=parts.clock.now(),
        )
        phone = read_phone(told.phone).e164
    except BadTextSignature:
        log.warning("a text with a bad signature was refused")
        return "bad signature", 400, PLAIN
    except (UnreadableText, UnreadablePhone):
        return "unreadable", 400, PLAIN
    with transaction() as db:
        meant = answer_text(db, phone=phone, text=told.words, may_reply=_may_reply(phone), clock=parts.clock)
    log.info("a text came in: %s", meant or "something else")
    return "taken", 200, PLAIN


def _may_reply(phone: str) -> bool:
    """What answers by itself at the other end gets no more than a few answers a day; stopping always counts."""
    try:
        gateways().limits.take(TEXTS_IN, phone)
    except TooOften:
        return False
    return True
