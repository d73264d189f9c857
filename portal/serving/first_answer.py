"""Knowing when the pages are there. The socket is open long before, so one question waits in it, and we don't."""

import select
import socket

QUESTION = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
CONNECT_SECONDS = 1.0


class FirstAnswer:
    """Asks once and looks now and then, without waiting, whether the answer has come."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._asked: socket.socket | None = None
        self._has_come = False

    def has_come(self) -> bool:
        """True from the first answer on; a question that got lost with its process is asked again."""
        if self._has_come:
            return True
        try:
            self._has_come = self._look()
        except OSError:
            self._forget()
        return self._has_come

    def _look(self) -> bool:
        if self._asked is None:
            self._asked = socket.create_connection(("127.0.0.1", self._port), timeout=CONNECT_SECONDS)
            self._asked.sendall(QUESTION)
        readable, _, _ = select.select([self._asked], [], [], 0)
        if not readable:
            return False
        answer = self._asked.recv(16)
        self._forget()
        return answer.startswith(b"HTTP/1.1 ") and not answer.startswith(b"HTTP/1.1 5")

    def _forget(self) -> None:
        if self._asked is not None:
            self._asked.close()
            self._asked = None
