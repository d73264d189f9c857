"""Which storage `STORAGE_URL` asks for."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl, unquote, urlsplit

from portal.gateways.storage.store import FileStorage, Storage

if TYPE_CHECKING:
    from portal.gateways.storage.s3 import AddressStyle

S3_OPTIONS = {"endpoint", "region", "style", "profile"}
SETTING = "STORAGE_URL"


class BadStorageUrl(ValueError):
    """The address does not say where files go; the sentence says what it should look like."""


@dataclass(frozen=True)
class S3Address:
    """A place in an S3 store, and the client that reaches it."""

    bucket: str
    path: str
    client: Any


def storage_from(url: str, *, named: str = SETTING) -> Storage:
    """The storage of `file:/srv/portal/files` or `s3://bucket/prefix?endpoint=https://…&region=…&style=path`."""
    scheme = urlsplit(url).scheme
    if scheme == "file":
        return _files(url, named)
    if scheme == "s3":
        from portal.gateways.storage.s3 import S3Storage

        address = s3_address(url, named=named)
        return S3Storage(address.bucket, address.path, client=address.client)
    raise BadStorageUrl(f"{named} must begin with file: or s3:, for example file:/srv/portal/files")


def _files(url: str, named: str) -> FileStorage:
    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost") or not parts.path or parts.query:
        raise BadStorageUrl(f"{named} must name a folder on this machine, for example file:/srv/portal/files")
    return FileStorage(Path(unquote(parts.path)).absolute())


def s3_address(url: str, *, named: str) -> S3Address:
    """The place that `s3://bucket/path?endpoint=https://…&region=…&style=path&profile=…` names.

    With an endpoint the bucket stands in the path, as most stores other than Amazon's want it; `style=virtual` puts it
    in the host name. Credentials are never part of the URL: they come from the environment, or from a profile of
    AWS's own file of them.
    """
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query))
    style = options.get("style", "path" if "endpoint" in options else "virtual")
    if "@" in parts.netloc:
        raise BadStorageUrl(f"{named} must not hold keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead")
    if not parts.netloc or style not in ("path", "virtual") or not options.keys() <= S3_OPTIONS:
        raise BadStorageUrl(f"{named} must look like s3://bucket/prefix?endpoint=https://…&region=…&style=path")
    # Only here: boto3 takes a tenth of the time in which each of our processes starts, and many keep files in a folder.
    from portal.gateways.storage.s3 import NoSuchProfile, s3_client

    try:
        client = s3_client(
            endpoint=options.get("endpoint"),
            region=options.get("region"),
            style=cast("AddressStyle", style),
            profile=options.get("profile"),
        )
    except NoSuchProfile as missing:
        raise BadStorageUrl(f"{named} names a profile that AWS_SHARED_CREDENTIALS_FILE does not have") from missing
    return S3Address(parts.netloc, unquote(parts.path).strip("/"), client)
