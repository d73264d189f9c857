"""`portal migrate`: the newest tables."""

import click

from portal.cli.environment import read_settings, ready_database
from portal.schema.migrate import StillHeld, found_at, in_words, upgrade


@click.command()
def migrate() -> None:
    """Bring the database to the newest schema while the portal works; safe to repeat."""
    with ready_database(read_settings()) as database:
        try:
            upgrade(database.url, say=click.echo)
        except StillHeld as failure:
            raise click.ClickException(str(failure)) from failure
        found = in_words(found_at(database.url))
    click.echo(f"The database is ready: {found}.")
