"""`portal worker`: letters, payments nobody told the end of, and what has served its time."""

import click

from portal.cli.environment import read_settings, ready_database
from portal.gateways import logs
from portal.worker import run_worker


@click.command()
def worker() -> None:
    """Send letters and tend to payments until SIGTERM; several may run at once."""
    settings = read_settings()
    logs.begin("worker", is_local=settings.is_local)
    with ready_database(settings, may_be_pooled=True) as database:
        run_worker(database.settings, database.url, say=click.echo)
