"""An S3 store over HTTP (moto's server), and buckets in it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True)
class Bucket:
    """A bucket that is there, at a server that answers."""

    endpoint: str
    client: Any
    name: str
    prefix: str = "portal"

    @property
    def url(self) -> str:
        """What STORAGE_URL says of it."""
        return self.url_through(self.endpoint)

    def url_through(self, endpoint: str) -> str:
        return f"s3://{self.name}/{self.prefix}?endpoint={endpoint}&region=us-east-1"


@pytest.fixture(scope="session")
def s3_endpoint() -> Iterator[str]:
    from moto.server import ThreadedMotoServer  # here, since few tests need it and it takes a second to load

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """A bucket of its own, with keys in the environment that open it."""
    import boto3

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "practice")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "practice")
    client = boto3.client("s3", endpoint_url=s3_endpoint, region_name="us-east-1")
    name = f"benson-files-{os.urandom(4).hex()}"
    client.create_bucket(Bucket=name)
    return Bucket(s3_endpoint, client, name)
