"""The form of a backup: a tar file sealed with age, which common tools open without the portal.

    age --decrypt --identity KEYFILE BACKUP | tar --extract
    sha256sum --check SHA256SUMS

Everything is written and read once, from the start to the end, and never held whole.
"""

import hashlib
import tarfile
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import IO

from portal.gateways.backups.age_files import CannotOpen, Readable

FORM = 1
ABOUT = "backup.json"
README = "README.txt"
CITY = "city.toml"
MISSING = "MISSING"
SUMS = "SHA256SUMS"
DATABASE = "database/"
FILES = "files/"
BLOCK = tarfile.BLOCKSIZE
PIECE_BYTES = 1 << 20


@dataclass(frozen=True)
class About:
    """What a backup says of itself, before everything else."""

    made_at: str
    schema: str
    release: str
    postgres: int
    tables: dict[str, int]
    files: int
    form: int = FORM

    @property
    def rows(self) -> int:
        return sum(self.tables.values())


@dataclass(frozen=True)
class Member:
    """One file of a backup."""

    name: str
    size: int
    content: Readable

    @classmethod
    def of(cls, name: str, content: bytes) -> "Member":
        return cls(name, len(content), BytesIO(content))


class Sums:
    """The hashes of all members so far, a line each as `sha256sum` writes them; of the lines only a hash is kept."""

    def __init__(self, lines: IO[bytes] | None = None) -> None:
        self._lines = lines
        self._whole = hashlib.sha256()

    def add(self, name: str, digest: str) -> None:
        line = f"{digest}  {name}\n".encode()
        self._whole.update(line)
        if self._lines:
            self._lines.write(line)

    @property
    def digest(self) -> bytes:
        """The same for the same members with the same content in the same order."""
        return self._whole.digest()


class Packing:
    """The bytes of a tar file of these members, made as they are read."""

    def __init__(self, members: Iterable[Member]) -> None:
        self._lines = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the packing
        self.sums = Sums(self._lines)
        self._pieces = self._packed(members)
        self._rest = b""

    def read(self, size: int = -1) -> bytes:
        """Up to so many bytes; none when all were read."""
        if not self._rest:
            self._rest = next(self._pieces, b"")
        size = len(self._rest) if size < 0 else size
        piece, self._rest = self._rest[:size], self._rest[size:]
        return piece

    def close(self) -> None:
        """Nothing more is read."""
        self._pieces.close()
        self._lines.close()

    def _packed(self, members: Iterable[Member]) -> Generator[bytes, None, None]:
        for member in members:
            digest = hashlib.sha256()
            yield from _with_header(member, digest.update)
            self.sums.add(member.name, digest.hexdigest())
        size = self._lines.tell()
        self._lines.seek(0)
        yield from _with_header(Member(SUMS, size, self._lines), lambda _: None)
        yield b"\0" * 2 * BLOCK


def _with_header(member: Member, note: Callable[[bytes], None]) -> Iterator[bytes]:
    head = tarfile.TarInfo(member.name)
    head.size, head.mode = member.size, 0o600
    yield head.tobuf(tarfile.GNU_FORMAT)
    left = member.size
    while left:
        if not (piece := member.content.read(min(PIECE_BYTES, left))):
            raise OSError(f"{member.name} ends before its size")
        left -= len(piece)
        note(piece)
        yield piece
    yield b"\0" * (-member.size % BLOCK)


class Reading:
    """A member's content, hashed as it is read."""

    def __init__(self, content: IO[bytes]) -> None:
        self._content = content
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        piece = self._content.read(size)
        self.digest.update(piece)
        return piece


def unpacked(plain: IO[bytes], sums: Sums) -> Iterator[Member]:
    """The members in their order; raises CannotOpen at the end unless each was whole and none is missing.

    What the caller leaves unread is read here.
    """
    try:
        with tarfile.open(fileobj=plain, mode="r|") as archive:
            for info in archive:
                content = archive.extractfile(info)
                if content is None:
                    raise CannotOpen("it holds what no backup of the portal holds")
                if info.name == SUMS:
                    _compare(content, sums)
                    return
                reading = Reading(content)
                yield Member(info.name, info.size, reading)
                while reading.read(PIECE_BYTES):
                    pass
                sums.add(info.name, reading.digest.hexdigest())
    except tarfile.TarError as failure:
        raise CannotOpen("it holds no backup of the portal, or only the beginning of one") from failure
    raise CannotOpen("it holds only the beginning of a backup")


def _compare(content: IO[bytes], sums: Sums) -> None:
    written = hashlib.sha256()
    while piece := content.read(PIECE_BYTES):
        written.update(piece)
    if written.digest() != sums.digest:
        raise CannotOpen("its files are not those that its list of hashes names")
