"""The kinds of conversation that a relay understands: PostgreSQL's, HTTP, and mail."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

KEYS = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<=_practice_)[0-9a-f]{32}")
TABLE = re.compile(r"\b(?:INTO|UPDATE|FROM)\s+(?:\w+\.)?(\w+)")
BEGINNING = re.compile(r"\s*(\w+)")
PING = "is anybody there"
WRITES = ("INSERT", "UPDATE", "DELETE")


@dataclass
class LineTurns:
    """HTTP and SMTP: a turn is named for its first line."""

    _is_answered: bool = True

    def asking(self, piece: bytes) -> Iterator[tuple[bytes, str | None]]:
        said = self.name(piece) if self._is_answered else None
        self._is_answered = False
        yield piece, said

    def answering(self, piece: bytes) -> None:
        self._is_answered = True

    def name(self, piece: bytes) -> str:
        line = piece.split(b"\r\n", 1)[0].decode(errors="replace")
        return KEYS.sub("*", line.removesuffix(" HTTP/1.1"))


class MailTurns(LineTurns):
    """SMTP: a command, or the letter itself."""

    def name(self, piece: bytes) -> str:
        word = piece[:4].decode(errors="replace").strip().upper()
        return word if word in ("EHLO", "HELO", "MAIL", "RCPT", "DATA", "QUIT", "RSET") else "the letter"


@dataclass
class DatabaseTurns:
    """PostgreSQL's protocol, version 3: a turn is one statement, named for its place in its transaction.

    https://www.postgresql.org/docs/current/protocol-message-formats.html
    """

    has_begun: bool = False
    prepared: dict[bytes, str] = field(default_factory=dict)
    transaction: list[str] = field(default_factory=list)
    _asked: bytes = b""
    _answer: bytes = b""
    _turn: bytes = b""
    _statement: str | None = None
    _runs: bool = False

    def asking(self, piece: bytes) -> Iterator[tuple[bytes, str | None]]:
        self._asked += piece
        if not self.has_begun:
            yield from self._greeting()
        while (message := self._next()) is not None:
            kind, body = message
            self._turn += kind + struct.pack("!i", len(body) + 4) + body
            self._read(kind, body)
            if kind in b"SQX":
                turn, self._turn = self._turn, b""
                yield turn, self._said()

    def answering(self, piece: bytes) -> None:
        """Once the server is idle, the transaction is over."""
        self._answer += piece
        while len(self._answer) >= 5:
            (length,) = struct.unpack_from("!i", self._answer, 1)
            if len(self._answer) <= length:
                return
            if self._answer[:1] == b"Z" and self._answer[5:6] == b"I":
                self.transaction.clear()
            self._answer = self._answer[length + 1 :]

    def _greeting(self) -> Iterator[tuple[bytes, str | None]]:
        if len(self._asked) >= 4:
            (length,) = struct.unpack_from("!i", self._asked)
            if len(self._asked) >= length:
                greeting, self._asked = self._asked[:length], self._asked[length:]
                self.has_begun = True
                yield greeting, "connects"

    def _next(self) -> tuple[bytes, bytes] | None:
        if not self.has_begun or len(self._asked) < 5:
            return None
        (length,) = struct.unpack_from("!i", self._asked, 1)
        if len(self._asked) <= length:
            return None
        kind, body, self._asked = self._asked[:1], self._asked[5 : length + 1], self._asked[length + 1 :]
        return kind, body

    def _read(self, kind: bytes, body: bytes) -> None:
        if kind == b"P":
            name, statement = body.split(b"\0")[:2]
            self.prepared[name] = statement.decode(errors="replace")
        elif kind == b"B":
            self._statement = self.prepared[body.split(b"\0")[1]]
        elif kind == b"Q":
            self._statement, self._runs = body.rstrip(b"\0").decode(errors="replace"), True
        elif kind == b"E":
            self._runs = True

    def _said(self) -> str | None:
        """What is run: preparing a statement does nothing yet."""
        statement, runs, self._statement, self._runs = self._statement, self._runs, None, False
        if not runs or statement is None:
            return None
        head = _head(statement)
        before = list(self.transaction)
        self.transaction.append(head)
        if head == "COMMIT":
            written = [one for one in dict.fromkeys(before) if one.startswith(WRITES)]
            return f"COMMIT {', '.join(written)}" if written else f"COMMIT {', '.join(before[1:2])} (reading)"
        if len(before) > 1:
            return f"{before[1]} and {len(before) - 1} more: {head}"
        return head


def _head(statement: str) -> str:
    """The verb, and the first table."""
    verb = BEGINNING.match(statement)
    if verb is None:
        return PING
    table = TABLE.search(statement)
    return " ".join(part[1] for part in (verb, table) if part).strip()
