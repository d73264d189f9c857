"""Ask the processor for its events, for the case that they do not come by themselves.

Refunds and disputes that the city made in the processor's dashboard are told by events alone. An event that comes both
ways has one id, and changes things once.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.payments.processor import ProcessorEvent
from portal.schema.operating import WorkerJob
from portal.schema.outbox import ReceivedEvent

JOB = "processor events"
# The processor keeps them so long (https://docs.stripe.com/api/events).
KEPT = timedelta(days=30)
# One that was written while we asked last is asked for again.
OVERLAP = timedelta(days=1)
# Those that are on their way by themselves are let come.
ON_ITS_WAY = timedelta(minutes=10)


def asked_since(session: Session, *, clock: Clock) -> datetime:
    """From when on to ask: what was told before the last time is known."""
    oldest = clock.now() - KEPT + timedelta(hours=1)
    last = session.scalar(select(WorkerJob.succeeded_at).where(WorkerJob.name == JOB))
    return max(oldest, last - OVERLAP) if last else oldest


def missed(session: Session, events: Sequence[ProcessorEvent], *, clock: Clock) -> list[ProcessorEvent]:
    """Those that should have come and did not, oldest first."""
    due = [event for event in events if event.occurred_at < clock.now() - ON_ITS_WAY]
    known = set(session.scalars(select(ReceivedEvent.id).where(ReceivedEvent.id.in_([event.id for event in due]))))
    return sorted((event for event in due if event.id not in known), key=lambda event: event.occurred_at)
