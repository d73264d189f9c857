"""Where the card processor tells what became of payments (https://docs.stripe.com/webhooks).

Anything but a 2xx is delivered again for three days, so an event is answered with 200 only once it is stored.
"""

import logging

from flask import Blueprint, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import RequestEntityTooLarge

from portal.gateways.payments.processor import BadSignature
from portal.services.payments.receive_event import receive_event
from portal.views.access import Access, open_to
from portal.views.work import gateways, transaction

blueprint = Blueprint("stripe", __name__, url_prefix="/stripe")

log = logging.getLogger(__name__)

LARGEST_EVENT_BYTES = 1_000_000
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}


@blueprint.post("/webhook")
@open_to(Access.PROCESSOR)
def webhook() -> ResponseReturnValue:
    """Take in one signed event. The body is never logged: it tells of people."""
    request.max_content_length = LARGEST_EVENT_BYTES
    parts = gateways()
    try:
        event = parts.processor.read_event(request.get_data(), request.headers.get("Stripe-Signature", ""))
    except RequestEntityTooLarge:
        return "too large", 413, PLAIN
    except BadSignature:
        log.warning("an event with a bad signature was refused")
        return "bad signature", 400, PLAIN
    if event is None:
        return "not needed", 200, PLAIN
    with transaction() as db:
        outcome = receive_event(db, event, clock=parts.clock)
    log.info("event %s (%s): %s", event.id, event.kind.value, outcome or "waits")
    return "stored", 200, PLAIN
