"""A line to a server that can be slow, break off, or lead to somebody who has no room: faults of the real network."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

PART_BYTES = 1 << 14


@dataclass
class BadLine:
    """Passes everything on, until it is told to do otherwise."""

    to: tuple[str, int]
    port: int = 0
    answers: bytes | None = None
    """Say this to every request instead of passing it on."""
    hangs: bool = False
    """Take everything and answer nothing."""
    cuts_question_after: int | None = None
    cuts_answer_after: int | None = None
    _open: list[socket.socket] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def serve(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            self._open.append(near)
            threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def hang_up(self) -> None:
        for one in self._open:
            _close(one)

    def _carry(self, near: socket.socket) -> None:
        if self.hangs:
            return
        if self.answers is not None:
            with suppress(OSError):
                near.recv(PART_BYTES)
                near.sendall(self.answers)
            _close(near)
            return
        try:
            far = socket.create_connection(self.to)
        except OSError:
            _close(near)
            return
        self._open.append(far)
        threading.Thread(target=_pass_on, args=(far, near, self.cuts_answer_after), daemon=True).start()
        _pass_on(near, far, self.cuts_question_after)


def _pass_on(source: socket.socket, target: socket.socket, most: int | None) -> None:
    carried = 0
    with suppress(OSError):
        while part := source.recv(PART_BYTES):
            part = part if most is None else part[: most - carried]
            target.sendall(part)
            carried += len(part)
            if most is not None and carried >= most:
                break
    _close(source)
    _close(target)


def _close(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


@contextmanager
def bad_line(to: str) -> Iterator[BadLine]:
    """A line to the server at this address."""
    parts = urlsplit(to)
    line = BadLine((parts.hostname or "127.0.0.1", parts.port or 80))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        line.port = listener.getsockname()[1]
        threading.Thread(target=line.serve, args=(listener,), daemon=True).start()
        try:
            yield line
        finally:
            line.hang_up()
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
