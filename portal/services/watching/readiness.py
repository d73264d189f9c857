"""Whether this process can do its work, and what is wrong if not.

Without the database, or with one whose schema this code can't use, another process is the better one to ask: that takes
this one out of rotation. What all processes share alike - the file store, the mail, the worker - does not: most pages
work without it, and taking every process away would end those too. It is told as degraded, for an alert.
"""

from dataclasses import dataclass, field
from datetime import timedelta

from portal.gateways.clock import Clock
from portal.gateways.storage.probe import StorageProbe
from portal.services.watching.measuring import Measured

OK = "ok"
# Letters leave within seconds; the worker's shortest job notes its end every half minute.
LETTERS_LATE = timedelta(minutes=10)
WORKER_SILENT = timedelta(minutes=3)


@dataclass(frozen=True)
class Readiness:
    """What is said of the database, and of each part that all processes share "ok" or what is wrong.

    `is_able` is what a load balancer goes by.
    """

    database: str
    shared: dict[str, str] = field(default_factory=dict)
    is_able: bool = True

    @property
    def status(self) -> str:
        """In one word."""
        if not self.is_able:
            return "unavailable"
        return "ok" if set(self.shared.values()) <= {OK} else "degraded"


def shared_parts(found: Measured, probe: StorageProbe, *, clock: Clock) -> dict[str, str]:
    """How the parts stand that all processes share."""
    return {"storage": probe.said(), "mail": _mail(found), "worker": _worker(found, clock=clock)}


def _mail(found: Measured) -> str:
    """A letter that a mail server keeps refusing moves its own time on; this one is due, and nobody takes it."""
    late = max(found.get("messages_due_seconds", {}).values(), default=0)
    return OK if late < LETTERS_LATE.total_seconds() else f"messages have been due for {late / 60:.0f} minutes"


def _worker(found: Measured, *, clock: Clock) -> str:
    last = max(found.get("job_last_success", {}).values(), default=None)
    if last is None:
        return "no worker has run yet"
    silent = clock.now().timestamp() - last
    return (
        OK if silent < WORKER_SILENT.total_seconds() else f"no worker has done anything for {silent / 60:.0f} minutes"
    )
