"""Write a message with the change it tells of; the worker sends it once the change is committed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert, text
from sqlalchemy.orm import Session

from portal.schema.outbox import Channel, OutgoingMessage

CHANNEL = "portal_outbox"
# Texts that answer what somebody texted; every other is for whoever agreed to texts and has not stopped them.
ANSWER_TEXTS = frozenset({"stopped", "help"})
# The text that says only that there is a message; it is asked for, can be stopped, and waits for a decent hour.
REMINDER_TEXT = "reminder"
QUEUE_MANY = text(
    """
    INSERT INTO portal.outgoing_message (channel, recipient, template, context, not_before)
    SELECT channel, recipient, template, CAST(context AS jsonb), :at
    FROM unnest(
        CAST(:channels AS text[]), CAST(:recipients AS text[]), CAST(:templates AS text[]), CAST(:contexts AS text[])
    ) AS queued (channel, recipient, template, context)
    """
)
WAKE_WORKER = text(f"SELECT pg_notify('{CHANNEL}', '')")


def queue_message(
    session: Session,
    *,
    to: str,
    template: str,
    context: dict[str, Any],
    at: datetime,
    is_secret: bool = False,
    is_confidential: bool = False,
    asked_by: UUID | None = None,
) -> None:
    """Queue one letter. `template` names a pair in templates/messages; `context` must be plain JSON values.

    `asked_by`: the person a letter with a link is sent for, whom the desk can tell when it comes back.
    `is_confidential`: it tells of a report, so nobody but the worker may look at it again, not even its writer.
    """
    letter = {
        "recipient": to,
        "template": template,
        "context": context,
        "is_secret": is_secret,
        "asked_by": asked_by,
        "not_before": at,
    }
    if is_confidential:
        session.connection().execute(insert(OutgoingMessage).inline(), letter | {"is_confidential": True})
    else:
        session.add(OutgoingMessage(**letter))
    session.execute(WAKE_WORKER)


def queue_text(session: Session, *, to: str, template: str, at: datetime, path: str = "/dogs") -> None:
    """Queue one text to a phone (+13205550100). `template` names a file in templates/texts, which tells no facts.

    `path` is a page that opens after signing in. Only ask for a text to whoever agreed to texts.
    """
    context = {"path": path}
    session.add(OutgoingMessage(channel=Channel.SMS, recipient=to, template=template, context=context, not_before=at))
    session.execute(WAKE_WORKER)


@dataclass(frozen=True)
class QueuedMessage:
    """One of many messages: a letter, or a text, which tells nothing but its own words (templates/texts)."""

    channel: Channel
    to: str
    template: str
    context: dict[str, Any]


def queue_messages(session: Session, messages: Sequence[QueuedMessage], *, at: datetime) -> None:
    """Queue many at once, in one statement."""
    if not messages:
        return
    told = {
        "at": at,
        "channels": [message.channel.value for message in messages],
        "recipients": [message.to for message in messages],
        "templates": [message.template for message in messages],
        "contexts": [json.dumps(message.context) for message in messages],
    }
    session.execute(QUEUE_MANY, told)
    session.execute(WAKE_WORKER)
