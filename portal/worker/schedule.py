"""Jobs on their own intervals, each in a thread of its own: one that fails or takes long never holds up another."""

import logging
import secrets
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy.exc import OperationalError

from portal.gateways import logs

log = logging.getLogger(__name__)

LONGEST_PAUSE_SECONDS = 60.0

Item = TypeVar("Item")
Stopping = Callable[[], bool]


@dataclass(frozen=True)
class Job:
    """Something to do every so often; it is told how to find out whether we are stopping."""

    name: str
    every_seconds: float
    do: Callable[[Callable[[], bool]], None]
    first_after_seconds: float = 0.0


Note = Callable[[Job, bool], None]


def _unnoted(_job: Job, _is_done: bool) -> None:
    """For whoever does not ask when a job was last done."""


class JobThread(threading.Thread):
    """Does one job on time, at once when woken, and again after a failure."""

    def __init__(self, job: Job, stopping: threading.Event, *, note: Note = _unnoted) -> None:
        super().__init__(name=job.name, daemon=True)
        self._job = job
        self._note = note
        self._stopping = stopping
        self._woken = threading.Event()
        self._failures = 0

    def wake(self) -> None:
        """Do it now; once more if it is being done already, since what woke us may have come too late for it."""
        self._woken.set()

    def run(self) -> None:
        self._woken.wait(self._job.first_after_seconds)
        while not self._stopping.is_set():
            self._woken.clear()
            self._failures = 0 if self._succeeds() else self._failures + 1
            self._woken.wait(self._pause())

    def _succeeds(self) -> bool:
        with logs.about(job=self._job.name):
            is_done = self._has_done()
            self._note(self._job, is_done)
        return is_done

    def _has_done(self) -> bool:
        try:
            self._job.do(self._stopping.is_set)
        except OperationalError as failure:  # the database is away; a trace tells nothing more
            log.warning("job %s failed, reference %s: %s", self._job.name, new_reference(), type(failure.orig).__name__)
            return False
        except Exception:
            log.exception("job %s failed, reference %s", self._job.name, new_reference())
            return False
        return True

    def _pause(self) -> float:
        """The interval; after failures at least a second, and longer each time."""
        if not self._failures:
            return self._job.every_seconds
        return max(self._job.every_seconds, min(2.0 ** (self._failures - 1), LONGEST_PAUSE_SECONDS))


def all_in_turn(
    what: str,
    batch_after: Callable[[Item | None], list[Item]],
    do: Callable[[Item], None],
    *,
    stopping: Callable[[], bool],
) -> None:
    """Do it for everything there is, a batch at a time; what is stuck keeps its place and holds nothing else up."""
    after: Item | None = None
    while not stopping() and (batch := batch_after(after)):
        one_by_one(what, batch, do, stopping=stopping)
        after = batch[-1]


def one_by_one(what: str, items: Iterable[Item], do: Callable[[Item], None], *, stopping: Callable[[], bool]) -> None:
    """Do it for each until we are stopping; one that fails is logged, the others go on while the database is there."""
    for item in items:
        if stopping():
            return
        try:
            do(item)
        except OperationalError:
            raise
        except Exception:
            log.exception("%s failed, reference %s", what, new_reference())


def new_reference() -> str:
    """What can be quoted and found in the log."""
    return secrets.token_hex(4)
