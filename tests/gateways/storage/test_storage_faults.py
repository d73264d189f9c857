"""Whatever goes wrong with a store, folder or bucket, one word tells it, and what was kept before is still there."""

import io
import os
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from pathlib import Path

import pytest

from portal.gateways.storage.s3 import S3Storage, s3_client
from portal.gateways.storage.store import FileStorage, Storage, StorageUnavailable, new_key
from portal.gateways.storage.url import storage_from
from tests.support.bad_line import BadLine, bad_line
from tests.support.buckets import Bucket

LARGE = os.urandom(300_000)
NO_ROOM = (
    b"HTTP/1.1 507 Insufficient Storage\r\nContent-Type: application/xml\r\nContent-Length: 66\r\nConnection: close\r\n"
    b"\r\n<Error><Code>XMinioStorageFull</Code><Message>full</Message></Error>"
)


@dataclass
class Place:
    """A store that something can happen to, and one file that lies in it since before."""

    storage: Storage
    hurried: Storage  # the same for whoever has no time, where it is known to fail
    key: str
    happening: Callable[[str], object]

    def read(self) -> bytes:
        with self.storage.open(self.key) as content:
            return content.read()

    def keys(self) -> list[str]:
        return [file.key for file in self.storage.keys("")]


@pytest.fixture(params=["folder", "bucket"])
def place(request: pytest.FixtureRequest) -> Place:
    """The same tests for both."""
    return request.getfixturevalue(f"{request.param}_place")


@pytest.fixture
def folder_place(tmp_path: Path) -> Place:
    storage = FileStorage(tmp_path / "files")
    return _with_a_file(storage, storage, lambda fault: FOLDER_FAULTS[fault](storage.root))


@pytest.fixture
def bucket_place(bucket: Bucket) -> Iterator[Place]:
    with bad_line(bucket.endpoint) as line:
        storage = storage_from(bucket.url_through(line.url))
        assert isinstance(storage, S3Storage)
        impatient = s3_client(endpoint=line.url, region="us-east-1", style="path", patience_seconds=0.3)
        impatient.meta.events.register("needs-retry.*", lambda **_: False)  # once is enough to see
        yield _with_a_file(
            storage, replace(storage, client=impatient), lambda fault: BUCKET_FAULTS[fault](line, bucket)
        )


def _with_a_file(storage: Storage, hurried: Storage, happening: Callable[[str], object]) -> Place:
    key = new_key("certificates")
    storage.put(key, io.BytesIO(b"kept before"))
    return Place(storage, hurried, key, happening)


@contextmanager
def _full_disk(_root: Path) -> Iterator[None]:
    """No file may grow any more: write() fails in the middle, as on a disk without room."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def _folder_gone(root: Path) -> Iterator[None]:
    """The disk it lies on is not there: something else has its place."""
    root.rename(root.with_name("elsewhere"))
    root.write_text("not a folder")
    try:
        yield
    finally:
        root.unlink()
        root.with_name("elsewhere").rename(root)


@contextmanager
def _set(line: BadLine, **faults: object) -> Iterator[None]:
    before = {name: getattr(line, name) for name in faults}
    for name, value in faults.items():
        setattr(line, name, value)
    line.hang_up()
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(line, name, value)
        line.hang_up()


@contextmanager
def _bucket_gone(_line: BadLine, bucket: Bucket) -> Iterator[None]:
    kept = {
        one["Key"]: bucket.client.get_object(Bucket=bucket.name, Key=one["Key"])["Body"].read()
        for one in bucket.client.list_objects_v2(Bucket=bucket.name).get("Contents", [])
    }
    for key in kept:
        bucket.client.delete_object(Bucket=bucket.name, Key=key)
    bucket.client.delete_bucket(Bucket=bucket.name)
    try:
        yield
    finally:
        bucket.client.create_bucket(Bucket=bucket.name)
        for key, content in kept.items():
            bucket.client.put_object(Bucket=bucket.name, Key=key, Body=content)


@contextmanager
def _keys_taken_back(_line: BadLine, bucket: Bucket) -> Iterator[None]:
    """The store asks who we are, and does not know our keys any more."""
    _ask_for_keys(bucket, after=0)
    try:
        yield
    finally:
        _ask_for_keys(bucket, after=1_000_000_000)


def _ask_for_keys(bucket: Bucket, *, after: int) -> None:
    with closing(HTTPConnection(bucket.endpoint.removeprefix("http://"))) as line:
        line.request("POST", "/moto-api/reset-auth", str(after).encode(), {"Content-Type": "text/plain"})
        assert line.getresponse().status == 200


FOLDER_FAULTS = {"full": _full_disk, "gone": _folder_gone}
BUCKET_FAULTS = {
    "full": lambda line, _: _set(line, answers=NO_ROOM),
    "gone": _bucket_gone,
    "keys taken back": _keys_taken_back,
    "slow": lambda line, _: _set(line, hangs=True),
    "cut on the way there": lambda line, _: _set(line, cuts_question_after=150_000),
}


@pytest.mark.parametrize(
    ("place", "fault"),
    [*(("folder", fault) for fault in FOLDER_FAULTS), *(("bucket", fault) for fault in BUCKET_FAULTS)],
    indirect=["place"],
)
def test_a_file_that_cannot_be_kept_is_told_in_one_word_and_leaves_no_trace(place: Place, fault: str):
    with place.happening(fault), pytest.raises(StorageUnavailable):
        place.hurried.put(new_key("certificates"), io.BytesIO(LARGE))
    assert place.keys() == [place.key], "the file of before, and no half of the new one"
    assert place.read() == b"kept before"
    another = new_key("certificates")
    place.storage.put(another, io.BytesIO(LARGE))
    assert sorted(place.keys()) == sorted([place.key, another]), "it works again as soon as the store does"


@pytest.mark.parametrize(
    ("place", "fault"),
    [("folder", "gone"), *(("bucket", fault) for fault in ("gone", "keys taken back", "slow"))],
    indirect=["place"],
)
def test_a_store_that_is_away_is_not_an_empty_one(place: Place, fault: str):
    """Nothing is taken for missing, swept or shown as gone while the store can't be asked."""
    hurried = replace(place, storage=place.hurried)
    with place.happening(fault):
        for asked in (hurried.read, hurried.keys, lambda: hurried.storage.delete(place.key)):
            with pytest.raises(StorageUnavailable):
                asked()
    assert place.read() == b"kept before"


def test_a_file_cut_off_on_its_way_back_is_not_taken_for_whole(bucket_place: Place, bucket: Bucket):
    key = new_key("certificates")
    bucket_place.storage.put(key, io.BytesIO(LARGE))
    with bad_line(bucket.endpoint) as line:
        line.cuts_answer_after = 150_000
        storage = storage_from(bucket.url_through(line.url))
        with pytest.raises(StorageUnavailable):
            storage.open(key)


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("mount") is None, reason="only root may mount a small disk")
def test_a_real_disk_without_room_keeps_what_it_has(tmp_path: Path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.system(f"mount -t tmpfs -o size=256k portal-test {disk} 2>/dev/null"):  # noqa: S605 - a path of ours
        pytest.skip("mounting is not allowed here")
    try:
        storage, key = FileStorage(disk / "files"), new_key("photos")
        storage.put(key, io.BytesIO(b"kept before"))
        with pytest.raises(StorageUnavailable) as told:
            storage.put(new_key("photos"), io.BytesIO(LARGE))
        assert isinstance(told.value.__cause__, OSError)
        assert [file.key for file in storage.keys("")] == [key]
    finally:
        os.system(f"umount {disk}")  # noqa: S605
