"""Logins of their own: what a process may do follows from how it logs in, behind a pooler and without one."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import make_url, text

from portal.cli import main
from portal.gateways.database.connections import TIME_OUTS, WrongLogin, connect
from portal.schema.roles import DESK, WEB, WORKER
from tests.support.database import Database

Console = Callable[..., str]
NAMES = {"web": "benson_web", "desk": "benson_desk", "worker": "benson_worker"}
ROLE_OF = {"web": WEB, "desk": DESK, "worker": WORKER}
STATE = """
    SELECT current_user, setting::integer, current_setting('timezone') FROM pg_settings WHERE name = 'statement_timeout'
    """


@pytest.fixture
def console(database: Database, tmp_path: Path) -> Iterator[Console]:
    def run(*arguments: str, url: str = database.url, fails: bool = False) -> str:
        environment = {"DATABASE_URL": url, "PORTAL_DATA": str(tmp_path / "var"), "PORTAL_DESK": "off"}
        result = CliRunner().invoke(main, list(arguments), env=environment, catch_exceptions=False)
        assert result.exit_code == (1 if fails else 0), result.output
        return result.output

    yield run
    for name in NAMES.values():
        if database.rows("SELECT 1 FROM pg_roles WHERE rolname = :name", name=name):
            database.run(f"DROP OWNED BY {name}; DROP ROLE {name}")


def pooled(database: Database, login: str) -> str:
    """The address a process behind a pooler has: it can say nothing to the connection when it begins."""
    url = make_url(database.url).set(username=login).update_query_dict({"pooler": "transaction"})
    return url.render_as_string(hide_password=False)


@pytest.mark.parametrize("process", NAMES)
def test_a_login_acts_as_its_role_without_being_told(console: Console, database: Database, process: str) -> None:
    role = ROLE_OF[process]
    said = console("login", NAMES[process], "--for", process)
    assert f"{NAMES[process]} acts as {role} from the moment it connects" in said
    engine = connect(pooled(database, NAMES[process]), role=role)
    with engine.connect() as connection:
        found = connection.execute(text(STATE)).one()
    engine.dispose()
    assert tuple(found) == (role, TIME_OUTS[role].statement_ms, "UTC")


def test_a_login_reaches_no_other_role(console: Console, database: Database) -> None:
    """Nor one that it had before."""
    console("login", "benson_web", "--for", "desk")
    console("login", "benson_web", "--for", "web")
    member_of = "SELECT array_agg(roleid::regrole::text) FROM pg_auth_members WHERE member = 'benson_web'::regrole"
    assert database.value(member_of) == [WEB]
    engine = connect(pooled(database, "benson_web"), role=WEB)
    with engine.connect() as connection, pytest.raises(Exception, match="permission denied to set role"):
        connection.execute(text(f"SET ROLE {DESK}"))
    engine.dispose()


@pytest.mark.parametrize("login", ["postgres", "benson_desk"])
def test_the_wrong_login_behind_a_pooler_serves_nobody(console: Console, database: Database, login: str) -> None:
    """The owner's would work, with every right and no time-out; so it is refused."""
    console("login", "benson_desk", "--for", "desk")
    engine = connect(pooled(database, login), role=WEB)
    with pytest.raises(WrongLogin, match="make one with `portal login`"):
        engine.connect()
    engine.dispose()


def test_the_password_is_shown_once_and_kept_as_a_hash(console: Console, database: Database) -> None:
    kept = "SELECT rolpassword FROM pg_authid WHERE rolname = 'benson_web'"
    first = console("login", "benson_web", "--for", "web").splitlines()[-1]
    hashed = database.value(kept)
    assert hashed.startswith("SCRAM-SHA-256$")
    assert len(first) == 32
    second = console("login", "benson_web", "--for", "web", "--new-password").splitlines()[-1]
    assert len(second) == 32
    assert first != second
    assert database.value(kept) != hashed


def test_a_login_that_is_there_keeps_its_password_until_another_is_asked_for(
    console: Console, database: Database
) -> None:
    """Whoever repeats the command by mistake, or for the time-outs of a new release, locks nobody out."""
    console("login", "benson_web", "--for", "web")
    kept = "SELECT rolpassword FROM pg_authid WHERE rolname = 'benson_web'"
    before = database.value(kept)
    database.run("ALTER ROLE benson_web RESET statement_timeout")
    said = console("login", "benson_web", "--for", "web")
    assert "keeps its password. Say --new-password" in said
    assert database.value(kept) == before
    settings = database.value("SELECT array_to_string(rolconfig, ' ') FROM pg_roles WHERE rolname = 'benson_web'")
    assert "statement_timeout=" in settings


def test_migrations_and_the_console_go_past_the_pooler(console: Console, database: Database) -> None:
    url = pooled(database, "benson_web").replace("+psycopg", "")
    assert "set DATABASE_DIRECT_URL to PostgreSQL itself" in console("migrate", url=url, fails=True)
