"""Programs of the portal as a test meets them: started, killed with signal 9, started again."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
END_SECONDS = 180


@dataclass
class Process:
    """One running process, held by a descriptor of its own, so that its number is never mistaken for another's."""

    pid: int
    _handle: int | None
    _waiting: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, pid: int) -> "Process":
        try:
            return cls(pid, os.pidfd_open(pid))
        except ProcessLookupError:
            return cls(pid, None)

    def kill(self) -> None:
        """Signal 9, and wait until it is gone."""
        if (handle := self._handle) is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        self.wait()

    def wait(self) -> None:
        """Wait until it has ended."""
        with self._waiting:
            if self._handle is None:
                return
            poll = select.poll()
            poll.register(self._handle, select.POLLIN)
            assert poll.poll(END_SECONDS * 1000), "the process does not end"
            os.close(self._handle)
            self._handle = None


@dataclass
class Nursery:
    """Where programs come from."""

    control: socket.socket
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(
        self, arguments: Sequence[str], environment: Mapping[str, str], *, log: Path, sockets: Sequence[socket.socket]
    ) -> Process:
        """Start `portal ARGUMENTS`; it listens on the sockets and writes to the log."""
        order = json.dumps({"arguments": list(arguments), "environment": dict(environment)}).encode()
        with self._lock, log.open("ab") as output:
            socket.send_fds(self.control, [order], [output.fileno(), *(one.fileno() for one in sockets)])
            return Process.of(int(self.control.recv(100)))


@contextmanager
def open_nursery() -> Iterator[Nursery]:
    """A nursery that takes everything it started along when it closes."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.nursery", str(theirs.fileno())],
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
        theirs.close()
        try:
            yield Nursery(ours)
        finally:
            ours.close()
            child.wait(END_SECONDS)
