"""One person's connection, as waitress keeps it, and four things done otherwise.

What is larger than we take in is read away (`large_bodies`); an answer leaves in one piece; while a thread sends, the
loop does not ask again and again whether it may; and a large body that begins is handed over, connection and all, to
the process that receives them (`uploads`), where a `Receiver` goes on.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask

from portal.serving.large_bodies import Parser
from portal.serving.uploads import LARGE_BODY_BYTES, LARGEST_MESSAGE_BYTES, Uploads


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
    request: Parser | None

    def received(self, data: bytes) -> bool:
        """Take what came. A large body that begins goes away from here with its connection."""
        is_open: bool = super().received(data)
        with self.requests_lock:
            leaves = self._is_handed_over(data)
        if leaves:
            self.handle_close()
        return is_open

    def _is_handed_over(self, data: bytes) -> bool:
        """Hand the request over that has just begun, if it is large and nothing else is under way here."""
        uploads: Uploads | None = self.server.uploads
        request = self.request
        begun = request.take_begun(data) if request else b""
        if not (uploads and request and begun) or request.content_length < LARGE_BODY_BYTES:
            return False
        is_ending = self.will_close or self.close_when_flushed or not self.connected
        if self.requests or self.total_outbufs_len or is_ending or self.socket.family == socket.AF_UNIX:
            return False
        if not uploads.take(self.socket, begun):
            return False
        self.request = None
        request.close()
        return True

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


class _LastTask(_Task):
    """Closes the connection after its answer, so that the next request comes to the pages again."""

    def build_response_header(self) -> bytes:
        self.request.headers["CONNECTION"] = "close"
        head: bytes = super().build_response_header()
        return head


class _HandedOver(Connection):
    """A connection that comes in the middle of a request; whoever was to be told to go on has been told."""

    task_class = _LastTask
    sent_continue = True


class Receiver(TcpWSGIServer):  # type: ignore[misc]  # waitress tells no types
    """Accepts from a line on which another process hands connections over, each with what has come on it."""

    channel_class = _HandedOver
    uploads = None

    def __init__(self, app: object, line: socket.socket, channels: dict[int, object], **options: Any) -> None:
        super().__init__(app, map=channels, _sock=line, bind_socket=False, **options)
        self.is_over = False

    def getsockname(self) -> tuple[str, int]:
        """Known with the first connection."""
        return "", 0

    def accept_connections(self) -> None:
        """The line is open already."""
        self.accepting = True

    def handle_accept(self) -> None:
        """Go on with all that waits. At a line that was closed the loop asks once and then gives it up."""
        while self.accepting:
            try:
                begun, handles, _, _ = socket.recv_fds(self.socket, LARGEST_MESSAGE_BYTES, 1)
            except BlockingIOError:
                return
            except ConnectionResetError:  # said once, before what waits: it was closed with counts unread
                continue
            if not begun:
                self.handle_close()
            elif handles:
                self._go_on(socket.socket(fileno=handles[0]), begun)
            else:
                self.logger.error("a request is lost: no more files may be open here")

    def handle_close(self) -> None:
        if not self.is_over:
            self.is_over = True
            self.accepting = False
            wasyncore.dispatcher.close(self)

    def _go_on(self, connection: socket.socket, begun: bytes) -> None:
        connection.set_inheritable(False)
        try:
            address = connection.getpeername()
            self.effective_port = connection.getsockname()[1]
            self.set_socket_options(connection)
        except OSError:  # whoever sent it has gone
            connection.close()
            return
        self.channel_class(self, connection, address, self.adj, map=self._map).received(begun)
