"""Where the provider of texts delivers what people answer: STOP, START, HELP, or the same in their own words."""

import logging

from flask import Blueprint, abort, current_app, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from portal.forms.phones import UnreadablePhone, read_phone
from portal.gateways.rate_limits import TEXTS_IN, TooOften
from portal.gateways.texts.incoming import BadTextSignature, UnreadableText, read_incoming
from portal.gateways.texts.twilio import is_dead_phone, is_signed_by_twilio
from portal.services.messages.reminder_choices import answer_text, stop_texts
from portal.views.access import Access, open_to
from portal.views.work import gateways, transaction

blueprint = Blueprint("texts", __name__, url_prefix="/sms")

log = logging.getLogger(__name__)

LARGEST_TEXT_BYTES = 20_000
XML = {"Content-Type": "text/xml; charset=utf-8"}
NO_ANSWER = '<?xml version="1.0" encoding="UTF-8"?><Response/>'
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


@blueprint.post("/twilio/incoming")
@open_to(Access.PROCESSOR)
def twilio_incoming() -> ResponseReturnValue:
    """The same from Twilio. What it answered itself (STOP, START, HELP) is not answered again."""
    form = _signed_by_twilio()
    try:
        phone = read_phone(form.get("From", "")).e164
    except UnreadablePhone:
        return "unreadable", 400, PLAIN
    clock, is_answered = gateways().clock, bool(form.get("OptOutType"))
    with transaction() as db:
        may_reply = not is_answered and _may_reply(phone)
        meant = answer_text(db, phone=phone, text=form.get("Body", ""), may_reply=may_reply, clock=clock)
    log.info("a text came in: %s", meant or "something else")
    return NO_ANSWER, 200, XML


@blueprint.post("/twilio/status")
@open_to(Access.PROCESSOR)
def twilio_status() -> ResponseReturnValue:
    """What became of a text. A phone that no text will ever reach gets none any more."""
    form = _signed_by_twilio()
    if is_dead_phone(form.get("MessageStatus", ""), form.get("ErrorCode", "")):
        try:
            phone = read_phone(form.get("To", "")).e164
        except UnreadablePhone:
            return "unreadable", 400, PLAIN
        with transaction() as db:
            stop_texts(db, phone=phone, clock=gateways().clock)
        log.info("texts to a phone have stopped: code %s", form["ErrorCode"])
    return "taken", 200, PLAIN


def _signed_by_twilio() -> MultiDict[str, str]:
    """The form, if Twilio sent it to this very address of ours; else 404 where it is not our provider, or 403."""
    request.max_content_length = LARGEST_TEXT_BYTES
    token = current_app.config["TWILIO_TOKEN"]
    if not token:
        abort(404)
    # The address as Twilio knows it: what a proxy or the Host header says counts for nothing.
    query = f"?{request.query_string.decode('latin-1')}" if request.query_string else ""
    address = f"{current_app.config['BASE_URL']}{request.path}{query}"
    form = request.form
    if not is_signed_by_twilio(address, dict(form.lists()), request.headers.get("X-Twilio-Signature", ""), token=token):
        log.warning("a call that Twilio did not sign was refused")
        abort(403)
    return form


def _may_reply(phone: str) -> bool:
    """What answers by itself at the other end gets no more than a few answers a day; stopping always counts."""
    try:
        gateways().limits.take(TEXTS_IN, phone)
    except TooOften:
        return False
    return True
