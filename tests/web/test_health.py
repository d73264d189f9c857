"""What machines are told: during an upgrade the release before stays in service on the schema of the next one."""

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from portal.gateways.storage.probe import StorageProbe
from portal.schema.migrate import head, known
from tests.support.database import Database
from tests.support.practice import wait_for

SHARED = ("storage", "mail", "worker")
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


@pytest.fixture
def worker_is_at_work(database, clock):
    """A worker that has just done one of its jobs."""
    noted = "INSERT INTO portal.worker_job (name, every_seconds, succeeded_at) VALUES ('letters', 10, :at)"
    database.run(noted, at=clock.now())


@pytest.mark.usefixtures("worker_is_at_work")
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


@pytest.mark.usefixtures("worker_is_at_work")
def test_what_all_processes_share_is_told_and_takes_none_of_them_away(make_app, files, database, clock):
    """Most pages work while the mail, the worker or the file store does not: a balancer keeps sending visitors."""
    everything = {"storage": "ok", "mail": "ok", "worker": "ok"}
    assert told(make_app()) == (200, "ok", everything)
    database.run(
        "INSERT INTO portal.outgoing_message (recipient, template, context, not_before) VALUES ('a', 'b', '{}', :at)",
        at=clock.now() - timedelta(minutes=11),
    )
    late = {**everything, "mail": "messages have been due for 11 minutes"}
    assert told(make_app()) == (200, "degraded", late)
    files.is_full = True
    assert told(make_app()) == (200, "degraded", {**late, "storage": "can not be written"})
    database.run("UPDATE portal.worker_job SET succeeded_at = :at", at=clock.now() - timedelta(hours=2))
    assert told(make_app())[2]["worker"] == "no worker has done anything for 120 minutes"
    database.run("DELETE FROM portal.worker_job")
    assert told(make_app())[2]["worker"] == "no worker has run yet"


def told(app):
    answer = app.test_client().get("/health/ready")
    return answer.status_code, answer.json["status"], {n: w for n, w in answer.json.items() if n in SHARED}


def test_a_file_store_that_hangs_is_asked_once_and_not_waited_for(monkeypatch):
    monkeypatch.setattr("portal.gateways.storage.probe.PATIENCE_SECONDS", 0.05)
    asked, go_on = [], threading.Event()

    class Hanging:
        def put(self, key, content):
            asked.append(key)
            go_on.wait(100)

        def delete(self, key):
            pass

    probe = StorageProbe(Hanging(), every_seconds=0)
    assert probe.said() == "does not answer"
    wait_for(lambda: asked)
    assert [probe.said() for _ in range(2)] == ["does not answer"] * 2
    assert len(asked) == 1
    go_on.set()


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/desk/health/live", "/desk/health/ready"])
@pytest.mark.usefixtures("worker_is_at_work")
def test_a_probe_asks_a_process_at_its_own_address(both_apps, path):
    app = both_apps[path.startswith("/desk")]
    answer = app.test_client().get(path, headers={"Host": "10.1.2.3:8000"})
    assert (answer.status_code, answer.json["status"]) == (200, "ok")


@pytest.mark.parametrize("path", ["/", "/health/live/", "/desk", "/metrics/x"])
def test_people_are_answered_under_the_sites_name_alone(both_apps, path):
    app = both_apps[path.startswith("/desk")]
    assert app.test_client().get(path, headers={"Host": "10.1.2.3:8000"}).status_code == 400


@pytest.fixture
def both_apps(app, desk_app):
    return app, desk_app


def test_the_desk_is_asked_by_itself(desk_app):
    answer = desk_app.test_client().get("/desk/health/ready")
    assert (answer.status_code, answer.json["worker"]) == (200, "no worker has run yet")
    assert desk_app.test_client().get("/desk/health/live").json == {"status": "ok"}
