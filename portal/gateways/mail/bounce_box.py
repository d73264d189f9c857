"""The mailbox to which letters come back, read by IMAP (RFC 9051) over TLS."""

import imaplib
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from portal.gateways.mail.bounces import is_report

TIME_OUT_SECONDS = 20.0
# A notification is short; what it quotes of a long letter beyond this tells nothing more.
LARGEST_BYTES = 200_000
# Of a mailbox that was left alone for years, the newest.
MOST_AT_ONCE = 500
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1"})


class BoxUnavailable(Exception):
    """The mailbox can't be read now; it may later."""


class BounceBox(Protocol):
    """Where notifications of failed deliveries arrive."""

    def each(self, look: Callable[[bytes], None]) -> int:
        """Show each new notification once, and count them; what `look` raises leaves that one new.

        Raises BoxUnavailable.
        """
        ...

    def reach(self) -> None:
        """Open the mailbox and leave it as it is; raises BoxUnavailable."""
        ...


@dataclass(frozen=True)
class ImapBox:
    """A folder of a mailbox. Letters that are no notification stay as new as they are: people may read there too."""

    host: str
    port: int
    username: str
    password: str = field(repr=False)
    folder: str = "INBOX"
    is_private: bool = True
    tls: ssl.SSLContext = field(default_factory=ssl.create_default_context, repr=False)
    time_out_seconds: float = TIME_OUT_SECONDS

    def each(self, look: Callable[[bytes], None]) -> int:
        seen = 0
        with self._opened() as box:
            for number in _new(box):
                look(_content(box, number))
                box.uid("STORE", number, "+FLAGS", r"(\Seen)")
                seen += 1
        return seen

    def reach(self) -> None:
        with self._opened():
            return

    @contextmanager
    def _opened(self) -> Iterator[imaplib.IMAP4]:
        try:
            box = self._connect()
            try:
                box.login(self.username, self.password)
                _well(box.select(f'"{self.folder}"'))
                yield box
            finally:
                _leave(box)
        except (imaplib.IMAP4.error, OSError) as problem:
            # The server may quote the password or a letter, so of that only the kind is told.
            raise BoxUnavailable(type(problem).__name__) from problem

    def _connect(self) -> imaplib.IMAP4:
        if self.is_private:
            return imaplib.IMAP4_SSL(self.host, self.port, ssl_context=self.tls, timeout=self.time_out_seconds)
        return imaplib.IMAP4(self.host, self.port, timeout=self.time_out_seconds)


def bounce_box_from(url: str | None) -> BounceBox | None:
    """The mailbox of BOUNCE_URL, imaps://name:password@host/folder with name and password percent-encoded."""
    if not url:
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("imaps", "imap") or not parts.hostname or not parts.username:
        raise ValueError("BOUNCE_URL must look like imaps://name:password@mail.example.gov/INBOX")
    if parts.scheme == "imap" and parts.hostname not in LOCAL_HOSTS:
        raise ValueError("BOUNCE_URL would send a password unencrypted: use imaps://")
    folder = unquote(parts.path.strip("/")) or "INBOX"
    if not folder.isprintable() or '"' in folder or "\\" in folder:
        raise ValueError("BOUNCE_URL names a folder that no mailbox has")
    is_private = parts.scheme == "imaps"
    return ImapBox(
        host=parts.hostname,
        port=parts.port or (993 if is_private else 143),
        username=unquote(parts.username),
        password=unquote(parts.password or ""),
        folder=folder,
        is_private=is_private,
    )


def _new(box: imaplib.IMAP4) -> list[str]:
    """The unread notifications. What a message is stands in its headers: servers search them too differently."""
    [found] = _well(box.uid("SEARCH", "UNSEEN"))
    numbers = (found or b"").decode().split()[-MOST_AT_ONCE:]
    return [number for number in numbers if is_report(_fetched(box, number, "BODY.PEEK[HEADER.FIELDS (CONTENT-TYPE)]"))]


def _content(box: imaplib.IMAP4, number: str) -> bytes:
    return _bytes(_well(box.uid("FETCH", number, f"(BODY.PEEK[]<0.{LARGEST_BYTES}>)")))


def _fetched(box: imaplib.IMAP4, number: str, what: str) -> str:
    return _bytes(_well(box.uid("FETCH", number, f"({what})"))).decode("ascii", "replace")


def _bytes(fetched: list[Any]) -> bytes:
    """The literal of an answer; empty when the message went meanwhile."""
    return next((part[1] for part in fetched if isinstance(part, tuple)), b"")


def _well(answer: tuple[str, Any]) -> Any:
    status, told = answer
    if status != "OK":
        raise imaplib.IMAP4.error(status)
    return told


def _leave(box: imaplib.IMAP4) -> None:
    try:
        box.logout()
    except (imaplib.IMAP4.error, OSError):
        box.shutdown()
