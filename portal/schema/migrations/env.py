"""How migrations run: in one transaction, one at a time, never waiting long for a lock."""

from alembic import context
from sqlalchemy import create_engine, pool, text

from portal.schema import feed, roles
from portal.schema.catalog import metadata
from portal.schema.migrate import VERSION_SCHEMA

ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(9001)")
IMPATIENT = text("SET LOCAL lock_timeout = '5s'")


def run() -> None:
    engine = create_engine(context.config.get_main_option("sqlalchemy.url") or "", poolclass=pool.NullPool)
    with engine.begin() as connection:
        connection.execute(ONE_AT_A_TIME)
        connection.execute(IMPATIENT)
        connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {VERSION_SCHEMA}"))
        context.configure(
            connection=connection,
            target_metadata=metadata,
            include_schemas=True,
            version_table_schema=VERSION_SCHEMA,
            transactional_ddl=True,
        )
        context.run_migrations()
        roles.enforce(connection)
        feed.settle(connection)


run()
