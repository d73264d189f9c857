"""Migrations are code like any other: they go up, down and up again, and end where the models stand."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import CheckConstraint, create_engine, pool

from portal.schema import migrate
from portal.schema.base import SCHEMAS
from portal.schema.catalog import metadata
from tests.migrations.catalog import contents, lines
from tests.support.cluster import Cluster

SCRIPTS = ScriptDirectory(str(migrate.FOLDER))
REVISIONS = [script.revision for script in SCRIPTS.walk_revisions()][::-1]
CHECKS = """
    SELECT format('%s.%s %s', n.nspname, t.relname, c.conname) FROM pg_constraint c
    JOIN pg_class t ON t.oid = c.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace
    WHERE c.contype = 'c' AND n.nspname = ANY(:schemas)
"""
WITHOUT_COMMENT = """
    SELECT format('%s.%s %s', n.nspname, c.relname, a.attname)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum >= 0 AND NOT a.attisdropped
    WHERE c.relkind = 'r' AND n.nspname = ANY(:schemas) AND c.relname <> 'alembic_version'
    AND coalesce(col_description(c.oid, a.attnum), '') = ''
    UNION ALL
    SELECT format('%s.%s', n.nspname, c.relname)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND n.nspname = ANY(:schemas) AND c.relname <> 'alembic_version'
    AND coalesce(obj_description(c.oid, 'pg_class'), '') = ''
"""


@pytest.fixture
def empty(cluster: Cluster) -> Iterator[str]:
    """The address of a database without any table."""
    url = cluster.empty_database()
    yield url
    cluster.drop(url)


@pytest.fixture
def migrated(cluster: Cluster) -> Iterator[str]:
    """The address of a database at the newest revision."""
    url = cluster.fresh_database()
    yield url
    cluster.drop(url)


def test_there_is_one_line_of_revisions() -> None:
    assert SCRIPTS.get_heads() == [migrate.head()]
    assert len(SCRIPTS.get_bases()) == 1
    assert not [script.revision for script in SCRIPTS.walk_revisions() if script.is_merge_point]


def test_every_revision_can_be_taken_back_and_made_again(empty: str) -> None:
    """And what it leaves behind when it is taken back is what was there before."""
    before, at_rest = "base", contents(empty, *SCHEMAS)
    for revision in REVISIONS:
        migrate.upgrade(empty, revision)
        done = contents(empty, *SCHEMAS)
        assert done != at_rest
        migrate.downgrade(empty, before)
        if before != "base":
            assert contents(empty, *SCHEMAS) == at_rest
        migrate.upgrade(empty, revision)
        assert contents(empty, *SCHEMAS) == done
        before, at_rest = revision, done


def test_all_the_way_down_nothing_of_ours_is_left(migrated: str) -> None:
    migrate.downgrade(migrated, "base")
    assert [line for line in contents(migrated, *SCHEMAS) if "alembic_version" not in line] == []
    migrate.upgrade(migrated)
    assert migrate.is_current(migrated)


def test_the_newest_revision_is_what_the_models_say(migrated: str) -> None:
    engine = create_engine(migrated, poolclass=pool.NullPool)
    options = {
        "include_schemas": True,
        "include_name": lambda name, kind, _: kind != "schema" or name in SCHEMAS,
        "version_table_schema": migrate.VERSION_SCHEMA,
        "compare_type": True,
        "compare_server_default": True,
    }
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []


def test_every_check_of_the_models_is_in_the_database(migrated: str) -> None:
    """Comparing metadata does not look at check constraints."""
    wanted = {
        f"{table.schema}.{table.name} {constraint.name}"
        for table in metadata.tables.values()
        for constraint in table.constraints
        if isinstance(constraint, CheckConstraint)
    }
    assert wanted
    assert set(lines(migrated, CHECKS, schemas=list(SCHEMAS))) == wanted


def test_every_table_and_every_column_says_what_it_is(migrated: str) -> None:
    assert lines(migrated, WITHOUT_COMMENT, schemas=list(SCHEMAS)) == []


def test_migrating_twice_changes_nothing(migrated: str) -> None:
    before = contents(migrated, *SCHEMAS)
    migrate.upgrade(migrated)
    assert contents(migrated, *SCHEMAS) == before


def test_two_processes_that_start_at_once_migrate_once(empty: str) -> None:
    program = "import sys; from portal.schema.migrate import upgrade; upgrade(sys.argv[1])"
    processes = [subprocess.Popen([sys.executable, "-c", program, empty]) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    assert migrate.is_current(empty)


def test_a_database_behind_the_code_is_told_apart(migrated: str) -> None:
    assert migrate.is_current(migrated)
    migrate.downgrade(migrated, "-1")
    assert not migrate.is_current(migrated)


def test_a_migration_that_fails_leaves_the_database_as_it_was(migrated: str) -> None:
    migrate.downgrade(migrated, "base")
    engine = create_engine(migrated, poolclass=pool.NullPool)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE animal_control.event (in_the_way int)")
    before = contents(migrated, *SCHEMAS)
    with pytest.raises(Exception, match="already exists"):
        migrate.upgrade(migrated)
    assert contents(migrated, *SCHEMAS) == before
