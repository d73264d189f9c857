"""Every storage keeps the same promises: in a folder, in an S3 store over HTTP, and in the tests' memory."""

import io
import os
import socket
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from portal.gateways.storage.s3 import S3Storage
from portal.gateways.storage.store import (
    FileMissing,
    FileStorage,
    InvalidKey,
    Storage,
    StorageUnavailable,
    new_key,
)
from portal.gateways.storage.url import BadStorageUrl, storage_from
from tests.support.buckets import Bucket
from tests.support.storage import MemoryStorage


@pytest.fixture
def s3_url(bucket: Bucket) -> str:
    return bucket.url


@pytest.fixture(params=["file", "s3", "memory"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    if request.param == "memory":
        return MemoryStorage()
    if request.param == "file":
        return storage_from(f"file:{tmp_path}/new/files")
    return storage_from(request.getfixturevalue("s3_url"))


def read(storage: Storage, key: str) -> bytes:
    with storage.open(key) as content:
        return content.read()


def listed(storage: Storage, prefix: str = "") -> list[str]:
    return sorted(stored.key for stored in storage.keys(prefix))


def test_a_certificate_comes_back_as_it_was_sent(storage: Storage):
    key, content = new_key("certificates"), os.urandom(3 << 20)
    storage.put(key, io.BytesIO(content))
    assert read(storage, key) == content


def test_an_open_certificate_can_be_read_twice(storage: Storage):
    key = new_key("certificates")
    storage.put(key, io.BytesIO(b"rabies"))
    with storage.open(key) as content:
        assert content.read() == b"rabies"
        content.seek(0)
        assert content.read() == b"rabies"


def test_an_upload_half_read_already_is_kept_from_where_it_stands(storage: Storage):
    key, content = new_key("certificates"), io.BytesIO(b"head:body")
    content.seek(5)
    storage.put(key, content)
    assert read(storage, key) == b"body"


def test_a_stream_that_cannot_be_rewound_is_kept_too(storage: Storage):
    key, (reading, writing) = new_key("exports"), os.pipe()
    with os.fdopen(writing, "wb") as target:
        target.write(b"rows")
    with os.fdopen(reading, "rb") as content:
        storage.put(key, content)
    assert read(storage, key) == b"rows"


def test_the_portal_leaves_the_upload_open_for_its_next_reader(storage: Storage):
    content = io.BytesIO(b"photo")
    storage.put(new_key("photos"), content)
    assert not content.closed


def test_two_photos_are_kept_apart_whatever_they_were_called(storage: Storage):
    """U4: names never reach the storage; each file has a key of its own."""
    first, second = new_key("photos"), new_key("photos")
    storage.put(first, io.BytesIO(b"one"))
    storage.put(second, io.BytesIO(b"two"))
    assert (read(storage, first), read(storage, second)) == (b"one", b"two")


def test_a_file_put_again_replaces_the_old_one(storage: Storage):
    key = new_key("photos")
    storage.put(key, io.BytesIO(b"a longer first version"))
    storage.put(key, io.BytesIO(b"second"))
    assert read(storage, key) == b"second"
    assert listed(storage) == [key]


def test_a_missing_file_is_told_by_its_key(storage: Storage):
    with pytest.raises(FileMissing, match="certificates/"):
        storage.open(new_key("certificates"))


def test_a_deleted_file_is_gone_and_deleting_it_again_is_no_error(storage: Storage):
    key = new_key("certificates")
    storage.put(key, io.BytesIO(b"old"))
    storage.delete(key)
    storage.delete(key)
    with pytest.raises(FileMissing):
        storage.open(key)
    assert listed(storage) == []


def test_the_sweep_of_orphans_sees_each_file_with_its_size_and_age(storage: Storage):
    key = new_key("certificates")
    storage.put(key, io.BytesIO(b"12345"))
    [stored] = storage.keys()
    assert (stored.key, stored.size) == (key, 5)
    assert stored.modified_at.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - stored.modified_at) < timedelta(minutes=1)


def test_one_kind_of_file_is_listed_without_the_others(storage: Storage):
    certificate, photo, extra = new_key("certificates"), new_key("photos"), new_key("photos-of-lost")
    for key in (certificate, photo, extra):
        storage.put(key, io.BytesIO(b"x"))
    assert listed(storage, "photos") == [photo]
    assert listed(storage, photo[: len("photos/00")]) == [photo]
    assert listed(storage) == sorted([certificate, photo, extra])
    assert listed(storage, "nothing") == []


@pytest.mark.parametrize(
    "key",
    [
        "",
        "../../x.pdf",
        "/etc/passwd",
        "certificates/../../x",
        "certificates/0f/../0f",
        "фото.jpg",
        "😆.pdf",
        "certificates/0f/" + "0" * 32 + "\n",
        "certificates/0f/" + "0" * 32 + "/..",
        "certificates\\0f\\" + "0" * 32,
        "certificates/0F/" + "0" * 32,
        "certificates/0f/" + "0" * 31 + "\0",
    ],
)
def test_a_name_a_person_typed_is_never_a_key(storage: Storage, key: str):
    """U4: `../../x.pdf` reaches no disk and no bucket."""
    for deed in (storage.open, storage.delete, lambda name: storage.put(name, io.BytesIO(b"x"))):
        with pytest.raises(InvalidKey):
            deed(key)


@pytest.mark.parametrize("prefix", ["..", "/", "../", "certificates/..", "a/b/c/d", "*"])
def test_a_listing_stays_inside_the_storage(storage: Storage, prefix: str):
    with pytest.raises(InvalidKey):
        list(storage.keys(prefix))


@pytest.mark.parametrize("kind", ["", "Photos", "../x", "a/b", "-x"])
def test_a_kind_is_a_plain_word(kind: str):
    with pytest.raises(InvalidKey):
        new_key(kind)


def test_a_thumbnail_may_stand_beside_its_picture(storage: Storage):
    key = new_key("photos")
    storage.put(f"{key}-thumbnail", io.BytesIO(b"small"))
    assert read(storage, f"{key}-thumbnail") == b"small"


class TestFolder:
    """What only the folder has to promise."""

    def test_nobody_else_on_the_machine_can_read_the_files(self, tmp_path: Path):
        previous = os.umask(0)
        try:
            key = new_key("certificates")
            FileStorage(tmp_path / "files").put(key, io.BytesIO(b"private"))
        finally:
            os.umask(previous)
        path = tmp_path / "files" / key
        assert path.stat().st_mode & 0o777 == 0o600
        assert [folder.stat().st_mode & 0o777 for folder in list(path.parents)[:3]] == [0o700] * 3

    def test_an_upload_that_breaks_off_leaves_the_old_file_and_no_crumbs(self, tmp_path: Path):
        storage, key = FileStorage(tmp_path), new_key("certificates")
        storage.put(key, io.BytesIO(b"old"))

        class Broken(io.BytesIO):
            def read(self, size: int | None = -1, /) -> bytes:
                raise ConnectionResetError

        with pytest.raises(StorageUnavailable):
            storage.put(key, Broken())
        assert read(storage, key) == b"old"
        assert listed(storage) == [key]

    def test_a_file_cut_off_by_a_dying_process_is_listed_for_the_sweep(self, tmp_path: Path):
        """kill -9 between writing and renaming: the half file is an orphan like any other."""
        storage = FileStorage(tmp_path)
        script = (
            "import pathlib, sys; from portal.gateways.storage.store import FileStorage, new_key;"
            "FileStorage(pathlib.Path(sys.argv[1])).put(new_key('certificates'), sys.stdin.buffer.raw)"
        )
        with subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdin=subprocess.PIPE) as child:
            assert child.stdin
            child.stdin.write(b"half")
            child.stdin.flush()
            while not listed(storage):
                assert child.poll() is None
            child.kill()
        assert [key.split("/")[0] for key in listed(storage)] == ["unfinished"]

    def test_readers_never_see_half_a_file_while_it_is_replaced(self, tmp_path: Path):
        storage, key = FileStorage(tmp_path), new_key("photos")
        versions = [bytes([number]) * 200_000 for number in range(20)]
        storage.put(key, io.BytesIO(versions[0]))
        writer = threading.Thread(target=lambda: [storage.put(key, io.BytesIO(version)) for version in versions])
        writer.start()
        seen = [read(storage, key)]
        while writer.is_alive():
            seen.append(read(storage, key))
        writer.join()
        assert all(content in versions for content in seen)

    def test_a_full_or_broken_disk_is_told_in_our_words(self, tmp_path: Path):
        (tmp_path / "files").write_text("a file where the folder should be")
        storage = FileStorage(tmp_path / "files")
        with pytest.raises(StorageUnavailable):
            storage.put(new_key("photos"), io.BytesIO(b"x"))

    def test_files_that_are_not_ours_are_not_listed(self, tmp_path: Path):
        (tmp_path / "lost+found").mkdir()
        (tmp_path / "README").write_text("not ours")
        assert listed(FileStorage(tmp_path)) == []


class TestBucket:
    """What only the bucket has to promise."""

    def test_a_store_that_does_not_answer_is_told_in_our_words(self, s3_url: str, unused_port: int):
        storage = storage_from(f"s3://benson-files?endpoint=http://127.0.0.1:{unused_port}&region=us-east-1")
        with pytest.raises(StorageUnavailable):
            storage.open(new_key("photos"))

    def test_a_missing_bucket_is_not_taken_for_a_missing_file(self, s3_endpoint: str, s3_url: str):
        storage = storage_from(f"s3://no-such-bucket?endpoint={s3_endpoint}&region=us-east-1")
        with pytest.raises(StorageUnavailable):
            storage.open(new_key("photos"))

    def test_two_portals_share_a_bucket_under_their_prefixes(self, bucket: Bucket):
        ours = storage_from(bucket.url)
        theirs = storage_from(replace(bucket, prefix="other").url)
        key = new_key("photos")
        ours.put(key, io.BytesIO(b"ours"))
        assert listed(theirs) == []
        with pytest.raises(FileMissing):
            theirs.open(key)

    def test_files_that_are_not_ours_are_not_listed(self, s3_url: str):
        storage = storage_from(s3_url)
        assert isinstance(storage, S3Storage)
        storage.client.put_object(Bucket=storage.bucket, Key=f"{storage.prefix}/README", Body=b"not ours")
        assert listed(storage) == []

    def test_more_files_than_one_answer_holds_are_all_listed(self, s3_url: str):
        storage = storage_from(s3_url)
        assert isinstance(storage, S3Storage)
        keys = {new_key("photos") for _ in range(5)}
        for key in keys:
            storage.put(key, io.BytesIO(b"x"))
        assert set(listed(replace(storage, listing_size=2))) == keys


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    ("url", "tells"),
    [
        ("/srv/files", "file: or s3:"),
        ("ftp://example.com/x", "file: or s3:"),
        ("file://elsewhere/x", "a folder on this machine"),
        ("file:", "a folder on this machine"),
        ("s3:///prefix", "s3://bucket"),
        ("s3://bucket?style=odd", "s3://bucket"),
        ("s3://bucket?endpiont=http://x", "s3://bucket"),
        ("s3://key:secret@bucket", "AWS_ACCESS_KEY_ID"),
    ],
)
def test_a_wrong_storage_url_is_answered_with_what_it_should_be(url: str, tells: str):
    with pytest.raises(BadStorageUrl, match=tells.replace("?", r"\?")) as refusal:
        storage_from(url)
    assert "secret" not in str(refusal.value)


def test_the_address_style_follows_from_the_endpoint():
    def addressed(url: str) -> str:
        storage = storage_from(url)
        assert isinstance(storage, S3Storage)
        return str(storage.client.meta.config.s3["addressing_style"])

    assert addressed("s3://bucket/prefix?region=us-east-2") == "virtual"
    assert addressed("s3://bucket?endpoint=http://127.0.0.1:9&region=us-east-1") == "path"
    assert addressed("s3://bucket?endpoint=http://127.0.0.1:9&region=us-east-1&style=virtual") == "virtual"
