"""Bringing a database to the newest schema, and telling how one stands to this code."""

import re
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, pool, text
from sqlalchemy.exc import OperationalError

FOLDER = Path(__file__).parent / "migrations"
VERSION_SCHEMA = "portal"
OURS = re.compile(r"\d{4}")
# A lock could not be had, or two waited for each other: https://www.postgresql.org/docs/current/errcodes-appendix.html
NOT_NOW = {"55P03", "40P01"}
# Some three minutes: the portal itself holds no transaction longer than half a minute.
PAUSES_SECONDS = (1.0, 2.0, 4.0, 8.0, *(15.0,) * 12)
OLDEST_OTHERS = text("""
    SELECT format('%s (process %s, since %s UTC)', coalesce(nullif(application_name, ''), usename), pid,
                  to_char(xact_start AT TIME ZONE 'UTC', 'HH24:MI:SS'))
    FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < now() - interval '1 second'
    ORDER BY xact_start LIMIT 3
""")


class Standing(StrEnum):
    """How the schema of a database stands to what this code expects."""

    CURRENT = "current"
    NEWER = "newer"
    BEHIND = "behind"
    EMPTY = "empty"
    FOREIGN = "foreign"

    @property
    def can_be_worked_with(self) -> bool:
        """During an upgrade the release before works beside the next one, on the schema of the next one."""
        return self in (Standing.CURRENT, Standing.NEWER)


class StillHeld(Exception):
    """A migration never got the lock that it needs; the message tells who may be holding it."""


def configuration(url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.set_main_option("path_separator", "os")
    # ConfigParser reads % as the start of a placeholder.
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def upgrade(
    url: str,
    revision: str = "head",
    *,
    pauses: Sequence[float] = PAUSES_SECONDS,
    say: Callable[[str], None] = lambda _: None,
) -> None:
    """Bring the database at `url` up to `revision`. Safe to run twice and from two places at once.

    A migration that can't have its lock at once gives way to who holds it, and is tried again after each of the pauses.
    A database that a later release has migrated is left as it is.
    """
    if standing(found_at(url)) is Standing.NEWER:
        return
    for pause in (*pauses, None):
        try:
            command.upgrade(configuration(url), revision)
        except OperationalError as failure:
            if getattr(failure.orig, "sqlstate", None) not in NOT_NOW:
                raise
        else:
            return
        if pause is not None:
            say(f"The tables are in use by {_holders(url)}. Trying again in {pause:g} s.")
            time.sleep(pause)
    raise StillHeld(
        f"The database is at schema {found_at(url)}, and the next migration got no lock: its tables are in use by "
        f"{_holders(url)}. The portal goes on working as it is. End what holds them and run portal migrate again."
    )


def downgrade(url: str, revision: str) -> None:
    """Take the database at `url` back to `revision`."""
    command.downgrade(configuration(url), revision)


@cache
def known() -> frozenset[str]:
    """Every revision the code knows."""
    return frozenset(script.revision for script in ScriptDirectory(str(FOLDER)).walk_revisions())


@cache
def head() -> str:
    """The newest revision the code knows."""
    found = ScriptDirectory(str(FOLDER)).get_current_head()
    if found is None:
        raise LookupError("There are no migrations")
    return found


def standing(found: str | None) -> Standing:
    """How a database at the revision `found` stands to this code.

    Revisions are added and never taken away, so one in our manner that we do not know was made by a later release.
    """
    if found is None:
        return Standing.EMPTY
    if found == head():
        return Standing.CURRENT
    if found in known():
        return Standing.BEHIND
    return Standing.NEWER if OURS.fullmatch(found) else Standing.FOREIGN


def in_words(found: str | None) -> str:
    """How a database at the revision `found` stands to this code, and what to do about it."""
    return {
        Standing.CURRENT: f"schema {found}",
        Standing.NEWER: f"schema {found}, newer than this release’s {head()}: finish the upgrade",
        Standing.BEHIND: f"schema {found}, expected {head()}: run portal migrate",
        Standing.EMPTY: f"no tables of the portal, expected schema {head()}: run portal migrate",
        Standing.FOREIGN: f"schema “{found}”, which is none of the portal’s: look at DATABASE_URL",
    }[standing(found)]


def current(connection: Connection) -> str | None:
    """The revision the database is at."""
    context = MigrationContext.configure(connection, opts={"version_table_schema": VERSION_SCHEMA})
    return context.get_current_revision()


def is_current(url: str) -> bool:
    """Whether the database has what the code expects."""
    return found_at(url) == head()


def found_at(url: str) -> str | None:
    """The revision of the database at `url`."""
    engine = create_engine(url, poolclass=pool.NullPool)
    with engine.connect() as connection:
        return current(connection)


def _holders(url: str) -> str:
    """Who has held a transaction open for longest: the usual cause. What they ask for is not told, it names people."""
    engine = create_engine(url, poolclass=pool.NullPool)
    with engine.connect() as connection:
        found = list(connection.scalars(OLDEST_OTHERS))
    return ", ".join(found) or "a transaction that has just ended"
