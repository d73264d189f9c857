"""What each role is refused by the database itself, whatever the code above it does."""

import re
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import ProgrammingError

from portal.gateways.database.connections import connect
from portal.schema.base import SCHEMAS
from portal.schema.catalog import metadata
from portal.schema.roles import DESK, GRANTS, ROLES, WEB, WORKER, create_roles
from tests.support.cluster import Cluster
from tests.support.database import TABLES, Database

SHARED = [table for table in TABLES if table.startswith("animal_control.")]
TABLES_AND_ROLES = (
    "SELECT DISTINCT grantee FROM information_schema.role_table_grants WHERE table_schema = ANY(:schemas)"
)
INSUFFICIENT_PRIVILEGE = "42501"
May = Callable[..., set[tuple[str, str]]]


def is_allowed(engine: Engine, statement: str) -> bool:
    """Whether the database lets it happen. Nothing is kept."""
    with engine.connect() as connection:
        try:
            connection.execute(text(statement))
        except ProgrammingError as refused:
            if getattr(refused.orig, "sqlstate", None) != INSUFFICIENT_PRIVILEGE:
                raise
            return False
    return True


@pytest.fixture(scope="module")
def engines(shared_database: Database) -> Iterator[dict[str, Engine]]:
    """A connection as each role."""
    engines = {role: connect(shared_database.url, role=role, pool_size=1) for role in ROLES}
    yield engines
    for engine in engines.values():
        engine.dispose()


@pytest.fixture
def granted(engines: dict[str, Engine]) -> May:
    """Of some statements by what they do, which role may do which."""

    def granted(statements: dict[str, str], *roles: str) -> set[tuple[str, str]]:
        return {
            (role, what)
            for role in roles or ROLES
            for what, statement in statements.items()
            if is_allowed(engines[role], statement)
        }

    return granted


def test_each_connection_acts_as_its_role(engines: dict[str, Engine]) -> None:
    for role, engine in engines.items():
        with engine.connect() as connection:
            assert connection.scalar(text("SELECT current_user")) == role


def test_no_connection_waits_without_end(engines: dict[str, Engine]) -> None:
    for engine in engines.values():
        with engine.connect() as connection:
            for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
                assert connection.scalar(text(f"SHOW {name}")) != "0"
            assert connection.scalar(text("SHOW TimeZone")) == "UTC"


def test_nobody_changes_or_removes_what_happened(granted: May) -> None:
    event = "animal_control.event"
    rewriting = {
        "change": f"UPDATE {event} SET actor = 'nobody' WHERE false",
        "remove": f"DELETE FROM {event} WHERE false",
        "empty": f"TRUNCATE {event}",
    }
    assert granted(rewriting) == set()
    # Reports stand in the feed too: whoever serves their readers must not learn of one from it (13.82).
    assert granted({"read": f"SELECT * FROM {event}"}) == {(DESK, "read")}


@pytest.mark.parametrize("role", ROLES)
def test_no_role_is_given_the_right_to_change_what_happened(database: Database, role: str) -> None:
    """The trigger would refuse it too; neither relies on the other."""
    right = "SELECT has_table_privilege(:role, 'animal_control.event', 'UPDATE, DELETE, TRUNCATE')"
    assert not database.value(right, role=role)


@pytest.mark.parametrize("deed", ["UPDATE {0} SET actor = 'nobody'", "DELETE FROM {0}", "TRUNCATE {0}"])
def test_not_even_the_owner_changes_what_happened(database: Database, deed: str) -> None:
    with pytest.raises(ProgrammingError, match="append-only"):
        database.run(deed.format("animal_control.event"))


def test_the_portal_removes_nothing_that_the_city_keeps(granted: May) -> None:
    removing = {table: f"DELETE FROM {table} WHERE false" for table in SHARED}
    assert granted(removing) == set()


def test_nobody_empties_a_table(granted: May) -> None:
    assert granted({table: f"TRUNCATE {table} CASCADE" for table in TABLES}) == set()


def test_nobody_changes_the_schema(granted: May) -> None:
    changing = {f"a table in {schema}": f"CREATE TABLE {schema}.mine (id int)" for schema in (*SCHEMAS, "public")}
    changing |= {f"drop {table}": f"DROP TABLE {table} CASCADE" for table in TABLES}
    changing["silence a trigger"] = "ALTER TABLE animal_control.event DISABLE TRIGGER ALL"
    changing["drop a trigger"] = "DROP TRIGGER event_is_append_only ON animal_control.event"
    assert granted(changing) == set()


def test_the_desk_reads_nothing_that_signs_people_in(granted: May) -> None:
    secrets = {
        "sign-ins": "SELECT * FROM portal.sign_in",
        "codes and links": "SELECT * FROM portal.sign_in_request",
        "drafts": "SELECT * FROM portal.draft",
        "what was kept of forms": "SELECT * FROM portal.kept_answers",
        "what messages tell": "SELECT context FROM portal.outgoing_message",
        "uploads": "SELECT * FROM portal.upload",
        "rate limits": "SELECT * FROM portal.rate_limit",
    }
    assert granted(secrets, DESK) == set()
    assert len(granted(secrets, WEB)) == len(secrets)


def test_the_desk_works_with_what_the_city_keeps(granted: May) -> None:
    reading = {table: f"SELECT * FROM {table}" for table in SHARED}
    assert granted(reading, DESK) == {(DESK, table) for table in SHARED}
    deciding = {"decide": "UPDATE animal_control.vaccination SET state = 'accepted' WHERE false"}
    assert granted(deciding, DESK) == {(DESK, "decide")}


def test_the_worker_changes_no_person_and_no_animal(granted: May) -> None:
    changing = {
        table: f"UPDATE animal_control.{table} SET id = id WHERE false"
        for table in ("person", "premises", "animal", "document", "departure")
    }
    changing["account"] = "UPDATE portal.account SET email = '' WHERE false"
    assert granted(changing, WORKER) == set()


def test_only_the_worker_marks_messages_as_sent(granted: May) -> None:
    marking = {"sent": "UPDATE portal.outgoing_message SET sent_at = now() WHERE false"}
    assert granted(marking) == {(WORKER, "sent")}


def test_every_table_says_who_may_use_it(database: Database) -> None:
    """A table that no role may use, or that somebody else may, was forgotten."""
    assert set(GRANTS) == {f"{table.schema}.{table.name}" for table in metadata.tables.values()}
    grantees = {row.grantee for row in database.rows(TABLES_AND_ROLES, schemas=list(SCHEMAS))}
    assert grantees - {"postgres"} == set(ROLES)


CONFIDENTIAL = {
    "add": "INSERT INTO confidential.report (words) VALUES ('the dog next door')",
    "add and read back": "INSERT INTO confidential.report (words) VALUES ('the dog next door') RETURNING words",
    "read": "SELECT * FROM confidential.report",
    "count": "SELECT count(*) FROM confidential.report",
    "change": "UPDATE confidential.report SET words = 'nothing'",
    "remove": "DELETE FROM confidential.report",
}


def test_a_confidential_table_is_added_to_by_the_portal_and_read_by_nobody(cluster: Cluster) -> None:
    """13.44: a table made there later is out of the portal's sight from its first moment."""
    url = cluster.fresh_database()
    owner = Database(url, connect(url, role="postgres", pool_size=1))
    engines = {role: connect(url, role=role, pool_size=1) for role in ROLES}
    try:
        owner.run("CREATE TABLE confidential.report (words text)")
        found = {
            (role, what)
            for role, engine in engines.items()
            for what, statement in CONFIDENTIAL.items()
            if is_allowed(engine, statement)
        }
        assert found == {(WEB, "add")}
    finally:
        for engine in (*engines.values(), owner.engine):
            engine.dispose()
        cluster.drop(url)


def test_an_owner_that_is_no_superuser_may_take_the_roles_it_made(shared_database: Database) -> None:
    """As on most servers that a city rents: CREATEROLE, and nothing more."""
    shared_database.run("CREATE ROLE a_city CREATEROLE")
    try:
        with shared_database.engine.connect() as connection:
            connection.execute(text("SET LOCAL ROLE a_city"))
            for statement in create_roles():
                connection.execute(text(re.sub(r"\b(portal_web|portal_worker|city_desk)\b", r"its_\1", statement)))
            assert connection.scalar(text("SELECT pg_has_role('a_city', 'its_portal_web', 'SET')"))
    finally:
        shared_database.run("DROP ROLE a_city")
