"""A mail server that keeps what it is handed."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message

from aiosmtpd import handlers
from aiosmtpd.controller import Controller

from tests.support.practice import free_socket


class Keeper(handlers.Message):
    """Takes every letter."""

    def __init__(self, taken: list[bytes]) -> None:
        super().__init__()
        self._taken = taken

    def handle_message(self, message: Message) -> None:
        self._taken.append(message.as_bytes())


@dataclass
class MailServer:
    """Where it listens, and what it took so far."""

    address: tuple[str, int]
    taken: list[bytes] = field(default_factory=list)


@contextmanager
def running_mail_server() -> Iterator[MailServer]:
    """A mail server on this machine."""
    with free_socket() as place:
        server = MailServer(place.getsockname())
    host, port = server.address
    controller = Controller(Keeper(server.taken), hostname=host, port=port)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()
