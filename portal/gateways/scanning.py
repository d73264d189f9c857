"""Looking for viruses with clamd, ClamAV's daemon, by its INSTREAM command (man clamd)."""

import socket
import struct
from dataclasses import dataclass
from typing import BinaryIO, Protocol
from urllib.parse import unquote, urlsplit

PART_BYTES = 1 << 17
TIME_OUT_SECONDS = 30.0
LONGEST_ANSWER = 4096
FIRST_PORT = 3310


class ScannerAway(Exception):
    """It gave no verdict now; it may later."""


class Scanner(Protocol):
    """Looks at the bytes of a file."""

    def scan(self, content: BinaryIO) -> str | None:
        """What it found, by the scanner's name for it; None when the file is clean. Raises ScannerAway.

        Reads from the start, and leaves the file there again.
        """
        ...


@dataclass(frozen=True)
class Scanning:
    """Who looks, if anybody does, and whether a file may wait for it."""

    scanner: Scanner | None = None
    may_wait: bool = False


NOT_SCANNED = Scanning()


@dataclass(frozen=True)
class ClamdScanner:
    """A daemon on a socket of this machine, or on the network: `address` is a path, or a host and a port."""

    address: str | tuple[str, int]
    time_out_seconds: float = TIME_OUT_SECONDS

    def scan(self, content: BinaryIO) -> str | None:
        content.seek(0)
        try:
            with self._connected() as line:
                _send(line, content)
                return _verdict(_answer(line))
        except OSError as problem:
            raise ScannerAway(type(problem).__name__) from problem
        finally:
            content.seek(0)

    def ping(self) -> bool:
        """Whether it is there and has its signatures."""
        try:
            with self._connected() as line:
                line.sendall(b"zPING\0")
                return _answer(line) == "PONG"
        except OSError:
            return False

    def _connected(self) -> socket.socket:
        if isinstance(self.address, tuple):
            return socket.create_connection(self.address, self.time_out_seconds)
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            line.settimeout(self.time_out_seconds)
            line.connect(self.address)
        except BaseException:
            line.close()
            raise
        return line


def scanner_from(url: str | None) -> ClamdScanner | None:
    """The scanner of CLAMD_URL, tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl; ValueError for another address."""
    if not url:
        return None
    parts = urlsplit(url)
    if parts.scheme == "unix" and parts.path and not parts.netloc:
        return ClamdScanner(unquote(parts.path))
    if parts.scheme == "tcp" and parts.hostname and not parts.path.strip("/"):
        return ClamdScanner((parts.hostname, parts.port or FIRST_PORT))
    raise ValueError("CLAMD_URL must look like unix:/run/clamav/clamd.ctl or tcp://127.0.0.1:3310")


def _send(line: socket.socket, content: BinaryIO) -> None:
    """Parts, each after its length; none of length zero but the last."""
    try:
        line.sendall(b"zINSTREAM\0")
        while part := content.read(PART_BYTES):
            line.sendall(struct.pack("!L", len(part)) + part)
        line.sendall(struct.pack("!L", 0))
    except (BrokenPipeError, ConnectionResetError):
        pass  # it had enough: why, it has said already


def _answer(line: socket.socket) -> str:
    said = b""
    while len(said) < LONGEST_ANSWER and not said.endswith(b"\0") and (part := line.recv(LONGEST_ANSWER)):
        said += part
    return said.rstrip(b"\0\n").decode("utf-8", "replace")


def _verdict(answer: str) -> str | None:
    """`stream: OK`, `stream: NAME FOUND`, or what went wrong."""
    told = answer.removeprefix("stream: ")
    if told == "OK":
        return None
    if told.endswith(" FOUND"):
        return told.removesuffix(" FOUND")
    raise ScannerAway(told[:100] or "no answer")
