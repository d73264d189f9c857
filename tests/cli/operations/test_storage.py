"""Moving the files to another store: hash by hash, stopped and begun again, and nothing of the old is touched."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy.orm import Session

from portal.cli import main
from portal.gateways.storage.store import Storage, new_key
from portal.gateways.storage.url import storage_from
from portal.schema.documents import DocumentKind
from portal.services.files.accept_upload import make_document, note_upload, store_upload
from tests.support.bad_line import bad_line
from tests.support.buckets import Bucket

SAMPLES = Path(__file__).parents[2] / "samples"

Console = Callable[..., str]


@pytest.fixture
def old_url(tmp_path: Path) -> str:
    return (tmp_path / "old").as_uri()


@pytest.fixture
def old(old_url: str) -> Storage:
    """A folder with five files."""
    storage = storage_from(old_url)
    for number in range(5):
        storage.put(new_key("animals"), io.BytesIO(b"photo %d" % number))
    return storage


@pytest.fixture
def new(bucket: Bucket) -> Storage:
    """A bucket without any."""
    return storage_from(bucket.url)


@pytest.fixture
def console(database, tmp_path: Path, old_url: str) -> Console:
    """Run a command: its output, or the sentence it failed with."""

    def run(*arguments: str, fails: bool = False, ends: int = 0, storage_url: str = old_url) -> str:
        environment = {
            "DATABASE_URL": database.url,
            "PORTAL_DATA": str(tmp_path / "var"),
            "STORAGE_URL": storage_url,
        }
        result = CliRunner().invoke(main, ["storage", *arguments], env=environment, catch_exceptions=False)
        assert result.exit_code == (1 if fails else ends), result.output
        return result.output

    return run


def contents(storage: Storage) -> dict[str, bytes]:
    found = {}
    for file in storage.keys(""):
        with storage.open(file.key) as content:
            found[file.key] = content.read()
    return found


def test_every_file_moves_from_the_folder_to_the_bucket_and_back(console, old, new, bucket, old_url, tmp_path):
    before = contents(old)
    assert "5 copied or proved" in console("move", "--to", bucket.url)
    assert contents(new) == contents(old) == before
    assert "with the same bytes" in console("compare", "--to", bucket.url)
    back = (tmp_path / "back").as_uri()
    console("move", "--from", bucket.url, "--to", back)
    assert contents(storage_from(back)) == before


def test_what_came_meanwhile_and_on_the_last_day_is_taken_by_the_next_pass(console, old, new, bucket, old_url):
    console("move", "--to", bucket.url)
    late = new_key("certificates")
    old.put(late, io.BytesIO(b"sent while it was copied"))
    assert "1 to copy" in console("move", "--to", bucket.url)
    last = new_key("certificates")
    old.put(last, io.BytesIO(b"sent while the portal was restarted"))
    assert "1 to copy" in console("move", "--from", old_url, storage_url=bucket.url), "STORAGE_URL is the new one now"
    assert contents(new) == contents(old)


def test_a_move_that_broke_off_goes_on_where_it_was(console, old, new, bucket):
    old.put(new_key("reports"), io.BytesIO(b"a film" * 50_000))
    with bad_line(bucket.endpoint) as line:
        line.cuts_question_after = 100_000
        assert "run this again" in console("move", "--to", bucket.url_through(line.url), fails=True)
        line.cuts_question_after = None
        assert "did not do its part" not in console("move", "--to", bucket.url_through(line.url))
        assert "0 to copy" in console("move", "--to", bucket.url_through(line.url))
    assert contents(new) == contents(old)


def test_other_bytes_in_the_new_store_are_found_by_their_hash_and_replaced(console, old, new, bucket):
    key, content = next(iter(contents(old).items()))
    new.put(key, io.BytesIO(content[::-1]))  # as long, and another
    assert "1 of them replaced" in console("move", "--to", bucket.url)
    new.put(key, io.BytesIO(content[::-1]))
    told = console("compare", "--to", bucket.url, fails=True)
    assert "1 different from what they should be" in told
    assert key in told


def test_missing_and_extra_files_are_told_and_never_deleted(console, old, new, bucket):
    console("move", "--to", bucket.url)
    missing, extra = next(iter(contents(old))), new_key("animals")
    new.delete(missing)
    new.put(extra, io.BytesIO(b"of somebody else"))
    told = console("compare", "--to", bucket.url, fails=True)
    assert f"1 missing in the new store\n  {missing}" in told
    assert f"1 in the new store alone (left there)\n  {extra}" in told
    console("move", "--to", bucket.url)
    assert console("compare", "--to", bucket.url).count(extra) == 1
    assert len(contents(old)) == 5


def test_the_database_says_which_files_there_should_be_and_which_hash_a_pdf_has(
    console, old, new, bucket, gateways, registrations
):
    account_id = registrations.account("pat@example.com")
    with (SAMPLES / "certificate-3-year.pdf").open("rb") as pdf:
        stored = store_upload(pdf, name="c.pdf", kind=DocumentKind.CERTIFICATE, storage=old, largest_bytes=15_000_000)
    with Session(gateways.engine) as session, session.begin():
        make_document(session, note_upload(session, stored, account_id=account_id))
    console("move", "--to", bucket.url)
    console("compare", "--to", bucket.url)
    for storage in (old, new):
        storage.put(stored.original_key, io.BytesIO(b"%PDF- changed in both"))
    assert "1 different" in console("compare", "--to", bucket.url, fails=True), "the database knows its hash"
    for storage in (old, new):
        storage.delete(stored.original_key)
    told = console("compare", "--to", bucket.url, fails=True)
    assert f"1 named by the database and in neither store\n  {stored.original_key}" in told


def test_a_wrong_address_is_told_before_anything_is_copied(console, old):
    assert "file: or s3:" in console("move", "--to", "ftp://example.com", ends=2)
    assert "Say --to URL" in console("move", ends=2)
    assert "--to must not hold keys" in console("move", "--to", "s3://key:secret@bucket", ends=2)


def test_a_store_that_cannot_be_used_is_named_with_what_is_wrong(console, old, bucket, tmp_path):
    (tmp_path / "letter.txt").write_text("no folder")
    folder = (tmp_path / "letter.txt" / "files").as_uri()
    assert "letter.txt/files: Not a directory" in console("move", "--to", folder, fails=True)
    nobodys = bucket.url.replace(bucket.name, "nobodys-bucket")
    assert "the store has no bucket nobodys-bucket" in console("move", "--to", nobodys, fails=True)
