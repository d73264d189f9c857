"""What commands need first: settings that were checked, a database that answers, and sockets to listen on."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from socket import socket

import click

from portal.gateways.clock import Clock
from portal.gateways.database.connections import is_pooled
from portal.gateways.postgres.embedded import EmbeddedPostgres, PostgresFailed
from portal.gateways.postgres.home import UnusableHome
from portal.serving.listening import PortTaken, listen
from portal.settings import Settings, SettingsError


@dataclass(frozen=True)
class ReadyDatabase:
    """A database that answers, and the server of our own behind it when there is one."""

    settings: Settings
    url: str
    embedded: EmbeddedPostgres | None

    def keep_up(self) -> None:
        """Start the server of our own again when it no longer answers."""
        if self.embedded is not None and not self.embedded.is_answering():
            self.embedded.start()


def read_settings() -> Settings:
    """The settings of this process; a wrong environment ends the command with the sentence that says so."""
    try:
        return Settings.from_environment(os.environ)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error


def sockets_of(port: int, *, is_local: bool) -> list[socket]:
    """The supervisor's sockets, or our own; a taken port ends the command with a sentence."""
    try:
        return listen(os.environ, port, is_local=is_local)
    except PortTaken as error:
        raise click.ClickException(str(error)) from error


def clock_given() -> Clock | None:
    """The clock that whoever runs the command gave it, as click's `obj`; none from a shell: the machine's counts."""
    clock: Clock | None = click.get_current_context().obj
    return clock


@contextmanager
def ready_database(settings: Settings, *, may_be_pooled: bool = False) -> Iterator[ReadyDatabase]:
    """The database of the settings, or the embedded one, joined for as long as the block lasts.

    Migrations, what listens and the console need PostgreSQL itself; a pooler will do for the pages and the worker.
    """
    if settings.database_url is not None:
        yield ReadyDatabase(settings, settings.database_url if may_be_pooled else direct_url(settings), None)
        return
    try:
        with EmbeddedPostgres(settings.postgres_folder) as embedded:
            embedded.ensure_database("portal")
            url = embedded.url("portal")
            yield ReadyDatabase(replace(settings, database_url=url), url, embedded)
    except (PostgresFailed, UnusableHome) as error:
        raise click.ClickException(str(error)) from error


def direct_url(settings: Settings) -> str:
    """PostgreSQL itself, past any pooler."""
    url = settings.direct_database_url or settings.database_url or ""
    if is_pooled(url):
        raise click.ClickException(
            "DATABASE_URL goes through a pooler. For this command set DATABASE_DIRECT_URL to PostgreSQL itself, "
            "with the login that owns the tables."
        )
    return url
