"""Child processes for work that a hostile file could turn against us: few at a time, and none outlives its time.

A child knows no secret and stands in no folder of ours; what it may take of the machine it limits itself, before it
looks at what it was given.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from portal.gateways.child_processes.long_turns import ask_for_long_turns

LAST = 19
BETWEEN_TRIES_SECONDS = 0.12

ENVIRONMENT = {
    "LANG": "C.UTF-8",
    # One memory arena: each more reserves address space that would count against the limit.
    "MALLOC_ARENA_MAX": "1",
    # What was freed is used again, in large pages: a child asks the kernel for memory a fifteenth as often, and so
    # holds up the others on the same cores less. Other C libraries than GNU's look past it.
    "MALLOC_MMAP_THRESHOLD_": str(1 << 30),
    "MALLOC_TOP_PAD_": str(1 << 26),
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}


class AllTurnsTaken(Exception):
    """All turns are taken and stayed so; answer 503 with Retry-After."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__(f"no turn came free, try again in {retry_after_seconds} s")
        self.retry_after_seconds = retry_after_seconds


class OutOfTime(Exception):
    """The child had not ended when its time was over, and was ended."""


class Turns:
    """At most so many children at a time, so that twenty uploads do not start twenty.

    No more may wait than leave threads for everybody else; whoever comes then is told at once to come back.
    """

    def __init__(self, at_once: int = 2, *, waiting: int = 8, patience_seconds: float = 10) -> None:
        self.places = at_once + waiting
        self._free = threading.BoundedSemaphore(at_once)
        self._places = threading.BoundedSemaphore(self.places)
        self._patience_seconds = patience_seconds

    @contextmanager
    def taken(self) -> Iterator[None]:
        with self._held(self._places, patience_seconds=0), self._held(self._free, self._patience_seconds):
            yield

    @contextmanager
    def _held(self, places: threading.BoundedSemaphore, patience_seconds: float) -> Iterator[None]:
        if not places.acquire(timeout=patience_seconds):
            raise AllTurnsTaken(max(1, round(self._patience_seconds)))
        try:
            yield
        finally:
            places.release()


def run_child(
    script: Path,
    order: str,
    *,
    content: BinaryIO,
    answer: BinaryIO,
    errors: BinaryIO,
    wall_seconds: float,
    niceness: int,
) -> int:
    """Let our own script do the order, and say how it ended; raises `OutOfTime`.

    The order stands in the list of processes, so it holds nothing that a person wrote. `niceness` is as in nice(1).
    """
    content.flush()
    os.lseek(content.fileno(), 0, os.SEEK_SET)  # the child shares the descriptor and its position, not our buffer
    child = subprocess.Popen(  # noqa: S603 - our own interpreter and script; the order holds numbers and known words
        [sys.executable, "-I", "-B", str(script), order],
        stdin=content,
        stdout=answer,
        stderr=errors,
        cwd="/",
        env=ENVIRONMENT,
        start_new_session=True,
    )
    try:
        stand_back(child.pid, niceness)
        return child.wait(wall_seconds)
    except subprocess.TimeoutExpired:
        raise OutOfTime(f"{script.name} took longer than {wall_seconds} s") from None
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def stand_back(leader: int, niceness: int, *, tries: int = 1) -> None:
    """Let a process that leads a session of its own stand behind all others; its threads, too, that begin afterwards.

    The niceness comes on top of our own: so the child is behind our own pages where all of the portal stands back, and
    takes none of it back, which only the privileged may. Where the system lets nobody do even that, the child works all
    the same.

    Where Linux shares the processor among sessions first (sched(7), "autogroup"), the niceness of a process counts in
    its own session only, so the session gets it too. The kernel takes that ten times a second at most, of all together:
    a process that stays tries several times, a tenth of a second apart.
    """
    niceness += os.getpriority(os.PRIO_PROCESS, 0)
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, leader, niceness)
    with suppress(ProcessLookupError):
        ask_for_long_turns(leader)
    while not _is_session_told(leader, min(niceness, LAST)) and (tries := tries - 1):
        time.sleep(BETWEEN_TRIES_SECONDS)


def _is_session_told(leader: int, niceness: int) -> bool:
    """Whether there is nothing more to try."""
    try:
        Path(f"/proc/{leader}/autogroup").write_text(str(niceness))
    except BlockingIOError:
        return False
    except OSError:  # no such system, or the process has ended
        return True
    return True


def last_words(errors: BinaryIO) -> str:
    """The end of what a child printed about its trouble."""
    errors.seek(0)
    return errors.read()[-2000:].decode(errors="replace")
