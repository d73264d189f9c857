"""The test process's database: one copy of the migrated template, emptied after each test that wrote to it."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import Engine, RowMapping, create_engine, select, text
from sqlalchemy.orm import Session

from portal.schema.catalog import metadata
from tests.support.cluster import Cluster

Row = TypeVar("Row", bound=Any)
Found = TypeVar("Found")

# The evening of the day that the tests' clock shows, in Benson. What the database dates comes after what a clock that
# stands still at ten in the morning says, as it does for whoever runs the tests in the afternoon.
EVENING = datetime(2026, 12, 1, 3, tzinfo=UTC)
NOW = sql.SQL("""
    CREATE OR REPLACE FUNCTION pg_catalog.now() RETURNS timestamptz LANGUAGE sql STABLE STRICT PARALLEL SAFE
    AS $$ SELECT transaction_timestamp() + make_interval(secs => {}) $$
""")
ATTEMPTS = ("portal.rate_limit", "portal.desk_rate_limit")
TABLES = [f"{table.schema}.{table.name}" for table in metadata.sorted_tables]
# Triggers and foreign keys sleep meanwhile, so the order does not matter and events can go. Deleting few rows is ten
# times as quick as truncating: that makes new files for each table and index.
EMPTY = f"SET LOCAL session_replication_role = replica; {'; '.join(f'DELETE FROM {table}' for table in TABLES)}"
OPEN = "FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
LEFT_OPEN = text(f"SELECT query {OPEN}")
END_OPEN = text(f"SELECT pg_terminate_backend(pid) {OPEN}")
COUNTS = text(" UNION ALL ".join(f"SELECT '{table}' AS name, count(*) AS rows FROM {table}" for table in TABLES))
# A row's writing transaction is part of what is compared, so that a change to the same values shows too.
CONTENT = " UNION ALL ".join(
    f"SELECT '{table}' AS name, xmin::text || ' ' || to_jsonb(r)::text AS content FROM {table} r" for table in TABLES
)


@dataclass
class Database:
    """A database seen by its superuser, past every role."""

    url: str
    engine: Engine

    def rows(self, statement: str, **values: Any) -> list[RowMapping]:
        """What a SELECT finds."""
        with self.engine.connect() as connection:
            return list(connection.execute(text(statement), values).mappings())

    def value(self, statement: str, **values: Any) -> Any:
        """The one value a SELECT finds."""
        with self.engine.connect() as connection:
            return connection.execute(text(statement), values).scalar_one()

    def all(self, model: type[Row]) -> list[Row]:
        """Every row of a table as its model, oldest first."""
        with Session(self.engine, expire_on_commit=False) as session:
            return list(session.scalars(select(model).order_by(model.created_at)))

    def run(self, statement: str, **values: Any) -> None:
        """Change something as nobody in the portal may: for what only time or a fault would bring about."""
        with self.engine.begin() as connection:
            connection.execute(text(statement), values)

    def counts(self) -> dict[str, int]:
        """How many rows there are in each table that has any."""
        with self.engine.connect() as connection:
            return {row.name: row.rows for row in connection.execute(COUNTS) if row.rows}

    def content(self, *, except_for: tuple[str, ...] = ()) -> set[tuple[str, str]]:
        """Every row of every table, each with the transaction that wrote it; counted attempts aside."""
        with self.engine.connect() as connection:
            found = {(row.name, row.content) for row in connection.execute(text(CONTENT))}
        return {(name, content) for name, content in found if name not in (*ATTEMPTS, *except_for)}

    def empty(self) -> None:
        """Take every row away."""
        with self.engine.begin() as connection:
            connection.exec_driver_sql(EMPTY)

    def transactions_left_open(self) -> list[str]:
        """The last statement of every connection that holds a transaction and does nothing."""
        with self.engine.connect() as connection:
            return list(connection.scalars(LEFT_OPEN))

    def end_open_transactions(self) -> None:
        """Close those connections, so that the next test is not held up."""
        with self.engine.connect() as connection:
            connection.execute(END_OPEN)


def keep_the_tests_day(url: str) -> None:
    """Let `now()` of this database begin that evening and go on, whatever day it is: much is dated by the database."""
    ahead = (EVENING - datetime.now(UTC)).total_seconds()
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute("SET allow_system_table_mods = on")
        connection.execute(NOW.format(sql.Literal(ahead)))


@pytest.fixture(scope="session")
def shared_database(cluster: Cluster) -> Iterator[Database]:
    """The database of this process; ask for `database`, which empties it."""
    url = cluster.fresh_database()
    keep_the_tests_day(url)
    engine = create_engine(url, pool_size=2, connect_args={"options": "-c lock_timeout=30000"})
    yield Database(url, engine)
    engine.dispose()


@pytest.fixture
def database(shared_database: Database) -> Iterator[Database]:
    """An empty, migrated database."""
    yield shared_database
    left_open = once_quiet(shared_database.transactions_left_open)
    if left_open:
        shared_database.end_open_transactions()
    shared_database.empty()
    assert left_open == [], "a transaction was left open"


def once_quiet(look: Callable[[], Found], *, seconds: float = 30) -> Found:
    """What `look` still finds once nothing is under way: a server may answer its last request after the test."""
    until = time.monotonic() + seconds
    while (found := look()) and time.monotonic() < until:
        time.sleep(0.02)
    return found
