"""Pages from a replica: quick where they may be a moment old, and never without what one wrote oneself."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text

from portal.gateways.database.replica import Replica
from portal.gateways.postgres.embedded import EmbeddedPostgres
from portal.schema.roles import WEB
from tests.support.cluster import Cluster
from tests.support.database import Database
from tests.support.people import Arrival
from tests.support.portal import AppMaker
from tests.support.pound import impounded
from tests.support.standby import following, sent_on, told

Look = Callable[..., Replica]


@pytest.fixture(scope="module")
def copy(cluster: Cluster) -> Iterator[EmbeddedPostgres]:
    with following(cluster.server) as server:
        yield server


@pytest.fixture
def look(cluster: Cluster, database: Database, app: Flask) -> Iterator[Look]:
    """A process's view of a copy, once that has caught up."""
    opened = []

    def look(server: EmbeddedPostgres, **more: Any) -> Replica:
        address = server.url(database.url.partition("@/")[2].partition("?")[0])
        replica = Replica(app.extensions["portal"].engine, address, role=WEB, **more)
        opened.append(replica)
        written = replica.written()

        def has_caught_up() -> bool:
            sent_on(cluster.server)
            return replica.holds(written)

        wait_until(has_caught_up)
        return replica

    yield look
    for replica in opened:
        replica.close()


@pytest.fixture
def paused(copy: EmbeddedPostgres, look: Look, make_app: AppMaker, arrive: Arrival) -> Iterator[Flask]:
    """A portal that reads from a copy where nothing new has come in for a moment."""
    app = make_app(replica=look(copy, most_behind_seconds=60))
    told(copy, "SELECT pg_wal_replay_pause()")
    yield app
    told(copy, "SELECT pg_wal_replay_resume()")


def wait_until(happens: Callable[[], object], *, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


def test_a_page_for_everybody_may_be_a_moment_old(paused: Flask, arrive: Arrival, database: Database) -> None:
    impounded(database)
    assert "beagle" not in arrive(app=paused).visit("/pound").text
    assert "beagle" in arrive().visit("/pound").text


def test_whoever_wrote_something_sees_it_at_once(paused: Flask, arrive: Arrival, copy: EmbeddedPostgres) -> None:
    pat = arrive(app=paused).sign_in(then="/me")
    assert pat.path == "/me"
    seen = pat.client.get_cookie("written")
    assert seen is not None
    assert seen.max_age == 60


def test_a_link_that_is_younger_than_the_copy_opens(paused: Flask, arrive: Arrival, database: Database) -> None:
    beagle = impounded(database)
    assert arrive(app=paused).visit(f"/pound/{beagle.id}").h1 == "Tan and white beagle at the pound"


def test_software_without_cookies_reads_where_it_wrote(paused: Flask, database: Database) -> None:
    impounded(database)
    asked = paused.test_client().get("/pound", headers={"Authorization": "Bearer of-whatever"})
    assert "beagle" in asked.text


def test_what_the_copy_holds_counts_only_while_it_is_new(
    copy: EmbeddedPostgres, look: Look, database: Database
) -> None:
    replica = look(copy, most_behind_seconds=0.6)
    told(copy, "SELECT pg_wal_replay_pause()")
    impounded(database)
    try:
        wait_until(lambda: not replica.holds(0))
    finally:
        told(copy, "SELECT pg_wal_replay_resume()")
    wait_until(lambda: replica.holds(0))


def test_where_nothing_new_is_committed_the_copy_stays_up_to_date(
    copy: EmbeddedPostgres, look: Look, database: Database
) -> None:
    replica = look(copy, most_behind_seconds=4)  # the primary is nudged after 1.2: a machine may stand still meanwhile
    with database.engine.connect() as unfinished:
        unfinished.execute(text("CREATE TABLE portal.half_done AS SELECT 1 AS one"))
        until = time.monotonic() + 7
        while time.monotonic() < until:
            assert replica.holds(0)
            time.sleep(0.05)
        unfinished.rollback()


def test_a_copy_that_became_the_primary_or_went_away_is_left_alone(
    cluster: Cluster, look: Look, make_app: AppMaker, arrive: Arrival, database: Database
) -> None:
    with following(cluster.server) as copy:
        replica = look(copy)
        pages = arrive(app=make_app(replica=replica))
        told(copy, "SELECT pg_promote()")
        wait_until(lambda: not replica.holds(0))
        impounded(database)
        assert "beagle" in pages.visit("/pound").text
    with following(cluster.server) as copy:
        replica = look(copy)
        pages = arrive(app=make_app(replica=replica))
    assert pages.visit("/pound").h1
