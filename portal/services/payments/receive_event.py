"""Take in an event of the processor: kept first, acted on in the same commit, tried again while it has to wait."""

from datetime import timedelta

from sqlalchemy import select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.payments.processor import ProcessorEvent
from portal.schema.outbox import ReceivedEvent
from portal.services.payments.settle_payment import settle
from portal.services.plain_values import plain_values

# Others may take payments on the same processor account, with keys that look like ours. The processor itself tries
# for three days to deliver what comes before it.
WAITS_AT_MOST = timedelta(days=7)
NOT_OURS = "about nothing of ours"

_converter = plain_values()


def receive_event(session: Session, event: ProcessorEvent, *, is_fetched: bool = False, clock: Clock) -> str | None:
    """Keep the event and act on it. The same event again, or its twin at the same moment, changes nothing."""
    facts = _converter.unstructure(event)
    kept = insert(ReceivedEvent).values(id=event.id, kind=event.kind.value, facts=facts, was_fetched=is_fetched)
    session.execute(kept.on_conflict_do_nothing())
    return _handle(session, event.id, clock=clock)


def events_waiting(session: Session, *, after: str | None = None, limit: int = 100) -> list[str]:
    """Events that came before what they are about, oldest first, from the one after `after`."""
    place = tuple_(ReceivedEvent.received_at, ReceivedEvent.id)
    waiting = select(ReceivedEvent.id).where(ReceivedEvent.handled_at.is_(None))
    if after is not None:
        last = select(ReceivedEvent.received_at, ReceivedEvent.id).where(ReceivedEvent.id == after)
        waiting = waiting.where(place > last.scalar_subquery())
    return list(session.scalars(waiting.order_by(ReceivedEvent.received_at, ReceivedEvent.id).limit(limit)))


def try_again(session: Session, event_id: str, *, clock: Clock) -> str | None:
    """Act on an event that waited."""
    return _handle(session, event_id, clock=clock)


def _handle(session: Session, event_id: str, *, clock: Clock) -> str | None:
    received = session.get_one(ReceivedEvent, event_id, with_for_update=True, populate_existing=True)
    if received.handled_at is not None:
        return received.outcome
    outcome = settle(session, _converter.structure(received.facts, ProcessorEvent), clock=clock)
    if outcome is None and received.received_at < clock.now() - WAITS_AT_MOST:
        outcome = NOT_OURS
    if outcome is not None:
        received.outcome = outcome
        received.handled_at = clock.now()
    session.flush()
    return outcome
