"""Each role, connected as itself, does with every column and every table what `roles` says, and nothing else."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from portal.schema.described import described
from portal.schema.roles import GRANTS, ROLES
from tests.support.neighbors import libpq

# EXPLAIN asks for the rights of a statement and does not run it.
DEEDS = {
    "SELECT": "EXPLAIN SELECT {column} FROM {table}",
    "INSERT": "EXPLAIN INSERT INTO {table} ({column}) VALUES (DEFAULT)",
    "UPDATE": "EXPLAIN UPDATE {table} SET {column} = DEFAULT",
}
ELSEWHERE = {
    "the accounts of the server": "SELECT * FROM pg_authid",
    "a table in public": "CREATE TABLE public.mine (id int)",
    "a schema": "CREATE SCHEMA mine",
    "files of the server": "COPY (SELECT 1) TO '/tmp/mine'",
    "another account's rights": "GRANT pg_read_all_data TO city_desk",
    "the version of the schema": "UPDATE portal.alembic_version SET version_num = 'x'",
    "what another schema holds": "SELECT * FROM records.held",
}


@pytest.fixture(scope="module", params=ROLES)
def connected(request, shared_database) -> Iterator[tuple[str, psycopg.Connection]]:
    """A connection as the role, which has given up every other right."""
    shared_database.run("CREATE SCHEMA records; CREATE TABLE records.held (what text)")
    with psycopg.connect(libpq(shared_database.url), options=f"-c role={request.param}", autocommit=True) as connection:
        yield request.param, connection
    shared_database.run("DROP SCHEMA records CASCADE")


def is_let(connection: psycopg.Connection, statement: str) -> bool:
    try:
        connection.execute(statement, prepare=False)
    except InsufficientPrivilege:
        return False
    return True


def test_a_role_reads_adds_and_changes_exactly_the_columns_it_is_given(connected):
    role, connection = connected
    for table in described():
        for column in table.columns:
            given = {"SELECT": column.read_by, "INSERT": column.added_by, "UPDATE": column.changed_by}
            for deed, statement in DEEDS.items():
                let = is_let(connection, statement.format(table=table.fullname, column=f'"{column.name}"'))
                assert let == (role in given[deed]), f"{role} {deed} {table.fullname}.{column.name}"


def test_a_role_removes_rows_only_where_it_is_said(connected):
    role, connection = connected
    removes = {table for table in GRANTS if is_let(connection, f"EXPLAIN DELETE FROM {table}")}
    assert removes == {table for table, rights in GRANTS.items() if "DELETE" in rights.get(role, "")}
    assert not [table for table in removes if not table.startswith(("portal.", "confidential."))]


@pytest.mark.parametrize("what", ELSEWHERE)
def test_a_role_reaches_nothing_else_in_the_database(connected, what):
    _, connection = connected
    assert not is_let(connection, ELSEWHERE[what])


def test_a_role_signs_in_by_itself_nowhere_and_owns_nothing(connected, shared_database):
    role, _ = connected
    found = shared_database.rows(
        "SELECT rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication FROM pg_roles "
        "WHERE rolname = :role",
        role=role,
    )
    assert [set(row.values()) for row in found] == [{False}]
    owned = "SELECT count(*) FROM pg_class WHERE pg_get_userbyid(relowner) = :role"
    assert shared_database.value(owned, role=role) == 0
    others = "SELECT count(*) FROM pg_auth_members WHERE pg_get_userbyid(member) = :role"
    assert shared_database.value(others, role=role) == 0
