"""Files in any store that speaks the S3 protocol; the only module that knows boto3."""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any, BinaryIO, Literal, cast

import boto3
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    NoCredentialsError,
    PartialCredentialsError,
    ProfileNotFound,
)

from portal.gateways.storage.store import KEY, FileMissing, StorageUnavailable, StoredFile, checked_key, checked_prefix

IN_MEMORY_BYTES = 1 << 20
MISSING = {"NoSuchKey", "404"}
REFUSED = {"AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "403"}
# For one answer; a request is tried three times.
PATIENCE_SECONDS = 20.0

# What a store that does not do its part makes boto3 raise.
FAULTS = (ClientError, BotoCoreError, OSError)

AddressStyle = Literal["path", "virtual"]


class NoSuchProfile(LookupError):
    """AWS's file of credentials has no such profile."""


def s3_client(
    *,
    endpoint: str | None,
    region: str | None,
    style: AddressStyle,
    profile: str | None = None,
    patience_seconds: float = PATIENCE_SECONDS,
) -> Any:
    """A client whose credentials come from the environment, or from that profile of AWS's file of them."""
    config = Config(
        signature_version="s3v4",
        s3={"addressing_style": style},
        # Stores other than Amazon's answer the newer trailing checksums with errors.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
        connect_timeout=5,
        read_timeout=patience_seconds,
        retries={"mode": "standard", "max_attempts": 3},
    )
    try:
        session = boto3.Session(profile_name=profile)
    except ProfileNotFound as missing:
        raise NoSuchProfile(profile) from missing
    return session.client("s3", endpoint_url=endpoint, region_name=region, config=config)


def code_of(error: Exception) -> str | None:
    """What the store answered, in its own word; nothing when it did not answer."""
    return error.response.get("Error", {}).get("Code", "") if isinstance(error, ClientError) else None


def in_words(error: Exception, *, bucket: str) -> str:
    """What is wrong with a store, for whoever set it up."""
    if isinstance(error, NoCredentialsError | PartialCredentialsError):
        return "there are no keys for it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    code = code_of(error)
    if code is None:
        return f"the store did not answer ({type(error).__name__})"
    if code == "NoSuchBucket":
        return f"the store has no bucket {bucket}"
    return f"the store does not let us ({code})" if code in REFUSED else f"the store answered {code}"


@dataclass(frozen=True)
class S3Storage:
    """Files in one bucket, under one prefix of it."""

    bucket: str
    prefix: str = ""
    client: Any = field(kw_only=True, repr=False)
    listing_size: int = field(default=1000, kw_only=True)

    def put(self, key: str, content: BinaryIO) -> None:
        name = self._name(key)
        with _rewindable(content) as body, _in_our_words(key, self.bucket):
            self.client.put_object(Bucket=self.bucket, Key=name, Body=body, ContentType="application/octet-stream")

    def open(self, key: str) -> BinaryIO:
        """The whole file is fetched before it is handed over, so an answer to a person never breaks half way."""
        name = self._name(key)
        content = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115 - the caller closes it
        try:
            with _in_our_words(key, self.bucket):
                answer = self.client.get_object(Bucket=self.bucket, Key=name)
                with closing(answer["Body"]) as body:
                    for part in body.iter_chunks(IN_MEMORY_BYTES):
                        content.write(part)
        except BaseException:
            content.close()
            raise
        content.seek(0)
        return cast(BinaryIO, content)

    def delete(self, key: str) -> None:
        name = self._name(key)
        with _in_our_words(key, self.bucket):
            self.client.delete_object(Bucket=self.bucket, Key=name)

    def keys(self, prefix: str = "") -> Iterator[StoredFile]:
        start = self._beginning + checked_prefix(prefix)
        pages = self.client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=start, PaginationConfig={"PageSize": self.listing_size}
        )
        with _in_our_words(prefix, self.bucket):
            for page in pages:
                for found in page.get("Contents", ()):
                    key = found["Key"].removeprefix(self._beginning)
                    if KEY.fullmatch(key):
                        yield StoredFile(key, found["Size"], found["LastModified"].astimezone(UTC))

    @property
    def _beginning(self) -> str:
        return f"{self.prefix.strip('/')}/" if self.prefix.strip("/") else ""

    def _name(self, key: str) -> str:
        return self._beginning + checked_key(key)


@contextmanager
def _in_our_words(key: str, bucket: str) -> Iterator[None]:
    """Callers hear of a missing file or of an unavailable store, never of boto3."""
    try:
        yield
    except FAULTS as error:
        if code_of(error) in MISSING:
            raise FileMissing(key) from error
        raise StorageUnavailable(key, why=in_words(error, bucket=bucket)) from error


@contextmanager
def _rewindable(content: BinaryIO) -> Iterator[BinaryIO]:
    """S3 wants the length first, and a second try reads again: what can't be rewound is copied aside."""
    if content.seekable():
        yield content
        return
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES) as copy:
        while part := content.read(IN_MEMORY_BYTES):
            copy.write(part)
        copy.seek(0)
        yield cast(BinaryIO, copy)
