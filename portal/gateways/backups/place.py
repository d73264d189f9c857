"""Where backups are kept, in our words, and the adapter that keeps one in a folder."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from portal.gateways.backups.age_files import Readable, Writable

ENDING = ".age"


class PlaceFailed(Exception):
    """The place of a backup did not do what was asked; the sentence says why."""


class BackupPlace(Protocol):
    """One backup: written once, read back, then kept. Every method may raise PlaceFailed. `str()` is its address."""

    def is_there(self) -> bool:
        """Whether something has its name already."""
        ...

    def new(self) -> AbstractContextManager[Writable]:
        """Where it is to be written; nothing of it stays when the block fails."""
        ...

    def written(self) -> AbstractContextManager[Readable]:
        """What was written, from its start, before it is kept."""
        ...

    def keep(self) -> int:
        """What was written is good; its size."""
        ...

    def clear(self) -> None:
        """Let go of what was written and not kept."""
        ...

    def kept(self) -> AbstractContextManager[Readable]:
        """A backup that was made some time, from its start."""
        ...


@dataclass(frozen=True)
class FileBackup:
    """A backup in a folder; it gets its name once it is kept."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)

    def is_there(self) -> bool:
        return self.path.exists()

    @contextmanager
    def new(self) -> Iterator[Writable]:
        with _in_our_words():
            self._unfinished.unlink(missing_ok=True)
            descriptor = os.open(self._unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            yield _Told(file)
            with _in_our_words():
                file.flush()
                os.fsync(file.fileno())

    @contextmanager
    def written(self) -> Iterator[Readable]:
        with _reading(self._unfinished) as file:
            yield file

    def keep(self) -> int:
        with _in_our_words():
            self._unfinished.rename(self.path)
            _sync(self.path.parent)
            return self.path.stat().st_size

    def clear(self) -> None:
        with _in_our_words():
            self._unfinished.unlink(missing_ok=True)

    @contextmanager
    def kept(self) -> Iterator[Readable]:
        with _reading(self.path) as file:
            yield file

    @property
    def _unfinished(self) -> Path:
        return self.path.with_name(f".{self.path.name}.unfinished")


class _Told:
    """The file itself: when its disk fails, that is told apart from what fails where its content comes from or goes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def read(self, size: int = -1) -> bytes:
        with _in_our_words():
            return self._file.read(size)

    def write(self, content: bytes) -> int:
        with _in_our_words():
            return self._file.write(content)


@contextmanager
def _reading(path: Path) -> Iterator[Readable]:
    with _in_our_words():
        file = path.open("rb")
    with file:
        yield _Told(file)


@contextmanager
def _in_our_words() -> Iterator[None]:
    try:
        yield
    except OSError as failure:
        where = f" ({failure.filename})" if failure.filename else ""
        raise PlaceFailed(f"{failure.strerror or type(failure).__name__}{where}") from failure


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
