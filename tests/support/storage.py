"""A storage that forgets everything when the test ends."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from errno import ENOSPC
from io import BytesIO
from typing import BinaryIO

from portal.gateways.storage.store import FileMissing, StorageUnavailable, StoredFile, checked_key, checked_prefix


@dataclass
class MemoryStorage:
    """Keeps the same promises as the real ones, and is held to them by the same tests."""

    files: dict[str, bytes] = field(default_factory=dict)
    modified: dict[str, datetime] = field(default_factory=dict)
    is_full: bool = False
    is_broken: bool = False
    is_away: bool = False

    def mend(self) -> None:
        """Nothing is wrong with it any more."""
        self.is_full = self.is_broken = self.is_away = False

    def put(self, key: str, content: BinaryIO) -> None:
        if self.is_broken:
            raise RuntimeError("a fault of ours")
        if self.is_full:
            raise StorageUnavailable(key) from OSError(ENOSPC, "No space left on device")
        self.files[checked_key(key)] = content.read()
        self.modified[key] = datetime.now(UTC)

    def open(self, key: str) -> BinaryIO:
        if self.is_away:
            raise StorageUnavailable(key)
        if checked_key(key) not in self.files:
            raise FileMissing(key)
        return BytesIO(self.files[key])

    def delete(self, key: str) -> None:
        self.files.pop(checked_key(key), None)
        self.modified.pop(key, None)

    def keys(self, prefix: str = "") -> Iterator[StoredFile]:
        start = checked_prefix(prefix)
        for key in sorted(self.files):
            if key.startswith(start):
                yield StoredFile(key, len(self.files[key]), self.modified[key])
