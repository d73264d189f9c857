"""Bringing a database to the newest schema, and telling how one stands to this code."""

import re
from enum import StrEnum
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine

FOLDER = Path(__file__).parent / "migrations"
VERSION_SCHEMA = "portal"
OURS = re.compile(r"\d{4}")


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


def configuration(url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.set_main_option("path_separator", "os")
    # ConfigParser reads % as the start of a placeholder.
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def upgrade(url: str, revision: str = "head") -> None:
    """Bring the database at `url` up to `revision`. Safe to run twice and from two places at once."""
    command.upgrade(configuration(url), revision)


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
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            return current(connection) == head()
    finally:
        engine.dispose()
