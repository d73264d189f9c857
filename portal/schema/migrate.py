"""Bringing a database to the newest schema."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine

FOLDER = Path(__file__).parent / "migrations"
VERSION_SCHEMA = "portal"


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


def head() -> str:
    """The newest revision the code knows."""
    found = ScriptDirectory(str(FOLDER)).get_current_head()
    if found is None:
        raise LookupError("There are no migrations")
    return found


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
