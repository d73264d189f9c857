"""Logins that act as one role from the moment they connect, for whoever stands behind a pooler.

A pooler in transaction mode gives each transaction another connection, so nothing that a process says to its connection
lasts. What every connection needs is therefore said of the login, once.
"""

from collections.abc import Iterator, Mapping

from sqlalchemy import Connection, text

from portal.schema.roles import ROLES


def has_login(connection: Connection, name: str) -> bool:
    """Whether there is such a login."""
    found = connection.scalar(text("SELECT true FROM pg_roles WHERE rolname = :name"), {"name": name})
    return found is not None


def give_login(
    connection: Connection, name: str, *, role: str, password: str | None, settings: Mapping[str, str]
) -> None:
    """Make the login, or mend an existing one; it is a member of no role of ours but `role`.

    Without a password an existing one keeps its own.
    """
    for statement in _statements(connection, name, role, settings):
        connection.exec_driver_sql(statement)
    if password is None:
        return
    # The server gets what it keeps, not the password: statements may be written to a log.
    driver = connection.connection.dbapi_connection
    kept = driver.pgconn.encrypt_password(password.encode(), name.encode(), b"scram-sha-256").decode()  # type: ignore[union-attr]
    connection.exec_driver_sql(f"ALTER ROLE {_quoted(connection, name)} PASSWORD '{kept}'")


def _statements(connection: Connection, name: str, role: str, settings: Mapping[str, str]) -> Iterator[str]:
    login = _quoted(connection, name)
    if not has_login(connection, name):
        yield f"CREATE ROLE {login} LOGIN NOINHERIT"
    yield f"REVOKE {', '.join(other for other in ROLES if other != role)} FROM {login}"
    yield f"GRANT {role} TO {login}"
    yield f"GRANT CONNECT ON DATABASE {_quoted(connection, _database(connection))} TO {login}"
    for setting, value in ({"role": role} | dict(settings)).items():
        yield f"ALTER ROLE {login} SET {setting} = '{value}'"


def _quoted(connection: Connection, name: str) -> str:
    return connection.dialect.identifier_preparer.quote_identifier(name)


def _database(connection: Connection) -> str:
    return str(connection.scalar(text("SELECT current_database()")))
