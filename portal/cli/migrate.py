"""`portal migrate`: the newest tables."""

import click

from portal.cli.environment import read_settings, ready_database
from portal.schema.migrate import upgrade


@click.command()
def migrate() -> None:
    """Bring the database to the newest schema; safe to repeat."""
    with ready_database(read_settings()) as database:
        upgrade(database.url)
    click.echo("The database has the newest schema.")
