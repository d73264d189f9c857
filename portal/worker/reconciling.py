"""The jobs that compare what should agree, and note for the desk what does not."""

from collections.abc import Iterator, Sequence

from portal.gateways.payments.processor import ProcessorEvent
from portal.schema.operating import FindingKind
from portal.services.files.mentioned import unmentioned
from portal.services.payments.fetch_events import asked_since, missed
from portal.services.payments.receive_event import receive_event
from portal.services.sweeping.files import KEPT_KINDS
from portal.services.watching.findings import Found, note_found, note_mended
from portal.services.watching.reconciling import (
    Listing,
    events_not_delivered,
    events_that_wait,
    mentioned_files,
    messages_stuck,
    paid_not_issued,
    subjects,
    unknown_files,
)
from portal.worker.jobs import Stopping, catch_up
from portal.worker.parts import Parts
from portal.worker.schedule import one_by_one


def fetch_events(parts: Parts, stopping: Stopping) -> None:
    """Take in what the processor told and nobody delivered: refunds and disputes made in its dashboard among them."""
    clock = parts.gateways.clock
    with parts.transaction() as session:
        since = asked_since(session, clock=clock)
    events = list(parts.gateways.processor.events_since(since))
    with parts.transaction() as session:
        found = missed(session, events, clock=clock)
    one_by_one("processor event", found, lambda event: _take_in(parts, event), stopping=stopping)
    with parts.transaction() as session:
        fetched = events_not_delivered(session, clock=clock)
    _note(parts, FindingKind.EVENTS_NOT_DELIVERED, fetched)


def compare(parts: Parts, stopping: Stopping) -> None:
    """What was paid with what was issued, messages and events with the time."""
    clock = parts.gateways.clock
    catch_up(parts, stopping)
    for kind, look in (
        (FindingKind.PAID_NOT_ISSUED, paid_not_issued),
        (FindingKind.MESSAGES_STUCK, messages_stuck),
        (FindingKind.EVENT_WAITS, events_that_wait),
    ):
        with parts.transaction() as session:
            found = look(session, clock=clock)
        _note(parts, kind, found)


def compare_files(parts: Parts, stopping: Stopping) -> None:
    """Rows with their files, a batch at a time; nothing is mended by a round that was cut off."""
    storage, clock = parts.gateways.storage, parts.gateways.clock
    missing: list[str] = []
    for kind in KEPT_KINDS:
        listing = Listing(storage, kind)
        for keys in _mentioned(parts, kind):
            if stopping():
                return
            missing += [key for key in keys if listing.lacks(key)]
    wanted = _still_wanted(parts, missing)
    _note(parts, FindingKind.MISSING_FILE, [Found(key, clock.now()) for key in missing if key in wanted])
    _note(parts, FindingKind.UNKNOWN_FILES, unknown_files(storage, clock=clock))


def _mentioned(parts: Parts, kind: str) -> Iterator[list[str]]:
    after = None
    while keys := _batch(parts, kind, after):
        yield keys
        after = keys[-1]


def _still_wanted(parts: Parts, missing: list[str]) -> set[str]:
    """Not the former picture of an animal, whose row stays and whose files were swept."""
    if not missing:
        return set()
    with parts.transaction() as session:
        return set(missing) - set(unmentioned(session, missing))


def _batch(parts: Parts, kind: str, after: str | None) -> list[str]:
    with parts.transaction() as session:
        return mentioned_files(session, kind, after=after)


def _take_in(parts: Parts, event: ProcessorEvent) -> None:
    with parts.transaction() as session:
        receive_event(session, event, is_fetched=True, clock=parts.gateways.clock)


def _note(parts: Parts, kind: FindingKind, found: Sequence[Found]) -> None:
    with parts.transaction() as session:
        for one in found:
            note_found(session, kind, one)
        note_mended(session, kind, still=subjects(found), clock=parts.gateways.clock)
