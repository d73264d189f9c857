"""Runs the portal's processes together, starts again what dies, and leaves nothing behind."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from portal.lifeline import LIFELINE

POLL_SECONDS = 0.2
STOP_SECONDS = 15
HEALTHY_SECONDS = 30
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass(frozen=True)
class Program:
    """One process to keep running; `handles` are descriptors that it takes over."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    handles: Sequence[int] = ()


@dataclass
class _Child:
    program: Program
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    start_at: float = 0.0
    pause: float = field(default=FIRST_PAUSE_SECONDS)


class Supervisor:
    """Keeps the programs running until it is asked to stop.

    `say` tells a person what happened. `upkeep` is called every fifth of a second between the other duties.
    """

    def __init__(
        self, programs: Sequence[Program], *, say: Callable[[str], None], upkeep: Callable[[], None] = lambda: None
    ) -> None:
        self._children = [_Child(program) for program in programs]
        self._say = say
        self._upkeep = upkeep
        self._stopping = threading.Event()

    def stop(self) -> None:
        """Ask it to stop; `run` returns when everything has."""
        self._stopping.set()

    def run(self) -> None:
        """Start everything and watch it; return when all have ended after SIGTERM, SIGINT or `stop`."""
        for number in STOP_SIGNALS:
            signal.signal(number, lambda _number, _frame: self.stop())
        lifeline, held = os.pipe()
        try:
            while not self._stopping.is_set():
                for child in self._children:
                    self._see_to(child, lifeline)
                self._upkeep()
                self._stopping.wait(POLL_SECONDS)
        finally:
            self._stop_all()
            os.close(lifeline)
            os.close(held)

    def _see_to(self, child: _Child, lifeline: int) -> None:
        now = time.monotonic()
        if child.process is None:
            if now >= child.start_at:
                child.process, child.started_at = _started(child.program, lifeline), now
            return
        if (code := child.process.poll()) is None:
            return
        child.pause = FIRST_PAUSE_SECONDS if now - child.started_at > HEALTHY_SECONDS else child.pause * 2
        child.pause = min(child.pause, LONGEST_PAUSE_SECONDS)
        child.process, child.start_at = None, now + child.pause
        self._say(f"{child.program.name} ended ({_told(code)}); it starts again in {child.pause:g} s.")

    def _stop_all(self) -> None:
        running = [child.process for child in self._children if child.process is not None]
        for process in running:
            process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for process in running:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _started(program: Program, lifeline: int) -> subprocess.Popen[bytes]:
    """In a session of its own: Ctrl-C comes to the supervisor alone, which then stops the others in order."""
    return subprocess.Popen(  # noqa: S603 - our own commands
        program.command,
        env={**program.environment, LIFELINE: str(lifeline)},
        stdin=subprocess.DEVNULL,
        pass_fds=[lifeline, *program.handles],
        start_new_session=True,
    )


def _told(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"
