"""Other software in the same database: it adds columns, tables, triggers, views and indexes, and writes to our rows.

`PORTAL_TEST_NEIGHBORS=1` has it in the database of every test, so that any of them can be run beside it:
`PORTAL_TEST_NEIGHBORS=1 pytest tests/services tests/web tests/worker tests/api`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import namedtuple_row
from psycopg.types.json import Jsonb

from portal.schema.base import ANIMAL_CONTROL
from portal.schema.catalog import metadata
from portal.schema.roles import DESK

TABLES = [table.name for table in metadata.sorted_tables if table.schema == ANIMAL_CONTROL]
OWN_TABLES = """
CREATE SCHEMA records;
CREATE TABLE records.change (
    id bigserial PRIMARY KEY, table_name text, row_before jsonb, row_after jsonb, by_role text
);
CREATE TABLE records.visit (
    id bigserial PRIMARY KEY,
    animal_id uuid NOT NULL REFERENCES animal_control.animal,
    premises_id uuid REFERENCES animal_control.premises ON DELETE RESTRICT,
    note text
);
CREATE TABLE animal_control.zz_case (id bigserial PRIMARY KEY, license_id uuid REFERENCES animal_control.license);
CREATE VIEW records.dogs AS SELECT a.*, l.number FROM animal_control.animal a
    LEFT JOIN animal_control.license l ON l.animal_id = a.id;
CREATE INDEX zz_animal_color ON animal_control.animal (lower(color));
CREATE FUNCTION records.note_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
    INSERT INTO records.change (table_name, row_before, row_after, by_role)
    VALUES (TG_TABLE_NAME, CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(OLD) END, to_jsonb(NEW), session_user);
    RETURN NULL;
END $$;
CREATE FUNCTION records.touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.zz_touched := true;
    RETURN NEW;
END $$;
"""
IN_EACH_TABLE = """
ALTER TABLE {table} ADD COLUMN zz_case_number text, ADD COLUMN zz_touched boolean NOT NULL DEFAULT false,
    ADD COLUMN "user" jsonb NOT NULL DEFAULT '{{}}', ADD CONSTRAINT zz_told CHECK (zz_case_number <> '');
CREATE TRIGGER zz_note_change AFTER INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION records.note_change();
CREATE TRIGGER aa_touch BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION records.touch();
"""
OUT_OF_EACH_TABLE = """
DROP TRIGGER zz_note_change ON {table};
DROP TRIGGER aa_touch ON {table};
ALTER TABLE {table} DROP COLUMN zz_case_number CASCADE, DROP COLUMN zz_touched CASCADE, DROP COLUMN "user" CASCADE;
"""
OWN_TABLES_GONE = """
DROP INDEX animal_control.zz_animal_color;
DROP TABLE animal_control.zz_case;
DROP SCHEMA records CASCADE;
"""


def move_in(url: str) -> None:
    """Add what a neighbor adds, as the owner of the database."""
    _run(url, OWN_TABLES, *_each(IN_EACH_TABLE))


def move_out(url: str) -> None:
    """Take all of it away again."""
    _run(url, *_each(OUT_OF_EACH_TABLE), OWN_TABLES_GONE)


def _each(statements: str) -> Iterator[sql.Composed]:
    return (sql.SQL(statements).format(table=sql.Identifier(ANIMAL_CONTROL, name)) for name in TABLES)


def _run(url: str, *parts: str | sql.Composed) -> None:
    with psycopg.connect(libpq(url)) as connection:
        for part in parts:
            connection.execute(part)


def libpq(url: str) -> str:
    return url.replace("+psycopg", "")


@dataclass
class City:
    """The city's own software: plain SQL in the role of the desk, without a line of the portal."""

    connection: psycopg.Connection[Any]

    def run(self, statement: str, **values: Any) -> Any:
        """The first row of what it returns, if anything. It is kept with the next `commit`."""
        found = self.connection.execute(statement, values)
        return found.fetchone() if found.description else None

    def tell(self, kind: str, table: str, key: Any, **detail: Any) -> None:
        """The event that goes with a change."""
        self.run(
            "INSERT INTO animal_control.event (kind, subject_table, subject_id, actor, detail) "
            "VALUES (%(kind)s, %(table)s, %(key)s, 'officer:amy@benson.example', %(detail)s)",
            kind=kind,
            table=table,
            key=key,
            detail=Jsonb(detail),
        )

    def commit(self) -> None:
        self.connection.commit()


@contextmanager
def city_software(url: str) -> Iterator[City]:
    """A connection that holds its transaction until `commit`; what was not kept is taken back."""
    with psycopg.connect(libpq(url), options=f"-c role={DESK}", row_factory=namedtuple_row) as connection:
        yield City(connection)
        connection.rollback()
