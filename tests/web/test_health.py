"""What machines are told: during an upgrade the release before stays in service on the schema of the next one."""

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from portal.schema.migrate import head, known
from tests.support.database import Database

BEFORE = max(known() - {head()})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def schema_becomes(database: Database) -> Iterator[Callable[[str], None]]:
    """Writes another revision on record, and puts the right one back."""

    def become(revision: str) -> None:
        database.run("UPDATE portal.alembic_version SET version_num = :revision", revision=revision)

    yield become
    become(head())


def test_a_process_is_ready_on_the_schema_it_was_written_for(client):
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json["status"]) == (200, "ok")


def test_an_old_process_stays_ready_while_the_next_release_has_migrated(client, schema_becomes):
    schema_becomes("9999")
    answer = client.get("/health/ready")
    assert answer.status_code == 200
    assert answer.json["database"] == f"schema 9999, newer than this release’s {head()}: finish the upgrade"


@pytest.mark.parametrize(
    ("found", "told"),
    [
        pytest.param(BEFORE, f"schema {BEFORE}, expected {head()}: run portal migrate", id="behind"),
        pytest.param("4f2a9c", "schema “4f2a9c”, which is none of the portal’s: look at DATABASE_URL", id="foreign"),
    ],
)
def test_a_process_on_another_schema_gets_no_visitors_and_says_why(client, schema_becomes, found, told):
    schema_becomes(found)
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json["database"]) == (503, told)


def test_a_database_that_was_never_migrated_is_not_taken_for_one_that_is_away(client, database):
    database.run("ALTER TABLE portal.alembic_version RENAME TO elsewhere")
    try:
        answer = client.get("/health/ready")
    finally:
        database.run("ALTER TABLE portal.elsewhere RENAME TO alembic_version")
    assert answer.status_code == 503
    assert answer.json["database"] == f"no tables of the portal, expected schema {head()}: run portal migrate"
