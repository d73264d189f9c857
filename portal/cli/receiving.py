"""`portal receive`: what `portal web` starts beside itself to receive large forms (`uploads`)."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress

import click

from portal.app import create_app
from portal.cli.environment import read_settings, ready_database
from portal.gateways import logs
from portal.gateways.measures import tell_counts
from portal.serving.server import serve_handed_over
from portal.serving.uploads import HANDED_OVER


@click.command()
def receive() -> None:
    """Receive the large forms that `portal web` hands over; it starts this command itself."""
    if HANDED_OVER not in os.environ:
        raise click.ClickException("`portal web` starts this command itself.")
    line = socket.socket(fileno=int(os.environ[HANDED_OVER]))
    settings = read_settings()
    logs.begin(f"{settings.serves}-uploads", is_local=settings.is_local)
    with ready_database(settings, may_be_pooled=True) as database:
        app = create_app(database.settings)
        tell_counts(telling(line))
        serve_handed_over(app, line)


def telling(line: socket.socket) -> Callable[[bytes], None]:
    """Send without waiting: nobody's answer hangs on a count."""

    def tell(message: bytes) -> None:
        with suppress(OSError):
            line.send(message, socket.MSG_DONTWAIT)

    return tell
