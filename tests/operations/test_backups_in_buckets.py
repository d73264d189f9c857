"""Backups in a bucket: what is refused or breaks leaves nothing behind, and says in one sentence what to do."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from botocore.exceptions import ReadTimeoutError
from click.testing import CliRunner

from portal.cli import main
from portal.gateways.backups.address import backup_at
from portal.gateways.backups.age_files import AgeKey
from portal.gateways.backups.place import BackupPlace, PlaceFailed
from portal.gateways.backups.s3 import S3Backup
from portal.gateways.storage.url import s3_address
from portal.operations.backup import BackupFailed
from portal.operations.restore import RestoreFailed
from tests.operations.conftest import Place
from tests.support.bad_line import BadLine, bad_line
from tests.support.buckets import Bucket

LARGE = os.urandom(6 << 20)
SMALLEST_PART = 5 << 20


@pytest.fixture
def kept_in() -> str:
    return "bucket"


@pytest.fixture
def line(bucket: Bucket) -> Iterator[BadLine]:
    with bad_line(bucket.endpoint) as line:
        yield line


def objects(bucket: Bucket) -> list[str]:
    """All that lies in the bucket under the prefix of this test, and what was begun and never ended."""
    found = bucket.client.list_objects_v2(Bucket=bucket.name, Prefix=f"{bucket.prefix}/")
    begun = bucket.client.list_multipart_uploads(Bucket=bucket.name, Prefix=f"{bucket.prefix}/")
    return [one["Key"] for one in (*found.get("Contents", ()), *begun.get("Uploads", ()))]


def address(bucket: Bucket, name: str = "b.age", *, endpoint: str | None = None) -> str:
    return bucket.url_through(endpoint or bucket.endpoint).replace("?", f"/{name}?")


def write(place: BackupPlace, content: bytes) -> None:
    with place.new() as target:
        for at in range(0, len(content), 1 << 16):
            target.write(content[at : at + (1 << 16)])


def read(place: BackupPlace) -> bytes:
    with place.kept() as content:
        return b"".join(iter(lambda: content.read(1 << 16), b""))


def in_parts(address: str) -> S3Backup:
    place = s3_address(address, named="it")
    return S3Backup(place.bucket, place.path, address, place.client, part_bytes=SMALLEST_PART)


def test_what_is_larger_than_a_part_comes_back_the_same(bucket):
    place = in_parts(address(bucket))
    assert not place.is_there()
    write(place, LARGE)
    assert place.keep() == len(LARGE)
    place.clear()
    assert place.is_there()
    assert read(place) == LARGE


def test_a_reading_that_breaks_goes_on_where_it_broke(bucket, line):
    write(in_parts(address(bucket)), LARGE)
    place = in_parts(address(bucket, endpoint=line.url))
    with place.kept() as content:
        first = content.read(1 << 20)
        line.hang_up()
        assert first + b"".join(iter(lambda: content.read(1 << 20), b"")) == LARGE


def test_a_store_that_is_gone_half_way_is_told(bucket, line):
    write(in_parts(address(bucket)), LARGE)
    with in_parts(address(bucket, endpoint=line.url)).kept() as content:
        assert content.read(1 << 20) == LARGE[: 1 << 20]
        line.cuts_answer_after = 0
        line.hang_up()
        with pytest.raises(PlaceFailed, match="the store did not answer"):
            content.read()


def test_a_backup_cut_off_on_its_way_leaves_nothing(place, bucket, line):
    place.storage.put("minutes/00/" + "0" * 32, io.BytesIO(LARGE))
    before = objects(bucket)
    line.cuts_question_after = 400_000
    with pytest.raises(BackupFailed, match=r"^No backup was made at s3://.*the store did not answer"):
        place.back_up(address(bucket, endpoint=line.url))
    assert objects(bucket) == before


def test_a_backup_that_does_not_come_back_as_it_went_is_not_kept(place, bucket, monkeypatch):
    """The store takes it and has other bytes: the disk under it is bad."""
    made = address(bucket)

    @contextmanager
    def spoiled(of: S3Backup) -> Iterator[io.BytesIO]:
        with of.kept() as content:
            yield io.BytesIO(content.read()[:-100] + bytes(100))

    monkeypatch.setattr(S3Backup, "written", spoiled)
    with pytest.raises(BackupFailed, match="damaged or cut off"):
        place.back_up(made)
    assert objects(bucket) == []


def test_keys_that_may_not_delete_leave_it_and_both_are_told(place, bucket, monkeypatch):
    def broken(_of: S3Backup) -> None:
        raise PlaceFailed("the line broke")

    def forbidden(_of: S3Backup) -> None:
        raise PlaceFailed("the store does not let us (AccessDenied)")

    monkeypatch.setattr(S3Backup, "written", broken)
    monkeypatch.setattr(S3Backup, "clear", forbidden)
    with pytest.raises(BackupFailed, match=r"the line broke\. What may lie at .* is no backup, .*\(AccessDenied\)"):
        place.back_up(address(bucket))


def test_an_end_that_the_store_took_and_nobody_heard_of_leaves_nothing(bucket, monkeypatch):
    place = in_parts(address(bucket))
    complete = place.client.complete_multipart_upload

    def unheard(**what: object) -> None:
        complete(**what)
        raise ReadTimeoutError(endpoint_url=bucket.endpoint)

    monkeypatch.setattr(place.client, "complete_multipart_upload", unheard)
    with pytest.raises(PlaceFailed, match="did not answer"):
        write(place, b"a backup")
    assert objects(bucket)
    place.clear()
    assert objects(bucket) == []


def test_a_backup_is_never_written_over(place, bucket):
    place.back_up(address(bucket))
    before = read(backup_at(address(bucket)))
    with pytest.raises(BackupFailed, match="is there already"):
        place.back_up(address(bucket))
    assert read(backup_at(address(bucket))) == before


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("s3://nobodys-bucket/b.age?endpoint={endpoint}&region=us-east-1", "the store has no bucket nobodys-bucket"),
        ("s3://b/b.age?endpoint=http://127.0.0.1:9&region=us-east-1", "the store did not answer"),
        ("s3://key:secret@b/b.age", "must not hold keys"),
        ("s3://b/b.age?color=red", "must look like s3://"),
        ("s3://b/b.age?profile=nobody&region=us-east-1", "names a profile that AWS_SHARED_CREDENTIALS_FILE does not"),
    ],
)
def test_a_wrong_address_is_told(place, bucket, wrong, told):
    with pytest.raises((BackupFailed, PlaceFailed), match=told):
        place.back_up(wrong.format(endpoint=bucket.endpoint))


def test_what_is_not_there_or_no_backup_is_not_restored(elsewhere, bucket, age_key):
    with pytest.raises(RestoreFailed, match=r"there is no such backup\. Nothing was changed"):
        elsewhere.restore(address(bucket), age_key)
    with pytest.raises(PlaceFailed, match="names no backup"):
        elsewhere.restore(bucket.url, age_key)


def test_at_the_console_with_keys_of_another_account(place, elsewhere, bucket, tmp_path, age_key, monkeypatch):
    """The account for backups is not the one for files: its keys stand in a profile."""
    keys, identity = tmp_path / "keys", tmp_path / "key.txt"
    keys.write_text("[backups]\naws_access_key_id = other\naws_secret_access_key = other\n")
    identity.write_text(age_key.private)

    def portal(*arguments: object, of: Place) -> str:
        environment = {
            "DATABASE_URL": of.url,
            "STORAGE_URL": of.storage_url,
            "PORTAL_DATA": str(tmp_path / "v"),
            "BACKUP_RECIPIENTS": age_key.public,
            "AWS_SHARED_CREDENTIALS_FILE": str(keys),
        }
        ended = CliRunner().invoke(main, [str(one) for one in arguments], env=environment)
        return f"{ended.exit_code}: {ended.output}"

    folder = f"{bucket.url}&profile=backups"
    told = portal("backup", folder, of=place)
    assert "read back and whole" in told
    made = told.removeprefix("0: ").partition(": ")[0]
    assert made.startswith(f"s3://{bucket.name}/{bucket.prefix}/portal-")
    assert "is whole" in portal("restore", made, "--identity", identity, "--only-check", of=elsewhere)
    assert portal("restore", made, "--identity", identity, of=elsewhere).startswith("0: The backup of ")
    assert elsewhere.rows() == place.rows()
    assert portal("backup", tmp_path / "no-folder", of=place).startswith("1: Error: There is no folder")
    assert Path(tmp_path / "v").exists()


def test_without_keys_the_sentence_says_which_to_set(place, bucket, monkeypatch):
    assert place.storage, "made while there were keys"
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with pytest.raises(BackupFailed, match="set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"):
        place.back_up(address(bucket))


def test_another_key_does_not_open_it(place, elsewhere, bucket):
    made = place.back_up(address(bucket))
    with pytest.raises(RestoreFailed, match=r"it was sealed for another key\. Nothing was changed"):
        elsewhere.restore(made.address, AgeKey.new())
