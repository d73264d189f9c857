"""A real PostgreSQL for the tests: one server for each test process, a fresh copy of a migrated database on demand."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from portal.gateways.postgres.embedded import EmbeddedPostgres
from portal.schema.migrate import upgrade
from tests.support.neighbors import move_in

TEMPLATE = "portal_template"
IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
MAY_BE_LOST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "60",
    "autovacuum": "off",
}


@dataclass
class Cluster:
    """A server whose databases are copies of one template."""

    server: EmbeddedPostgres
    _numbers: Iterator[int] = field(default_factory=count)

    def make_template(self, migrate: Callable[[str], object]) -> None:
        """Make the database that the others are copied from; `migrate` is given its address."""
        self.server.ensure_database(TEMPLATE)
        migrate(self.server.url(TEMPLATE))

    def fresh_database(self, template: str = TEMPLATE) -> str:
        """The address of a new database, equal to the template, that no other test has seen."""
        name = f"portal_{next(self._numbers)}"
        self._run(sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY"), name, template)
        return self.server.url(name)

    def empty_database(self) -> str:
        """The address of a new database without any table, for tests of migrations."""
        return self.fresh_database(template="template0")

    def drop(self, url: str) -> None:
        """Throw a database away, along with whoever is still connected to it."""
        self._run(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)"), url.partition("@/")[2].partition("?")[0])

    def _run(self, statement: sql.SQL, *names: str) -> None:
        with psycopg.connect(_libpq(self.server.url("postgres")), autocommit=True) as connection:
            connection.execute(statement.format(*map(sql.Identifier, names)))


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A server of this process alone, in memory where the machine allows it, gone without a trace afterwards."""
    parent = IN_MEMORY if IN_MEMORY.is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="animal-portal-", dir=parent))
    folder.chmod(0o711)  # under root the server runs as another account, which has to pass
    try:
        with EmbeddedPostgres(folder / "postgres", settings=MAY_BE_LOST) as server:
            yield Cluster(server)
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One server with a migrated template for each test process; use `cluster.fresh_database()` in a test."""
    with running_cluster() as cluster:
        cluster.make_template(upgrade)
        if os.environ.get("PORTAL_TEST_NEIGHBORS"):
            cluster.make_template(move_in)
        yield cluster


def _libpq(url: str) -> str:
    return url.replace("postgresql+psycopg:", "postgresql:")
