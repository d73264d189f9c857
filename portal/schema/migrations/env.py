"""How migrations run: one process at a time, each migration in a transaction of its own that waits for no lock long.

Whoever asks for a lock that a long reader holds makes everybody queue behind it. So a migration gives up after two
seconds, sooner than the pages do, and `migrate.upgrade` tries it again. What one migration changed and granted is
there at once or not at all, so that processes of the release before go on working between two of them.
"""

import time

from alembic import context
from alembic.runtime.migration import MigrationInfo
from sqlalchemy import Connection, create_engine, pool, text

from portal.schema import feed, roles
from portal.schema.catalog import metadata
from portal.schema.migrate import VERSION_SCHEMA, current

# Asked for again and again instead of waited for: a waiting statement would hold up an index that is made concurrently.
ALONE = text("SELECT pg_try_advisory_lock(9001)")
NO_LONGER = text("SELECT pg_advisory_unlock(9001)")
IMPATIENT = text("SET lock_timeout = '2s'")
POLL_SECONDS = 0.2


def run() -> None:
    engine = create_engine(context.config.get_main_option("sqlalchemy.url") or "", poolclass=pool.NullPool)
    with engine.connect() as connection:
        while not connection.scalar(ALONE):
            connection.rollback()
            time.sleep(POLL_SECONDS)
        connection.execute(IMPATIENT)
        connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {VERSION_SCHEMA}"))
        connection.commit()
        _migrate(connection)
        connection.execute(NO_LONGER)
        connection.commit()


def _migrate(connection: Connection) -> None:
    """A new database has nobody to wait for: there everything is one transaction, which is quicker."""
    is_new = current(connection) is None
    connection.rollback()
    steps: list[str | None] = []

    def note(ctx: object, step: MigrationInfo, heads: object, run_args: object) -> None:
        steps.append(step.up_revision_id)
        if not is_new:
            roles.enforce(connection)

    context.configure(
        connection=connection,
        target_metadata=metadata,
        include_schemas=True,
        version_table_schema=VERSION_SCHEMA,
        transactional_ddl=True,
        transaction_per_migration=not is_new,
        on_version_apply=note,
    )
    with context.begin_transaction():
        context.run_migrations()
        if is_new and steps:
            roles.enforce(connection)
    if not steps:  # a restored database has its tables, and none of the rights
        roles.enforce(connection)
    feed.settle(connection)
    connection.commit()


run()
