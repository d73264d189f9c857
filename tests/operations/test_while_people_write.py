"""A backup is one moment, though people register, upload and delete while it is made."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from portal.gateways.backups.age_files import AgeKey
from tests.operations.conftest import Kept, Place
from tests.support.practice import wait_for

ROOT = Path(__file__).parents[2]
DOG_NUMBERS = "SELECT array_agg(substr(name, 5)::int) FROM animal_control.animal"
PASSWORD = "hunter2hunter2"
DOCUMENT_NUMBERS = "SELECT array_agg(split_part(original_name, '.', 1)::int) FROM animal_control.document"


@contextmanager
def writing(place: Place) -> Iterator[list[int]]:
    """A process that writes meanwhile; the numbers of what it has done so far."""
    done: list[int] = []
    command = [sys.executable, "-m", "tests.operations.writer", place.url, place.storage_url]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        try:
            while len(done) < 4:
                done.append(int(writer.stdout.readline()))
            yield done
            assert writer.poll() is None, "the writer stopped before the backup was made"
        finally:
            writer.terminate()
            done.extend(int(line) for line in writer.stdout.read().split() if line)


@dataclass
class Meanwhile:
    """A backup that was made at the console, what was written meanwhile, and every command line that was seen."""

    source: str
    done: list[int]
    told: str
    command_lines: set[str] = field(default_factory=set)


@pytest.fixture
def backed_up_meanwhile(place: Place, kept: Kept, tmp_path: Path, age_key: AgeKey) -> Meanwhile:
    made = Meanwhile("", [], "")
    environment = {
        "DATABASE_URL": place.url.replace("postgres@", f"postgres:{PASSWORD}@"),
        "STORAGE_URL": place.storage_url,
        "BACKUP_RECIPIENTS": age_key.public,
        "PORTAL_DATA": str(tmp_path / "data"),
        "PATH": "/usr/bin:/bin",
        **{name: value for name, value in os.environ.items() if name.startswith("AWS_")},
    }
    command = [sys.executable, "-m", "portal.cli", "backup", kept.backups]
    with (
        writing(place) as made.done,
        subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True) as making,
    ):
        while making.poll() is None:
            for child in psutil.Process(making.pid).children(recursive=True):
                with suppress(psutil.Error):
                    made.command_lines.add(" ".join(child.cmdline()))
            time.sleep(0.01)
        assert making.stdout
        made.told = making.stdout.read()
    assert making.returncode == 0
    made.source = made.told.partition(": ")[0]
    return made


@pytest.mark.parametrize("kept_in", ["folder", "bucket"])
def test_what_is_restored_is_one_moment_row_by_row_and_file_by_file(place, elsewhere, age_key, backed_up_meanwhile):
    elsewhere.restore(backed_up_meanwhile.source, age_key)

    dogs = sorted(elsewhere.value(DOG_NUMBERS))
    documents = sorted(elsewhere.value(DOCUMENT_NUMBERS))
    assert dogs == list(range(1, len(dogs) + 1)), "a deed is missing before the last one"
    assert documents == list(range(1, len(documents) + 1))
    assert len(dogs) - len(documents) in (0, 1), "what was written together is not there together"
    assert 4 <= len(documents) < backed_up_meanwhile.done[-1], "nobody wrote meanwhile"
    added_to = {"animal_control.document", "animal_control.document_page", "animal_control.event"}
    assert {row for row in elsewhere.rows() if row[0] in added_to} <= place.rows()

    files, kept = elsewhere.files(), place.files()
    assert elsewhere.mentioned() == set(files), "a file was let go while it was to be copied"
    still_there = files.keys() & kept.keys()  # others went once the backup was made
    assert {key: files[key] for key in still_there} == {key: kept[key] for key in still_there}
    by_hash = elsewhere.value("SELECT array_agg(original_key || ' ' || sha256) FROM animal_control.document")
    assert {f"{key} {digest}" for key, digest in files.items()} >= set(by_hash)
    assert set(kept) > place.mentioned(), "nothing was let go meanwhile"

    assert f"{len(files)} files at " in backed_up_meanwhile.told
    seen = backed_up_meanwhile.command_lines
    assert any("pg_dump" in line and "--snapshot" in line for line in seen)
    assert not [line for line in [*seen, backed_up_meanwhile.told] if PASSWORD in line]


@pytest.mark.parametrize("kept_in", ["folder", "bucket"])
def test_once_nobody_writes_nothing_differs_at_all(place, elsewhere, age_key, kept):
    with writing(place):
        pass
    wait_for(lambda: place.value("SELECT count(*) = 1 FROM pg_stat_activity WHERE datname = current_database()"))
    made = place.back_up(kept.backups)
    done = elsewhere.restore(made.address, age_key)
    assert elsewhere.rows() == place.rows()
    assert elsewhere.feed() == place.feed()
    assert elsewhere.files() == {key: digest for key, digest in place.files().items() if key in place.mentioned()}
    assert (done.about.rows, done.files) == (len(place.rows()), len(elsewhere.files()))
