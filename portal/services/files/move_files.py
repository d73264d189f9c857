"""Copy the files of one store into another while the portal runs, and prove by their hashes that they arrived.

Nothing is ever deleted from the old store, and a file counts as copied only once it was read back from the new one.
Files are written once and never changed, so what was proved before need not be copied again.
"""

import hashlib
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import BinaryIO, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.storage.store import UNFINISHED, FileMissing, Storage
from portal.schema.documents import Document

PART_BYTES = 1 << 20


@dataclass(frozen=True)
class Copied:
    """A file that lies in both stores with the same bytes; `was_wrong` when other bytes lay there before."""

    key: str
    size: int
    sha256: str
    was_wrong: bool = False


class ArrivedOtherwise(Exception):
    """What was read back is not what was sent: the new store can't be trusted with this file."""


@dataclass(frozen=True)
class Compared:
    """How two stores differ, and what the database expects of both."""

    missing: tuple[str, ...]
    """In the old store and not in the new one."""
    wrong: tuple[str, ...]
    """In both, with different bytes, or with bytes of another hash than the database has."""
    extra: tuple[str, ...]
    """In the new store alone."""
    nowhere: tuple[str, ...]
    """Mentioned by the database and in neither."""

    @property
    def is_whole(self) -> bool:
        return not (self.missing or self.wrong or self.nowhere)


def files_in(storage: Storage) -> dict[str, int]:
    """Every file and its size, but those a dying process left half written."""
    return {file.key: file.size for file in storage.keys("") if not file.key.startswith(f"{UNFINISHED}/")}


def copy_file(key: str, *, old: Storage, new: Storage) -> Copied | None:
    """Copy it and read it back; None when it was deleted meanwhile. Raises ArrivedOtherwise."""
    try:
        content = old.open(key)
    except FileMissing:
        return None
    with content, tempfile.TemporaryFile() as copy:
        size, sha256 = _measured(content, copy)
        before = hash_in(new, key)
        if before != sha256:
            copy.seek(0)
            new.put(key, cast(BinaryIO, copy))
            if hash_in(new, key) != sha256:
                raise ArrivedOtherwise(key)
        return Copied(key, size, sha256, was_wrong=before not in (None, sha256))


def hash_in(storage: Storage, key: str) -> str | None:
    """The SHA-256 of a file, in hexadecimal; None when it is not there."""
    try:
        content = storage.open(key)
    except FileMissing:
        return None
    with content:
        return _measured(content)[1]


def recorded_hashes(session: Session) -> dict[str, str]:
    """The hashes the database has of files that were kept as they came, by key."""
    kept = select(Document.original_key, Document.sha256).where(Document.original_key.is_not(None))
    return {str(key): sha256 for key, sha256 in session.execute(kept)}


def compared(
    old: Collection[str],
    new: Collection[str],
    *,
    hashes: Iterable[tuple[str, str | None, str | None]],
    recorded: Mapping[str, str],
    lost: Iterable[str],
) -> Compared:
    """What the two listings, the hashes on both sides (of files in both) and the database say together.

    `lost` are the keys that rows mention and neither store has.
    """
    wrong = [key for key, before, after in hashes if len({before, after, recorded.get(key, after)} - {None}) > 1]
    return Compared(
        missing=tuple(sorted(set(old) - set(new))),
        wrong=tuple(sorted(wrong)),
        extra=tuple(sorted(set(new) - set(old))),
        nowhere=tuple(sorted(lost)),
    )


def _measured(content: BinaryIO, copy: BinaryIO | None = None) -> tuple[int, str]:
    size, hashed = 0, hashlib.sha256()
    while part := content.read(PART_BYTES):
        size += len(part)
        hashed.update(part)
        if copy is not None:
            copy.write(part)
    return size, hashed.hexdigest()
