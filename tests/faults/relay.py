"""A relay stands between two programs and sees every turn of their conversation.

A turn is what one side says until the other answers: a statement and its result, a request and its response, a line of
SMTP and its reply. Before a turn is passed on, and again before its answer is, the relay asks a watcher; the watcher
may kill somebody, and then nothing more is passed on.
"""

import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

PIECE = 65_536
Address = tuple[str, int] | str  # a port of this machine, or the path of a socket


class Moment(StrEnum):
    """When in a turn somebody is killed."""

    ASKED = "before it arrives"
    ANSWERED = "before its answer is heard"


@dataclass(frozen=True)
class Step:
    """One turn: where, what was said, and the how-manieth time that was said there."""

    relay: str
    said: str
    time: int

    def __str__(self) -> str:
        return f"{self.relay}: {self.said}" + (f" ({self.time})" if self.time > 1 else "")


class Watcher(Protocol):
    """Told of every turn; true means that the conversation ends here."""

    def asked(self, relay: str, said: str) -> Step | None:
        """A turn is about to be passed on; None when it never will be."""
        ...

    def answered(self, step: Step) -> bool:
        """Its answer is there; true when it may be passed on."""
        ...

    def was_cut(self) -> None:
        """After both ends are closed."""
        ...


class TurnReader(Protocol):
    """Understands one kind of conversation, one connection at a time."""

    def asking(self, piece: bytes) -> Iterator[tuple[bytes, str | None]]:
        """What may be passed on, in order; with what is said where a new turn begins."""
        ...

    def answering(self, piece: bytes) -> None:
        """What the other side answers."""
        ...


@dataclass
class Relay:
    """Passes on everything between those who connect to its listener and an address."""

    name: str
    listener: socket.socket
    address: Address
    reader: Callable[[], TurnReader]
    watcher: Watcher
    _open: threading.Event = field(default_factory=threading.Event)
    _is_closing: threading.Event = field(default_factory=threading.Event)
    _refuses: bool = False
    _waiting: int = 0
    _threads: list[threading.Thread] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._open.set()

    def hold(self) -> None:
        """Pass no new turn on until `release`."""
        self._open.clear()

    def release(self) -> None:
        self._refuses = False
        self._open.set()

    def refuse(self) -> None:
        """Cut what is held and whatever comes, until `release`."""
        self._refuses = True
        self._open.set()

    @property
    def holds(self) -> int:
        """How many turns wait to be passed on."""
        return self._waiting

    @contextmanager
    def running(self) -> Iterator["Relay"]:
        self._begin(self._accept)
        try:
            yield self
        finally:
            self._is_closing.set()
            self._open.set()
            for thread in self._threads:
                thread.join()
            self.listener.close()

    def _begin(self, work: Callable[..., None], *arguments: socket.socket) -> None:
        thread = threading.Thread(target=work, args=arguments, name=self.name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._is_closing.is_set():
            if _readable(self.listener, seconds=0.1):
                self._begin(self._serve, self.listener.accept()[0])

    def _serve(self, client: socket.socket) -> None:
        was_cut = False
        with client, suppress(OSError), _connected(self.address) as server:
            was_cut = self._pass_on(client, server)
        if was_cut:
            self.watcher.was_cut()

    def _pass_on(self, client: socket.socket, server: socket.socket) -> bool:
        """True when the watcher ended it."""
        reader, step = self.reader(), None
        while not self._is_closing.is_set():
            ready = _readable(client, server, seconds=0.1)
            if client in ready:
                if not (piece := client.recv(PIECE)):
                    return False
                for part, said in reader.asking(piece):
                    if said is not None:
                        if not self._may_pass():
                            return False
                        step = self.watcher.asked(self.name, said)
                        if step is None:
                            return True
                    server.sendall(part)
            if server in ready:
                if not (piece := server.recv(PIECE)):
                    return False
                if step and not self.watcher.answered(step):
                    return True
                step = None
                reader.answering(piece)
                client.sendall(piece)
        return False

    def _may_pass(self) -> bool:
        self._waiting += 1
        self._open.wait()
        self._waiting -= 1
        return not self._refuses and not self._is_closing.is_set()


def _readable(*sockets: socket.socket, seconds: float) -> list[socket.socket]:
    return select.select(sockets, [], [], seconds)[0]


def _connected(address: Address) -> socket.socket:
    if not isinstance(address, str):
        return socket.create_connection(address)
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(address)
    except OSError:
        connection.close()
        raise
    return connection
