"""The example of docs/examples follows a live portal: what it keeps is what the portal has, however often it dies."""

import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "follow_licenses.py"
IN_FORCE = "SELECT id::text, year, number, valid_until::text FROM animal_control.license WHERE state = 'issued'"


@pytest.fixture
def account(database) -> Iterator[str]:
    """The address of the database for software of the city: an account of its own, a member of the desk's role."""
    database.run("CREATE ROLE city_software LOGIN IN ROLE city_desk")
    yield database.url.replace("+psycopg", "").replace("//postgres", "//city_software", 1)
    database.run("DROP ROLE city_software")


@contextmanager
def following(account: str, file: Path) -> Iterator[subprocess.Popen]:
    with subprocess.Popen([sys.executable, str(EXAMPLE), account, str(file)]) as program:
        yield program
        assert program.poll() is None, "the example ended of itself"
        program.kill()


def kept(file: Path) -> set[tuple]:
    if not file.exists():
        return set()
    with closing(sqlite3.connect(file)) as own:
        try:
            return set(own.execute("SELECT id, year, number, valid_until FROM license"))
        except sqlite3.OperationalError:
            return set()


def wait_for(file: Path, database) -> None:
    """Until the example has what the portal has."""
    until = time.monotonic() + 90
    while (have := kept(file)) != (want := {tuple(row.values()) for row in database.rows(IN_FORCE)}):
        assert time.monotonic() < until, f"{len(have)} of {len(want)} arrived"
        time.sleep(0.05)


def test_the_example_keeps_up_with_a_live_portal_through_kills(account, registrations, database, tmp_path):
    file = tmp_path / "licenses.sqlite"
    with following(account, file):
        registrations.licensed("Pepper")
        wait_for(file, database)
        registrations.licensed("Rex", email="gavin@example.com")
    registrations.licensed("Echo", email="ana@example.com")
    with following(account, file):
        wait_for(file, database)
        assert len(kept(file)) == 3
        database.run(
            "UPDATE animal_control.license SET state = 'revoked' WHERE number = 1; "
            "INSERT INTO animal_control.event (kind, subject_table, subject_id, actor) "
            "SELECT 'license.revoked', 'license', id, 'officer' FROM animal_control.license WHERE number = 1"
        )
        wait_for(file, database)
    assert len(kept(file)) == 2
