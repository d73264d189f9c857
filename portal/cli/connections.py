"""One person's connection, as waitress keeps it, and three things done otherwise.

What is larger than we take in is read away (`large_bodies`); an answer leaves in one piece; and while a thread sends,
the loop does not ask again and again whether it may.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from waitress.channel import HTTPChannel
from waitress.task import WSGITask

from portal.cli.large_bodies import Parser


class _Task(WSGITask):  # type: ignore[misc]  # waitress tells no types
    """Sends the head of an answer with its body.

    Waitress sends the head alone, which wakes whoever waits for it. Where that one runs on the same core, the rest of
    the answer comes only after a turn of the scheduler, four milliseconds later, which the loop of waitress spends with
    asking whether it may write.
    """

    def write(self, data: bytes) -> None:
        if self.wrote_header:
            super().write(data)
            return
        with self.channel.sending_at_once():
            super().write(data)


class Connection(HTTPChannel):  # type: ignore[misc]  # waitress tells no types
    """A connection that sends several pieces of an answer as one, and that the loop leaves alone while it sends."""

    parser_class = Parser
    task_class = _Task
    _pieces: list[bytes] | None = None
    _is_sending = False

    def writable(self) -> bool:
        """Whether the loop has something to do here.

        Not while a thread sends: to waitress what is on its way still waits to be sent, so its loop would ask again
        and again, on the core on which the thread is to go on. More than fits waits for the loop, thread and all.
        """
        if self._is_sending and self.total_outbufs_len <= self.adj.outbuf_high_watermark and not self.will_close:
            return False
        return bool(super().writable())

    def write_soon(self, data: Any) -> int:
        if self._pieces is not None:
            self._pieces.append(data)
            return len(data)
        self._is_sending = True
        try:
            written: int = super().write_soon(data)
            return written
        finally:
            self._is_sending = False
            if self.total_outbufs_len:
                self.server.pull_trigger()

    @contextmanager
    def sending_at_once(self) -> Iterator[None]:
        """What the block writes leaves together when it ends."""
        pieces: list[bytes] = []
        self._pieces = pieces
        try:
            yield
        finally:
            self._pieces = None
            self.write_soon(b"".join(pieces))
