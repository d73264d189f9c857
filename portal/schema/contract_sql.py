"""The shared schema as the statements that make it, for an empty database.

Tables come from the models and rights from `roles`. Types, functions, triggers and policies have no models: they lie
in `routines.sql`, which a test compares with what the migrations make.
"""

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.schema import CreateIndex, CreateTable, SetColumnComment, SetTableComment
from sqlalchemy.sql.ddl import ExecutableDDLElement

from portal.schema import roles
from portal.schema.base import SCHEMAS
from portal.schema.catalog import metadata
from portal.schema.contract import VERSION
from portal.schema.described import DIALECT
from portal.schema.migrate import VERSION_SCHEMA, head

ROUTINES = Path(__file__).with_name("routines.sql")
TABLES_HERE = "-- Tables"
HEADING = f"""-- The shared schema, version {VERSION}, written by `portal schema --as sql`.
-- It makes an empty database what `portal migrate` makes it; run it as the owner of the database, in one transaction.
"""
# Functions are made before the tables they read, since indexes need some of them.
UNCHECKED = "SET LOCAL check_function_bodies = off"


def contract_sql() -> str:
    """Every statement, in an order in which they can be run."""
    before, after = ROUTINES.read_text().split(TABLES_HERE)
    parts = [
        *_ended(["BEGIN", UNCHECKED, *roles.create_roles(), *map("CREATE SCHEMA {}".format, SCHEMAS)]),
        before.strip(),
        *_ended([*_tables(), *_version()]),
        after.strip(),
        *_ended([*roles.grant_schemas(), *roles.default_privileges(), *_grants(), "COMMIT"]),
    ]
    return "\n\n".join([HEADING.strip(), *parts]) + "\n"


def _ended(statements: list[str]) -> Iterator[str]:
    return (f"{statement.strip()};" for statement in statements)


def _tables() -> Iterator[str]:
    for table in metadata.sorted_tables:
        yield _said(CreateTable(table))
        yield from (_said(CreateIndex(index)) for index in sorted(table.indexes, key=lambda index: str(index.name)))
        yield _said(SetTableComment(table))
        yield from (_said(SetColumnComment(column)) for column in table.columns)


def _said(statement: ExecutableDDLElement) -> str:
    lines = str(statement.compile(dialect=DIALECT)).splitlines()
    return "\n".join(line.rstrip() for line in lines).expandtabs(4)


def _version() -> Iterator[str]:
    table = f"{VERSION_SCHEMA}.alembic_version"
    yield f"CREATE TABLE {table} (version_num varchar(32) CONSTRAINT alembic_version_pkc PRIMARY KEY)"
    yield f"INSERT INTO {table} VALUES ('{head()}')"  # noqa: S608 - both are ours


def _grants() -> Iterator[str]:
    for table in roles.GRANTS:
        yield from roles.grants_on_table(table)
    for function in roles.FUNCTIONS:
        yield from roles.grants_on_function(function)
