"""Which storage `STORAGE_URL` asks for."""

from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import parse_qsl, unquote, urlsplit

from portal.gateways.storage import FileStorage, Storage

if TYPE_CHECKING:
    from portal.gateways.storage_s3 import AddressStyle

S3_OPTIONS = {"endpoint", "region", "style"}


class BadStorageUrl(ValueError):
    """The setting does not say where files go; the sentence says what it should look like."""


def storage_from(url: str) -> Storage:
    """The storage of `file:/srv/portal/files` or `s3://bucket/prefix?endpoint=https://…&region=…&style=path`.

    With an endpoint the bucket stands in the path, as most stores other than Amazon's want it;
    `style=virtual` puts it in the host name. Credentials are never part of the URL: they come from the environment.
    """
    scheme = urlsplit(url).scheme
    if scheme == "file":
        return _files(url)
    if scheme == "s3":
        return _s3(url)
    raise BadStorageUrl("STORAGE_URL must begin with file: or s3:, for example file:/srv/portal/files")


def _files(url: str) -> FileStorage:
    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost") or not parts.path or parts.query:
        raise BadStorageUrl("STORAGE_URL must name a folder on this machine, for example file:/srv/portal/files")
    return FileStorage(Path(unquote(parts.path)).absolute())


def _s3(url: str) -> Storage:
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query))
    style = options.get("style", "path" if "endpoint" in options else "virtual")
    if "@" in parts.netloc:
        raise BadStorageUrl("STORAGE_URL must not hold keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead")
    if not parts.netloc or style not in ("path", "virtual") or not options.keys() <= S3_OPTIONS:
        raise BadStorageUrl("STORAGE_URL must look like s3://bucket/prefix?endpoint=https://…&region=…&style=path")
    # Only here: boto3 takes a tenth of the time in which each of our processes starts, and many keep files in a folder.
    from portal.gateways.storage_s3 import S3Storage, s3_client

    address = cast("AddressStyle", style)
    client = s3_client(endpoint=options.get("endpoint"), region=options.get("region"), style=address)
    return S3Storage(parts.netloc, unquote(parts.path).strip("/"), client=client)
