"""`portal demo`: sample data for a first look."""

import click

from portal.cli.environment import clock_given, read_settings, ready_database
from portal.demo import add_sample_data
from portal.demo.filling import NotLocal
from portal.schema.migrate import upgrade


@click.command()
def demo() -> None:
    """Add a handful of invented people and their dogs; nothing once somebody real has signed in."""
    with ready_database(read_settings()) as database:
        upgrade(database.url)
        try:
            is_added = add_sample_data(database.settings, database.url, clock=clock_given())
        except NotLocal as no:
            raise click.ClickException(str(no)) from no
    click.echo("The sample data is there." if is_added else "There are real people here: nothing was added.")
