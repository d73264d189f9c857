"""A mailbox over IMAP: the few commands that a reader of it gives, as RFC 9051 has them."""

import re
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

NUMBER = re.compile(r"UID (?:FETCH|STORE) (\d+)", re.IGNORECASE)


@dataclass
class ImapDouble:
    """Letters in one folder, read or not, behind a password."""

    password: str = "hush"
    letters: list[bytes] = field(default_factory=list)
    read: set[int] = field(default_factory=set)
    commands: list[str] = field(default_factory=list)
    url: str = ""

    def answer(self, command: str) -> Iterator[bytes]:
        """What comes before the last line."""
        self.commands.append(command)
        if command.upper().startswith("UID SEARCH"):
            unread = [str(number) for number in range(1, len(self.letters) + 1) if number not in self.read]
            yield b"* SEARCH " + " ".join(unread).encode()
        elif command.upper().startswith("SELECT"):
            yield f"* {len(self.letters)} EXISTS".encode()
        elif found := NUMBER.match(command):
            number = int(found[1])
            if "STORE" in command.upper():
                self.read.add(number)
            else:
                yield from self._fetched(number, command)

    def _fetched(self, number: int, command: str) -> Iterator[bytes]:
        content = self.letters[number - 1]
        if "HEADER.FIELDS" in command.upper():
            head = re.search(rb"^Content-Type:.*(?:\r?\n[ \t].*)*", content, re.MULTILINE | re.IGNORECASE)
            content = (head[0] if head else b"") + b"\r\n\r\n"
        yield b"* %d FETCH (UID %d BODY[] {%d}\r\n%b)" % (number, number, len(content), content)


@contextmanager
def imap_double() -> Iterator[ImapDouble]:
    """It listens on this machine until the block ends."""
    box = ImapDouble()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self._say(b"* OK ready")
            while line := self.rfile.readline().decode("utf-8", "replace").strip():
                tag, _, command = line.partition(" ")
                word = command.partition(" ")[0].upper()
                if word == "CAPABILITY":
                    self._say(b"* CAPABILITY IMAP4rev1")
                if word == "LOGIN" and box.password not in command:
                    self._say(f"{tag} NO wrong".encode())
                    continue
                for told in box.answer(command):
                    self._say(told)
                self._say(f"{tag} OK done".encode())
                if word == "LOGOUT":
                    return

        def _say(self, line: bytes) -> None:
            self.wfile.write(line + b"\r\n")

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    with Server(("127.0.0.1", 0), Handler) as server:
        box.url = f"imap://portal:{box.password}@127.0.0.1:{server.server_address[1]}/INBOX"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield box
        finally:
            server.shutdown()
            thread.join()
