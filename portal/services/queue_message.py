"""Write a message with the change it tells of; the worker sends it once the change is committed."""

from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from portal.schema.outbox import OutgoingMessage

CHANNEL = "portal_outbox"
WAKE_WORKER = text(f"SELECT pg_notify('{CHANNEL}', '')")


def queue_message(
    session: Session, *, to: str, template: str, context: dict[str, Any], at: datetime, is_secret: bool = False
) -> None:
    """Queue one letter. `template` names a pair in templates/messages; `context` must be plain JSON values."""
    session.add(OutgoingMessage(recipient=to, template=template, context=context, is_secret=is_secret, not_before=at))
    session.execute(WAKE_WORKER)
