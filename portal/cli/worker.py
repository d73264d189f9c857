"""`portal worker`: letters, payments nobody told the end of, and what has served its time."""

import logging

import click

from portal.cli.environment import read_settings, ready_database
from portal.worker import run_worker


@click.command()
def worker() -> None:
    """Send letters and tend to payments until SIGTERM; several may run at once."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    with ready_database(read_settings(), may_be_pooled=True) as database:
        run_worker(database.settings, database.url, say=click.echo)
