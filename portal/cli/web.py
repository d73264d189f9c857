"""`portal web`: the pages, served by waitress, and `portal receive` beside them."""

import os
from functools import partial

import click

from portal.app import create_app
from portal.cli.environment import read_settings, ready_database, sockets_of
from portal.gateways import logs
from portal.serving.server import serve
from portal.serving.uploads import beside


@click.command()
def web() -> None:
    """Serve the pages on PORT until SIGTERM."""
    settings = read_settings()
    logs.begin(settings.serves, is_local=settings.is_local)
    sockets = sockets_of(settings.port, is_local=settings.is_local)
    with ready_database(settings, may_be_pooled=True) as database:
        app = create_app(database.settings)
        environment = {**os.environ, "DATABASE_URL": database.url} if database.embedded else dict(os.environ)
        serve(app, sockets, beside=partial(beside, environment))
