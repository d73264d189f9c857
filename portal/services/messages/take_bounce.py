"""Note that a letter came back after the mail server had taken it: staff see it, and reminders to a dead mailbox stop.

Safe to call twice, and in any order with the sending: a notification can arrive before the worker noted that it sent.
"""

from collections.abc import Iterable
from uuid import UUID

from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.mail.bounces import Bounce
from portal.schema.outbox import Channel, OutgoingMessage
from portal.services.messages.dead_mailboxes import mark_dead
from portal.services.messages.deliver_messages import give_up
from portal.services.messages.tokens import message_in


class CameBack(Exception):
    """What the notification said."""


def take_bounce(session: Session, bounce: Bounce, *, secret_keys: Iterable[str], clock: Clock) -> UUID | None:
    """Which message it was about; None when it is about none that we sent, whatever it claims."""
    keys = tuple(secret_keys)
    ours = next((found for token in bounce.tokens if (found := message_in(token, keys=keys))), None)
    message = session.get(OutgoingMessage, ours, with_for_update=True) if ours else None
    if message is None or message.channel is not Channel.EMAIL:
        return None
    if message.failed_at is None:
        give_up(message, CameBack(bounce.said), clock=clock)
        if bounce.is_dead:
            mark_dead(session, message, clock=clock)
        session.flush()
    return message.id
