"""Where files are kept, in our words, and the adapter that keeps them in a folder.

A key is drawn at random and has one shape, so nothing a person typed can ever become a path, and nobody can guess
the address of somebody else's certificate. What a person called the file is a column in the database.
"""

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Protocol

KEY = re.compile(r"[a-z][a-z0-9-]{0,39}/[0-9a-f]{2}/[0-9a-f]{32}(-[a-z0-9]{1,20}){0,3}")
PREFIX = re.compile(r"([a-z][a-z0-9-]{0,39}/?|[a-z][a-z0-9-]{0,39}/[0-9a-f]{2}/?)?")
KIND = re.compile(r"[a-z][a-z0-9-]{0,39}")

# A file is written here first. One that was cut off half way stays listed under this prefix,
# so the sweep of orphans removes it like any other file that no row mentions.
UNFINISHED = "unfinished"


class InvalidKey(ValueError):
    """The key does not have the shape that `new_key` gives."""


class FileMissing(LookupError):
    """No file is kept under this key."""


class StorageUnavailable(Exception):
    """The store did not do what was asked; trying again later may help. `why` is for whoever runs it."""

    def __init__(self, key: str, *, why: str = "") -> None:
        super().__init__(key)
        self.why = why


@dataclass(frozen=True)
class StoredFile:
    """A kept file as a listing tells it; `modified_at` is aware, in UTC."""

    key: str
    size: int
    modified_at: datetime


class Storage(Protocol):
    """Keeps files under keys made by `new_key`; every method may raise `StorageUnavailable`."""

    def put(self, key: str, content: BinaryIO) -> None:
        """Keep what is left to read of `content`, wholly or not at all; the same key again replaces it."""
        ...

    def open(self, key: str) -> BinaryIO:
        """The file from its start, for the caller to close; raises `FileMissing`."""
        ...

    def delete(self, key: str) -> None:
        """Let the file go; one that is not there is no error."""
        ...

    def keys(self, prefix: str = "") -> Iterator[StoredFile]:
        """Every file of a kind (`certificates`), of one of its shelves (`certificates/0f`), or all."""
        ...


def new_key(kind: str) -> str:
    """A key nobody can guess, such as `certificates/0f/0f3c…` (128 random bits after the shelf)."""
    if not KIND.fullmatch(kind):
        raise InvalidKey(kind)
    name = secrets.token_hex(16)
    return f"{kind}/{name[:2]}/{name}"


def checked_key(key: str) -> str:
    """The key itself, if it has the one shape that keys have."""
    if not KEY.fullmatch(key):
        raise InvalidKey(key)
    return key


def checked_prefix(prefix: str) -> str:
    """The beginning that all keys of this kind or shelf share, with its closing slash."""
    if not PREFIX.fullmatch(prefix):
        raise InvalidKey(prefix)
    return f"{prefix.rstrip('/')}/" if prefix else ""


@dataclass(frozen=True)
class FileStorage:
    """Files in a folder that only the portal's own user can read."""

    root: Path

    def put(self, key: str, content: BinaryIO) -> None:
        place = self._place(key)
        try:
            self._write(place, content)
        except OSError as error:
            raise _unavailable(key, error) from error

    def open(self, key: str) -> BinaryIO:
        try:
            return self._place(key).open("rb")
        except FileNotFoundError as error:
            raise FileMissing(key) from error
        except OSError as error:
            raise _unavailable(key, error) from error

    def delete(self, key: str) -> None:
        try:
            self._place(key).unlink(missing_ok=True)
        except OSError as error:
            raise _unavailable(key, error) from error

    def keys(self, prefix: str = "") -> Iterator[StoredFile]:
        start = self.root / checked_prefix(prefix)
        for folder, folders, names in os.walk(start, onerror=_unlisted):
            folders.sort()
            for name in sorted(names):
                path = Path(folder, name)
                key = path.relative_to(self.root).as_posix()
                if KEY.fullmatch(key) and (stored := self._stored(key, path)):
                    yield stored

    def _place(self, key: str) -> Path:
        return self.root / checked_key(key)

    def _write(self, place: Path, content: BinaryIO) -> None:
        """Readers see the old file or the new one, and a power cut after this returns loses neither."""
        unfinished = self.root / new_key(UNFINISHED)
        self._make_folder(unfinished.parent)
        self._make_folder(place.parent)
        try:
            descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as target:
                shutil.copyfileobj(content, target, 1 << 20)
                target.flush()
                os.fsync(target.fileno())
            unfinished.replace(place)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
        _sync_folder(place.parent)

    def _make_folder(self, folder: Path) -> None:
        """Make the folder and those above it, each 0700 and each written down in its parent."""
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        for place in reversed(missing):
            place.mkdir(mode=0o700, exist_ok=True)
            _sync_folder(place.parent)

    @staticmethod
    def _stored(key: str, path: Path) -> StoredFile | None:
        try:
            found = path.stat()
        except FileNotFoundError:  # deleted while we were listing
            return None
        return StoredFile(key, found.st_size, datetime.fromtimestamp(found.st_mtime, UTC))


def _unlisted(error: OSError) -> None:
    """A folder that can't be read is not an empty one; a kind of which there is no file yet has no folder."""
    if not isinstance(error, FileNotFoundError):
        raise _unavailable(error.filename, error) from error


def _unavailable(key: str, error: OSError) -> StorageUnavailable:
    where = f"{error.filename}: " if error.filename else ""
    return StorageUnavailable(key, why=f"{where}{error.strerror or type(error).__name__}")


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
