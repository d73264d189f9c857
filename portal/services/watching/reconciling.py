"""Compare what should agree: what was paid with what was issued, messages with the time, rows with their files.

What can be put right is put right elsewhere, by the jobs whose work it is. Here is found what they leave over.
"""

from collections.abc import Iterable
from datetime import timedelta

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.storage.store import FileMissing, Storage
from portal.schema.licenses import License
from portal.schema.orders import Order, OrderLine
from portal.schema.outbox import Channel, OutgoingMessage, ReceivedEvent
from portal.services.licensing.issue_license import licenses_ready
from portal.services.sweeping.files import FILE_KINDS, ORPHANS_KEPT
from portal.services.watching.findings import Found

LATE = timedelta(days=1)
# Reminders by text wait for the morning.
STUCK = {Channel.EMAIL: timedelta(hours=1), Channel.SMS: timedelta(hours=14)}
AT_A_TIME = 5000
# In the order of bytes, in which the file store lists too, and by the indexes that are in that order.
MENTIONED = text("""
    SELECT key FROM (
        SELECT original_key AS key FROM animal_control.document
        UNION ALL SELECT thumbnail_key FROM animal_control.document
        UNION ALL SELECT key FROM animal_control.document_page
        UNION ALL SELECT original_key FROM animal_control.document_page
        UNION ALL SELECT key FROM animal_control.report_file
        UNION ALL SELECT thumbnail_key FROM animal_control.report_file
    ) AS mentioned
    WHERE key ~>~ :after AND key ~<~ :end ORDER BY key USING ~<~ LIMIT :most
""")


def paid_not_issued(session: Session, *, clock: Clock) -> list[Found]:
    """Licenses that nothing holds back. Ask after all that could be issued was: what is left failed."""
    ready = licenses_ready(session, on=clock.today())
    wanted = (
        select(License.id, License.created_at, Order.paid_at, Order.reference)
        .join(OrderLine, OrderLine.license_id == License.id)
        .join(Order, Order.id == OrderLine.order_id)
        .where(License.id.in_(ready))
    )
    return [
        Found(str(row.id), row.paid_at or row.created_at, {"order": row.reference}) for row in session.execute(wanted)
    ]


def messages_stuck(session: Session, *, clock: Clock) -> list[Found]:
    """Messages that were due long ago and that nobody takes; one finding a channel."""
    found = []
    for channel, patience in STUCK.items():
        stuck = select(func.count(), func.min(OutgoingMessage.not_before)).where(
            OutgoingMessage.sent_at.is_(None),
            OutgoingMessage.failed_at.is_(None),
            OutgoingMessage.not_before < clock.now() - patience,
            OutgoingMessage.channel == channel,
        )
        count, since = session.execute(stuck).one()
        if count:
            found.append(Found(channel.value, since, {"count": count}))
    return found


def events_that_wait(session: Session, *, clock: Clock) -> list[Found]:
    """Events of the processor that have waited for a day for what they are about."""
    late = select(ReceivedEvent.id, ReceivedEvent.kind, ReceivedEvent.received_at).where(
        ReceivedEvent.handled_at.is_(None), ReceivedEvent.received_at < clock.now() - LATE
    )
    return [Found(row.id, row.received_at, {"kind": row.kind}) for row in session.execute(late)]


def events_not_delivered(session: Session, *, clock: Clock) -> list[Found]:
    """Whether the processor's events had to be asked for lately, since they did not come by themselves."""
    fetched = select(func.count(), func.min(ReceivedEvent.received_at)).where(
        ReceivedEvent.was_fetched, ReceivedEvent.received_at > clock.now() - LATE
    )
    count, since = session.execute(fetched).one()
    return [Found("processor", since, {"count": count})] if count else []


def mentioned_files(session: Session, kind: str, *, after: str | None) -> list[str]:
    """The next batch of the files of a kind that rows mention, in the order of bytes; an empty one ends the round."""
    beginning = f"{kind}/"
    asked = {"after": after or beginning, "end": f"{kind}0", "most": AT_A_TIME}  # what follows the slash
    return list(session.scalars(MENTIONED, asked))


class Listing:
    """The files of a kind as the store lists them, gone through once, side by side with the rows."""

    def __init__(self, storage: Storage, kind: str) -> None:
        self._storage = storage
        self._files = iter(storage.keys(kind))
        self._here: str | None = ""

    def lacks(self, key: str) -> bool:
        """Whether the file is not there; ask in the order of bytes. What was stored since the start is looked up."""
        while self._here is not None and self._here < key:
            self._here = next((file.key for file in self._files), None)
        return self._here != key and _is_gone(self._storage, key)


def _is_gone(storage: Storage, key: str) -> bool:
    try:
        storage.open(key).close()
    except FileMissing:
        return True
    return False


def unknown_files(storage: Storage, *, clock: Clock) -> list[Found]:
    """Files of a kind that the portal does not know, which the sweep leaves alone; one finding a kind."""
    before = clock.now() - ORPHANS_KEPT
    kinds: dict[str, int] = {}
    for file in storage.keys():  # noqa: SIM118 - a listing of the store, no dictionary
        kind = file.key.partition("/")[0]
        if kind not in FILE_KINDS and file.modified_at < before:
            kinds[kind] = kinds.get(kind, 0) + 1
    return [Found(kind, before, {"count": count}) for kind, count in sorted(kinds.items())]


def subjects(found: Iterable[Found]) -> list[str]:
    return [one.subject for one in found]
