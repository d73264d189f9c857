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

from portal.gateways.measures import count_told
from portal.lifeline import LIFELINE
from portal.serving.listening import SOCKETS

log = logging.getLogger(__name__)

HANDED_OVER = "PORTAL_HANDED_OVER"
READY = b"ready"
# What a photo or a paper brings, and hardly any form without one.
LARGE_BODY_BYTES = 64 * 1024
# What the pages' process receives at once: small, so that many beginnings of photos find room on the line.
BEGINNING_BYTES = 32 * 1024
# A longest head, and what was received at once with the end of it.
LARGEST_MESSAGE_BYTES = 512 * 1024
LARGEST_COUNT_BYTES = 4 * 1024
# What may wait on the line, where the system allows so much (net.core.wmem_max); else some ten beginnings.
WAITING_BYTES = 4 * 1024 * 1024
START_AGAIN_SECONDS = 30.0
# Less than `portal run` and systemd allow for a stop, from its beginning.
LONGEST_STOP_SECONDS = 13.0
# The sockets are the pages', and the line itself ends with them.
NOT_PASSED_ON = frozenset({SOCKETS, LIFELINE})


class Uploads:
    """The other process: started when the first large body comes, and again when it has ended.

    Until it is ready, and whenever as much waits on the line as the system holds, a body stays with the pages' process.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], channels: dict[int, object]) -> None:
        self._command = command
        self._environment = {key: value for key, value in environment.items() if key not in NOT_PASSED_ON}
        self._channels = channels
        self._line: _Line | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = -START_AGAIN_SECONDS
        self._stopped_at: float | None = None

    def take(self, connection: socket.socket, begun: bytes) -> bool:
        """Hand over a connection and what was received of the request; whether that could be done."""
        if self._line is not None and not self._line.is_over:
            return self._line.hand_over(connection, begun)
        if self._may_start():
            self._started_at = time.monotonic()
            try:
                self._start()
            except OSError:
                log.exception("what receives uploads can't start")
        return False

    def stop(self) -> None:
        """Hand nothing over any more. The other process answers what it has, and ends."""
        self._stopped_at = time.monotonic()
        if self._line is None:
            return
        if self._process is not None and not self._line.is_ready:
            self._process.terminate()  # nothing was handed to it
        self._line.hang_up()

    def wait(self) -> None:
        """Until it has ended after `stop`; one that does not end by itself is ended."""
        if self._process is None or self._stopped_at is None:
            return
        try:
            self._process.wait(max(0.0, self._stopped_at + LONGEST_STOP_SECONDS - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _may_start(self) -> bool:
        """Not twice in half a minute, nor while the last one still answers what it had, nor at a stop."""
        is_running = self._process is not None and self._process.poll() is None
        is_early = time.monotonic() < self._started_at + START_AGAIN_SECONDS
        return self._stopped_at is None and not is_running and not is_early

    def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WAITING_BYTES)
                self._process = subprocess.Popen(  # noqa: S603 - our own command
                    self._command,
                    env={**self._environment, HANDED_OVER: str(theirs.fileno())},
                    stdin=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                )
            except OSError:
                ours.close()
                raise
        self._line = _Line(ours, self._channels)


def beside(environment: Mapping[str, str], channels: dict[int, object]) -> Uploads | None:
    """`portal receive` with that environment. Only Linux hands connections over as it is done here."""
    if sys.platform != "linux":
        return None
    return Uploads([sys.executable, "-m", "portal.cli", "receive"], environment, channels)


class _Line(wasyncore.dispatcher):  # type: ignore[misc]  # waitress tells no types
    """Our end of the line to one such process; what it counts comes back on it."""

    def __init__(self, ours: socket.socket, channels: dict[int, object]) -> None:
        super().__init__(ours, map=channels)  # which never waits from now on
        self.connected = True
        self.is_ready = False
        self.is_over = False

    def hand_over(self, connection: socket.socket, begun: bytes) -> bool:
        if not self.is_ready:
            return False
        try:
            socket.send_fds(self.socket, [begun], [connection.fileno()])
        except OSError:  # as much waits as the system holds, or nobody is there
            return False
        return True

    def hang_up(self) -> None:
        self.is_over = True
        self.close()

    def writable(self) -> bool:
        return False

    def handle_read(self) -> None:
        with suppress(BlockingIOError):
            if (message := self.socket.recv(LARGEST_COUNT_BYTES)) == READY:
                self.is_ready = True
            elif message:
                count_told(message)
            else:
                self.handle_close()

    def handle_close(self) -> None:
        if not self.is_over:
            log.error("what receives uploads has ended; it starts again with a large form")
            self.hang_up()
