"""A closed loop of keep-alive connections: each sends the next request as soon as its answer is whole.

It runs in the bench's own process, on another core than the server, and reads every byte. An answer with another
status than expected ends the bench: a page that fails quickly must not count as a quick page.
"""

import selectors
import socket
import time
from dataclasses import dataclass, field

from bench.visitor import Asked

PIECE = 1 << 16
LENGTH = b"content-length:"


@dataclass
class Load:
    """What came back within the time."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)

    @property
    def requests_per_second(self) -> float:
        return len(self.latencies) / self.seconds


@dataclass
class _Line:
    """One connection and the answer that is coming in on it."""

    connection: socket.socket
    begun: float = 0.0
    answer: bytearray = field(default_factory=bytearray)
    wanted: int | None = None


def run(port: int, asked: Asked, *, seconds: float, connections: int = 4) -> Load:
    """Ask the same again and again for so long."""
    request, load = asked.as_bytes(port), Load()
    with selectors.DefaultSelector() as selector:
        lines = [_Line(socket.create_connection(("127.0.0.1", port), timeout=60)) for _ in range(connections)]
        start = time.perf_counter()
        for line in lines:
            line.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(line.connection, selectors.EVENT_READ, line)
            _send(line, request)
        waiting = len(lines)
        while waiting:
            for key, _ in selector.select():
                line = key.data
                if not _is_whole(line, asked):
                    continue
                now = time.perf_counter()
                load.latencies.append(now - line.begun)
                if now - start < seconds:
                    _send(line, request)
                else:
                    waiting -= 1
        load.seconds = time.perf_counter() - start
        for line in lines:
            line.connection.close()
    return load


def _send(line: _Line, request: bytes) -> None:
    line.answer.clear()
    line.wanted = None
    line.begun = time.perf_counter()
    line.connection.sendall(request)


def _is_whole(line: _Line, asked: Asked) -> bool:
    piece = line.connection.recv(PIECE)
    if not piece:
        raise SystemExit(f"{asked.name}: the server closed the connection")
    line.answer += piece
    if line.wanted is None:
        end = line.answer.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(line.answer[:end]).lower()
        if head[9:12] != str(asked.status).encode():
            raise SystemExit(f"{asked.name}: expected {asked.status}, got {head[9:12].decode()}")
        at = head.find(LENGTH)
        length = int(head[at + len(LENGTH) :].partition(b"\r\n")[0]) if at >= 0 else 0
        line.wanted = end + 4 + length
    return len(line.answer) >= line.wanted
