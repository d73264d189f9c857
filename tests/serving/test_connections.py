"""What a thread can't send at once the loop sends: it is woken for that when it may, and not for what has gone."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from waitress.adjustments import Adjustments

from portal.serving.connections import Connection

MORE_THAN_THE_SYSTEM_HOLDS = bytes(1_000_000)


@dataclass
class Loop:
    """The server as a connection knows it. Whenever it is woken it looks, as the loop does, whether it may send."""

    active_channels: dict[int, object] = field(default_factory=dict)
    watched: list[Connection] = field(default_factory=list)
    may_send: list[bool] = field(default_factory=list)

    def pull_trigger(self) -> None:
        self.may_send += [connection.writable() for connection in self.watched]


@pytest.fixture
def loop() -> Loop:
    return Loop()


@pytest.fixture
def connection(loop: Loop) -> Iterator[Connection]:
    """To somebody who reads nothing yet."""
    ours, theirs = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 * 1024)
    connection = Connection(loop, ours, ("127.0.0.1", 0), Adjustments(), map={})
    loop.watched.append(connection)
    with theirs:
        yield connection
        connection.handle_close()


def test_the_loop_is_woken_for_the_rest_once_the_thread_sends_no_more(loop: Loop, connection: Connection) -> None:
    """Woken while the thread still sends, it finds nothing to do, and would sleep on for a second with the rest."""
    connection.write_soon(MORE_THAN_THE_SYSTEM_HOLDS)
    assert connection.total_outbufs_len > 0
    assert loop.may_send[-1]


def test_nobody_is_woken_for_what_has_gone(loop: Loop, connection: Connection) -> None:
    connection.write_soon(b"Pepper")
    assert connection.total_outbufs_len == 0
    assert loop.may_send == []
