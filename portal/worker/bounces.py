"""The job that reads which letters came back."""

import logging
from functools import partial

from portal.gateways.mail.bounce_box import BoxUnavailable
from portal.gateways.mail.bounces import read_bounce
from portal.services.messages.take_bounce import take_bounce
from portal.worker.parts import Parts
from portal.worker.schedule import Stopping

log = logging.getLogger(__name__)


def read_bounces(parts: Parts, stopping: Stopping) -> None:
    """Look at every new notification; without a mailbox for them there is nothing to do."""
    if parts.bounces is None or stopping():
        return
    try:
        parts.bounces.each(partial(_take, parts))
    except BoxUnavailable as away:
        log.warning("the mailbox of returned letters can't be read: %s", away)


def _take(parts: Parts, content: bytes) -> None:
    bounce = read_bounce(content)
    if bounce is None:
        return
    with parts.transaction() as session:
        known = take_bounce(session, bounce, secret_keys=parts.secret_keys, clock=parts.gateways.clock)
    log.info("letter %s came back", known or "of somebody else")
