"""A backup in any store that speaks the S3 protocol, sent in parts and read without ever being held whole.

The store shows it once all parts are there, each compared with the hash that was sent beside it. It is read back like
any other; one that is not whole is deleted again.
"""

import base64
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import quote, urlsplit, urlunsplit

from portal.gateways.backups.age_files import Readable, Writable
from portal.gateways.backups.place import ENDING, PlaceFailed
from portal.gateways.storage.s3 import FAULTS, MISSING, code_of, in_words
from portal.gateways.storage.url import S3Address

# A store takes 10,000 parts at most: so 320 GB.
PART_BYTES = 32 << 20
TRIES = 3


@dataclass
class S3Backup:
    """One object in a bucket; `str()` is an address that finds it again."""

    bucket: str
    key: str
    address: str
    client: Any = field(repr=False)
    part_bytes: int = PART_BYTES
    _is_unproved: bool = field(default=False, init=False)

    @classmethod
    def of(cls, place: S3Address, address: str, *, name: str | None) -> "S3Backup":
        """The object that the address names; in a folder of the bucket, one with that name."""
        key = place.path
        if not key.endswith(ENDING):
            if name is None:
                raise PlaceFailed(f"{address} names no backup: its name ends in {ENDING}")
            key = f"{key}/{name}".lstrip("/")
        return cls(place.bucket, key, urlunsplit(urlsplit(address)._replace(path=f"/{quote(key)}")), place.client)

    def __str__(self) -> str:
        return self.address

    def is_there(self) -> bool:
        try:
            self.client.head_object(**self._object)
        except FAULTS as error:
            if code_of(error) in MISSING:
                return False  # or there is no such bucket, which writing tells
            raise PlaceFailed(in_words(error, bucket=self.bucket)) from error
        return True

    @contextmanager
    def new(self) -> Iterator[Writable]:
        with self._in_our_words():
            begun = self.client.create_multipart_upload(**self._object, ContentType="application/octet-stream")
        parts = _Parts(self, begun["UploadId"])
        try:
            yield parts
            self._is_unproved = True  # even if it breaks now: the store may have it, and its answer be lost
            parts.finish()
        except BaseException:
            with suppress(*FAULTS):  # the failure itself is what is told
                self.client.abort_multipart_upload(**self._object, UploadId=begun["UploadId"])
            raise

    @contextmanager
    def written(self) -> Iterator[Readable]:
        with self.kept() as content:
            yield content

    def keep(self) -> int:
        with self._in_our_words():
            size = self.client.head_object(**self._object)["ContentLength"]
        self._is_unproved = False
        return cast(int, size)

    def clear(self) -> None:
        if self._is_unproved:
            with self._in_our_words():
                self.client.delete_object(**self._object)
            self._is_unproved = False

    @contextmanager
    def kept(self) -> Iterator[Readable]:
        content = _Content(self)
        try:
            yield content
        finally:
            content.close()

    @property
    def _object(self) -> dict[str, str]:
        return {"Bucket": self.bucket, "Key": self.key}

    @contextmanager
    def _in_our_words(self) -> Iterator[None]:
        try:
            yield
        except FAULTS as error:
            is_missing = code_of(error) in MISSING
            raise PlaceFailed(
                "there is no such backup" if is_missing else in_words(error, bucket=self.bucket)
            ) from error


class _Parts:
    """Sends what is written, a part whenever one is full."""

    def __init__(self, backup: S3Backup, upload: str) -> None:
        self._backup, self._upload = backup, upload
        self._waiting = bytearray()
        self._sent: list[dict[str, Any]] = []

    def write(self, content: bytes) -> int:
        self._waiting += content
        while len(self._waiting) >= self._backup.part_bytes:
            self._send(bytes(memoryview(self._waiting)[: self._backup.part_bytes]))
            del self._waiting[: self._backup.part_bytes]
        return len(content)

    def finish(self) -> None:
        """The last part, and the object of all of them."""
        self._send(bytes(self._waiting))
        with self._backup._in_our_words():
            self._backup.client.complete_multipart_upload(
                **self._backup._object, UploadId=self._upload, MultipartUpload={"Parts": self._sent}
            )

    def _send(self, part: bytes) -> None:
        number = len(self._sent) + 1
        proof = base64.b64encode(hashlib.md5(part, usedforsecurity=False).digest()).decode()
        with self._backup._in_our_words():
            answer = self._backup.client.upload_part(
                **self._backup._object, UploadId=self._upload, PartNumber=number, Body=part, ContentMD5=proof
            )
        self._sent.append({"PartNumber": number, "ETag": answer["ETag"]})


class _Content:
    """The object from its start; where a connection breaks it is taken up again from there."""

    def __init__(self, backup: S3Backup) -> None:
        self._backup = backup
        self._body: Any = None
        self._at = 0
        self._same: dict[str, str] = {}

    def read(self, size: int = -1) -> bytes:
        for tried in range(1, TRIES + 1):
            try:
                piece = self._asked().read(None if size < 0 else size)
            except FAULTS as broken:
                self.close()
                if tried == TRIES:
                    raise PlaceFailed(in_words(broken, bucket=self._backup.bucket)) from broken
            else:
                self._at += len(piece)
                return cast(bytes, piece)
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        """Nothing more is read of this answer."""
        if self._body is not None:
            self._body.close()
            self._body = None

    def _asked(self) -> Any:
        if self._body is None:
            rest = {"Range": f"bytes={self._at}-"} if self._at else {}
            with self._backup._in_our_words():
                answer = self._backup.client.get_object(**self._backup._object, **rest, **self._same)
            # The rest of another object would be no rest of this one.
            self._same = {"IfMatch": answer["ETag"]}
            self._body = answer["Body"]
        return self._body
