"""Restoring: what is refused leaves everything as it was, and says in one sentence what to do."""

import io
import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, make_url, pool
from sqlalchemy.orm import Session

from portal.cli import main
from portal.gateways.backups.age_files import AgeKey, opened, seal
from portal.gateways.backups.place import FileBackup, PlaceFailed
from portal.gateways.clock import FixedClock
from portal.gateways.database.connections import connect
from portal.gateways.storage.store import FileStorage, new_key
from portal.operations.archive import ABOUT, Member, Packing, Sums, unpacked
from portal.operations.backup import BackupFailed, back_up
from portal.operations.restore import RestoreFailed, check
from portal.schema.roles import GRANTS, WEB
from portal.services.files.accept_upload import add_document
from portal.settings import Settings
from tests.operations.conftest import Place
from tests.operations.writer import stored
from tests.support.cluster import Cluster
from tests.support.owing import owe

TOLD = {"made_at": "2026-01-01", "release": "9", "postgres": 18, "tables": {}, "files": 0, "form": 1}


@dataclass
class Before:
    """A portal with a dog and its certificate, and a backup of it: made once, copied for each test."""

    database: str
    files: Path
    backup: Path


@pytest.fixture(scope="module")
def before(
    cluster: Cluster,
    settings: Settings,
    age_key: AgeKey,
    shared_clock: FixedClock,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Before]:
    folder, url = tmp_path_factory.mktemp("before"), cluster.fresh_database()
    place = Place(url, f"file:{folder}/files", replace(settings, backup_recipients=(age_key.public,)))
    engine = create_engine(url, poolclass=pool.NullPool)
    owe(engine, "Pepper", clock=shared_clock)
    with Session(engine) as session, session.begin():
        add_document(session, stored(place.storage, 1), at=shared_clock.now())
    place.back_up(folder / "backup.age")
    yield Before(str(make_url(url).database), folder / "files", folder / "backup.age")
    cluster.drop(url)


@pytest.fixture
def place(before: Before, cluster: Cluster, settings: Settings, age_key: AgeKey, tmp_path: Path) -> Iterator[Place]:
    shutil.copytree(before.files, tmp_path / "files")
    url = cluster.fresh_database(before.database)
    yield Place(url, f"file:{tmp_path}/files", replace(settings, backup_recipients=(age_key.public,)))
    cluster.drop(url)


@pytest.fixture
def backup(before: Before, tmp_path: Path) -> Path:
    """A backup of a dog and its certificate."""
    return Path(shutil.copy(before.backup, tmp_path / "backup.age"))


def about(*, schema: str) -> Member:
    return Member.of(ABOUT, json.dumps({**TOLD, "schema": schema}).encode())


def sealed(path: Path, key: AgeKey, *members: Member) -> Path:
    with path.open("wb") as file, closing(Packing(members)) as packing:
        seal(packing, file, for_keys=[key.public])
    return path


def is_untouched(place: Place) -> bool:
    return place.value("SELECT count(*) FROM pg_namespace WHERE nspname = 'portal'") == 0 and not place.files()


def test_a_restored_portal_has_its_roles_and_their_rights(place, elsewhere, backup, age_key, capfd):
    elsewhere.restore(backup, age_key)
    assert capfd.readouterr().out == "", "one of PostgreSQL's programs talks to whoever restores"
    assert elsewhere.value(f"SELECT has_table_privilege('{WEB}', 'animal_control.animal', 'INSERT')")
    assert not elsewhere.value(f"SELECT has_table_privilege('{WEB}', 'confidential.reporter', 'SELECT')")
    granted = "SELECT count(DISTINCT table_schema || table_name) FROM information_schema.role_table_grants"
    assert elsewhere.value(granted) == place.value(granted)
    assert elsewhere.value(granted) >= len(GRANTS)


def test_with_another_key_nothing_is_changed(elsewhere, backup):
    with pytest.raises(RestoreFailed, match=r"it was sealed for another key\. Nothing was changed"):
        elsewhere.restore(backup, AgeKey.new())
    assert is_untouched(elsewhere)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        pytest.param(lambda whole: whole[: len(whole) // 2], "damaged or cut off", id="cut off"),
        pytest.param(lambda whole: whole[:-1], "damaged or cut off", id="cut off at the last byte"),
        pytest.param(lambda whole: whole[:40], "only the beginning", id="hardly begun"),
        pytest.param(lambda whole: whole[:-9000] + b"!" + whole[-8999:], "damaged or cut off", id="tampered with"),
        pytest.param(lambda whole: whole + b"more", "damaged or cut off", id="longer than it was"),
        pytest.param(lambda _: b"PK\3\4 something else entirely", "no file in the age format", id="another file"),
        pytest.param(lambda _: b"", "no file in the age format", id="empty"),
    ],
)
def test_a_damaged_backup_changes_nothing(elsewhere, backup, age_key, spoil, told):
    backup.write_bytes(spoil(backup.read_bytes()))
    with pytest.raises(RestoreFailed, match=rf"{told}.*Nothing was changed"):
        elsewhere.restore(backup, age_key)
    assert is_untouched(elsewhere)


def test_a_sealed_file_that_is_no_backup_changes_nothing(elsewhere, age_key, tmp_path):
    letter = tmp_path / "letter.age"
    with letter.open("wb") as file:
        seal(io.BytesIO(b"Dear clerk" * 1000), file, for_keys=[age_key.public])
    with pytest.raises(RestoreFailed, match="no backup of the portal"):
        elsewhere.restore(letter, age_key)
    assert is_untouched(elsewhere)


def test_a_backup_of_a_later_release_waits_for_that_release(elsewhere, age_key, tmp_path):
    source = sealed(tmp_path / "later.age", age_key, about(schema="9999"))
    with pytest.raises(RestoreFailed, match=r"schema 9999.*install the release that made it"):
        elsewhere.restore(source, age_key)
    assert is_untouched(elsewhere)


def test_a_database_with_something_in_it_is_only_replaced_when_told_so(place, backup, age_key):
    before = place.rows()
    with pytest.raises(RestoreFailed, match=r"not empty: it has animal_control, confidential, portal\. .*--replace"):
        place.restore(backup, age_key)
    assert place.rows() == before
    place.value("UPDATE animal_control.person SET name = 'Somebody Else'")
    place.restore(backup, age_key, replace=True)
    assert place.rows() == before


def test_tables_that_cannot_be_restored_leave_what_was_there(place, backup, age_key, tmp_path):
    """The dump is broken though its seal and hashes are right: what was there steps back into its place."""
    members = (
        about(schema="0024"),
        Member.of("database/000001", b"PGDMP and then nonsense"),
    )
    source = sealed(tmp_path / "broken.age", age_key, *members)
    before = place.rows()
    with pytest.raises(RestoreFailed, match=r"pg_restore: .*The database is as it was"):
        place.restore(source, age_key, replace=True)
    assert place.rows() == before


def test_a_count_that_does_not_agree_leaves_what_was_there(place, backup, age_key, tmp_path):
    before, members = place.rows(), []
    with backup.open("rb") as file, opened(file, age_key) as plain:
        members = [Member.of(one.name, one.content.read(one.size)) for one in unpacked(plain, Sums())]
    told = json.loads(members[0].content.read())
    told["tables"]["animal_control.animal"] += 1
    source = sealed(tmp_path / "other.age", age_key, Member.of(ABOUT, json.dumps(told).encode()), *members[1:])
    with pytest.raises(RestoreFailed, match=r"psql: animal_control\.animal has other rows.*The database is as it was"):
        place.restore(source, age_key, replace=True)
    assert place.rows() == before


def test_a_running_portal_is_not_pulled_from_under_its_people(place, backup, age_key):
    engine = connect(place.url, role=WEB)
    with engine.connect(), pytest.raises(RestoreFailed, match=r"running on this database \(portal_web\): stop it"):
        place.restore(backup, age_key, replace=True)
    engine.dispose()


def test_files_that_the_store_has_lost_are_named_and_the_rest_is_backed_up(place, elsewhere, backup, age_key, tmp_path):
    lost = next(iter(place.mentioned()))
    place.storage.delete(lost)
    made = place.back_up(tmp_path / "second.age")
    assert made.missing == (lost,)
    elsewhere.restore(made.address, age_key)
    assert set(elsewhere.files()) == place.mentioned() - {lost}


def test_files_of_a_kind_that_no_row_is_known_to_mention_are_backed_up_too(place, elsewhere, age_key, tmp_path):
    key = new_key("minutes")
    place.storage.put(key, io.BytesIO(b"of the council"))
    elsewhere.restore(place.back_up(tmp_path).address, age_key)
    assert key in elsewhere.files()


class Forgetful(FileStorage):
    """An older release is running still: it lets files go, rows first, and knows nothing of backups."""

    def __init__(self, place: Place, root: Path) -> None:
        super().__init__(root)
        object.__setattr__(self, "place", place)
        object.__setattr__(self, "times", 0)

    def open(self, key: str):
        if self.times < 1:
            object.__setattr__(self, "times", 1)
            self.place.value("DELETE FROM animal_control.document_page; DELETE FROM animal_control.document")
            for stored_file in list(self.keys()):
                self.delete(stored_file.key)
        return super().open(key)


def test_when_a_file_goes_with_its_row_the_backup_begins_again_from_a_newer_moment(place, backup, tmp_path):
    told: list[str] = []
    storage = Forgetful(place, tmp_path / "files")
    made = back_up(place.settings, place.url, FileBackup(tmp_path / "again.age"), storage=storage, say=told.append)
    assert (made.missing, made.about.files) == ((), 0)
    assert len(told) == 1
    assert "beginning again" in told[0]


def test_a_folder_that_was_never_made_gets_no_file_of_its_name(place, tmp_path):
    with pytest.raises(PlaceFailed, match="There is no folder"):
        place.back_up(tmp_path / "backups")
    assert not (tmp_path / "backups").exists()


def test_a_backup_is_never_written_over_and_nothing_half_done_is_left(place, backup, tmp_path):
    with pytest.raises(BackupFailed, match="is there already"):
        place.back_up(backup)
    place.settings = replace(place.settings, backup_recipients=("age1nonsense",))
    with pytest.raises(BackupFailed, match="“age1nonsense” is no public key of age"):
        place.back_up(tmp_path / "other.age")
    assert not list(tmp_path.glob(".*"))


def test_at_the_console_a_key_is_made_a_backup_checked_and_restored(place, elsewhere, tmp_path):
    def portal(*arguments: object, of: Place, **more: str) -> str:
        environment = {"DATABASE_URL": of.url, "STORAGE_URL": of.storage_url, "PORTAL_DATA": str(tmp_path / "v")}
        ended = CliRunner().invoke(main, [str(one) for one in arguments], env={**environment, **more})
        return f"{ended.exit_code}: {ended.output}"

    key_file, source = tmp_path / "key.txt", tmp_path / "b.age"
    refused = portal("backup", source, of=place)
    assert refused.startswith("1: Error: Say for whom the backup is sealed: BACKUP_RECIPIENTS")
    public = portal("backup-key", key_file, of=place).removeprefix("0: ").strip()
    assert key_file.stat().st_mode & 0o777 == 0o600
    assert "read back and whole" in portal("backup", source, of=place, BACKUP_RECIPIENTS=public)
    assert portal("restore", source, "--identity", key_file, "--only-check", of=elsewhere).startswith("0: ")
    assert is_untouched(elsewhere)
    restored = portal("restore", source, "--identity", key_file, of=elsewhere)
    assert restored.startswith("0: The backup of ")
    assert "AGE-SECRET-KEY" not in restored
    refused = portal("restore", source, "--identity", source.with_name("v") / "secret_key", of=elsewhere)
    assert "is no key file of age: it holds no line that begins with AGE-SECRET-KEY-1" in refused


def test_a_check_needs_no_database(backup, age_key):
    assert check(FileBackup(backup), age_key).files == 4
