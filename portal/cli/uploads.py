"""Large forms, which bring photos and papers, are received by a process of their own: `portal receive`.

To take a photo in costs 20 milliseconds of Python, and while it is taken in whoever asks the same process for a page
waits for turns. So the process of the pages reads the head of a request, and hands the connection over where a large
body follows, with what has come of it. The answer goes out from there, and closes the connection: the next request
comes to the pages again.
"""

import logging
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from waitress import wasyncore

from portal.cli.listening import SOCKETS
from portal.gateways.child_processes.running import stand_back
from portal.gateways.measures import count_told
from portal.lifeline import LIFELINE

log = logging.getLogger(__name__)

HANDED_OVER = "PORTAL_HANDED_OVER"
READY = b"ready"
# What a photo or a paper brings, and hardly any form without one.
LARGE_BODY_BYTES = 64 * 1024
# A longest head, and what was received at once with the end of it.
LARGEST_MESSAGE_BYTES = 512 * 1024
# Twenty beginnings of photos, where the system lets us have so much.
WAITING_BYTES = 4 * 1024 * 1024
# As far as nice(1) goes. A photo costs 25 ms here, which even a machine full of pages has for it within two seconds.
BEHIND_PAGES = 19
START_AGAIN_SECONDS = 30.0
LONGEST_END_SECONDS = 16.0


class Uploads:
    """The other process: started when the first large body comes, and again when it has ended.

    Until it is ready, and whenever it has as much waiting as the kernel holds, a body stays with the pages' process.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], channels: dict[int, object]) -> None:
        self._command = command
        self._environment = {key: value for key, value in environment.items() if key not in (SOCKETS, LIFELINE)}
        self._channels = channels
        self._line: _Line | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = -START_AGAIN_SECONDS
        self._is_stopping = False

    def take(self, connection: socket.socket, begun: bytes) -> bool:
        """Hand over a connection and what was received of the request; whether that could be done."""
        if self._line is None or self._line.is_over:
            self._start()
            return False
        return self._line.hand_over(connection, begun)

    def stop(self) -> None:
        """Hand nothing over any more. The other process answers what it has, and ends."""
        self._is_stopping = True
        if self._line is not None:
            self._line.close()

    def wait(self) -> None:
        """Until it has ended after `stop`; one that does not end by itself is ended."""
        if self._process is None:
            return
        try:
            self._process.wait(LONGEST_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _start(self) -> None:
        if self._is_stopping or time.monotonic() < self._started_at + START_AGAIN_SECONDS:
            return
        self._started_at = time.monotonic()
        if self._process is not None:
            log.error("what receives uploads had ended (%s) and starts again", self._process.poll())
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WAITING_BYTES)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                self._command,
                env={**self._environment, HANDED_OVER: str(theirs.fileno())},
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._line = _Line(ours, self._channels, receiver=self._process.pid)


def beside(environment: Mapping[str, str], channels: dict[int, object]) -> Uploads | None:
    """`portal receive` with that environment. Only Linux hands connections over as it is done here."""
    if sys.platform != "linux":
        return None
    return Uploads([sys.executable, "-m", "portal.cli", "receive"], environment, channels)


class _Line(wasyncore.dispatcher):  # type: ignore[misc]  # waitress tells no types
    """Our end of the line to one such process, which stands back once it is ready; what it counts comes back on it."""

    def __init__(self, ours: socket.socket, channels: dict[int, object], *, receiver: int) -> None:
        super().__init__(ours, map=channels)
        self._receiver = receiver
        self.connected = True
        self.is_over = False
        self._is_ready = False

    def hand_over(self, connection: socket.socket, begun: bytes) -> bool:
        if not self._is_ready:
            return False
        try:
            socket.send_fds(self.socket, [begun], [connection.fileno()], socket.MSG_DONTWAIT)
        except OSError:  # more waits than the kernel holds, or nobody is there
            return False
        return True

    def writable(self) -> bool:
        return False

    def handle_read(self) -> None:
        with suppress(BlockingIOError):
            if (message := self.socket.recv(LARGEST_MESSAGE_BYTES)) == READY:
                stand_back(self._receiver, BEHIND_PAGES)
                self._is_ready = True
            elif message:
                count_told(message)
            else:
                self.handle_close()

    def handle_close(self) -> None:
        self.is_over = True
        self.close()
