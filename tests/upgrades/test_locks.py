"""A migration that needs a table which somebody is reading gives way, and holds up nobody who reads it too."""

import threading
import time
from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from sqlalchemy import Connection, create_engine, make_url, pool, text

from portal.cli import main
from portal.gateways.database.connections import TIME_OUTS
from portal.schema import migrate
from portal.schema.roles import WEB
from tests.support.cluster import Cluster

# 0023 adds columns to the table of letters.
BEFORE, AFTER = "0022", "0023"
LOOK = text("SELECT count(*) FROM portal.outgoing_message")
PAGES_WAIT_SECONDS = TIME_OUTS[WEB].lock_ms / 1000  # then a person reads that something went wrong


@pytest.fixture(scope="module")
def template(cluster: Cluster) -> Iterator[str]:
    url = cluster.empty_database()
    migrate.upgrade(url, BEFORE)
    yield str(make_url(url).database)
    cluster.drop(url)


@pytest.fixture
def at_the_release_before(cluster: Cluster, template: str) -> Iterator[str]:
    url = cluster.fresh_database(template)
    yield url
    cluster.drop(url)


@pytest.fixture
def long_reader(at_the_release_before: str) -> Iterator[Connection]:
    """A transaction that has read the letters and does not end, as a report of somebody's may."""
    engine = create_engine(
        at_the_release_before, poolclass=pool.NullPool, connect_args={"application_name": "monthly report"}
    )
    with engine.connect() as connection:
        connection.execute(LOOK)
        time.sleep(1.1)  # the shortest that is worth telling
        yield connection


def test_a_migration_behind_a_long_reader_gives_up_and_says_who_reads(at_the_release_before, long_reader):
    told: list[str] = []
    with pytest.raises(migrate.StillHeld, match=r"at schema 0022.*in use by monthly report \(process \d+, since"):
        migrate.upgrade(at_the_release_before, AFTER, pauses=(0.0,), say=told.append)
    assert len(told) == 1
    assert "monthly report" in told[0]
    assert migrate.found_at(at_the_release_before) == BEFORE


def test_pages_go_on_while_a_migration_waits_and_it_is_made_once_the_reader_is_done(at_the_release_before, long_reader):
    """Whoever reads the same table waits behind the migration for two seconds at most; a page waits for five."""
    url, told = at_the_release_before, []
    looks = 0
    upgrading = threading.Thread(
        target=migrate.upgrade, args=(url, AFTER), kwargs={"pauses": (0.1,) * 100, "say": told.append}
    )
    upgrading.start()
    engine = create_engine(url, connect_args={"options": f"-c lock_timeout={int(PAGES_WAIT_SECONDS * 1000)}"})
    while len(told) < 2:
        with engine.connect() as page:
            page.execute(LOOK)
        looks += 1
        time.sleep(0.02)
    long_reader.rollback()
    upgrading.join()
    engine.dispose()
    assert migrate.found_at(url) == AFTER
    assert looks > 1


def test_an_old_release_leaves_what_the_next_one_has_migrated(database):
    """After a step back to the release before, its `portal migrate` and `portal run` do not stumble."""
    database.run("UPDATE portal.alembic_version SET version_num = '9999'")
    try:
        ended = CliRunner().invoke(main, ["migrate"], env={"DATABASE_URL": database.url})
    finally:
        database.run("UPDATE portal.alembic_version SET version_num = :head", head=migrate.head())
    assert ended.exit_code == 0
    assert "schema 9999, newer than this release’s" in ended.output
