"""`portal run`: everything at once, for a first look and for one machine."""

import logging
import os
import sys
import time
from collections.abc import Mapping, Sequence
from socket import socket

import click

from portal.cli.environment import ReadyDatabase, read_settings, ready_database, sockets_of
from portal.demo import add_sample_data
from portal.gateways import logs
from portal.schema.migrate import upgrade
from portal.serving.first_answer import FirstAnswer
from portal.serving.listening import handing_over
from portal.settings import Desk, Settings
from portal.supervisor import Program, Supervisor

log = logging.getLogger(__name__)

DATABASE_CHECK_SECONDS = 2.0


@click.command()
@click.option("--sample-data", is_flag=True, help="Begin with the sample data of `portal demo`, on a local address.")
def run(sample_data: bool) -> None:
    """Start the database, the pages, the worker and the stand-ins, and keep them running until Ctrl-C."""
    settings = read_settings()
    logs.begin("run", is_local=settings.is_local)
    web_sockets = sockets_of(settings.port, is_local=settings.is_local)
    practice_sockets = sockets_of(settings.practice_port, is_local=True) if needs_stand_ins(settings) else []
    with ready_database(settings) as database:
        upgrade(database.url)
        if sample_data and settings.is_local:
            add_sample_data(database.settings, database.url)
        programs = programs_of(database, web_sockets, practice_sockets)
        Supervisor(programs, say=click.echo if settings.is_local else log.warning, upkeep=Upkeep(database)).run()
    click.echo("Everything has stopped.")


def needs_stand_ins(settings: Settings) -> bool:
    """Practice cards, or a mailbox of files to look into, which only a local address has."""
    plays_cards = settings.stripe.is_practice and settings.stripe.api_base == settings.practice_url
    return settings.is_local and (plays_cards or settings.mail_url is None)


def programs_of(
    database: ReadyDatabase, web_sockets: Sequence[socket], practice_sockets: Sequence[socket]
) -> list[Program]:
    """The processes of one machine: the pages, the worker, and the stand-ins where they are allowed."""
    environment = {**os.environ, "DATABASE_URL": database.url} if database.embedded else dict(os.environ)
    programs = [
        _serving("web", environment, web_sockets),
        Program(name="worker", command=_command("worker"), environment=environment),
    ]
    if practice_sockets:
        programs.append(_serving("practice", environment, practice_sockets))
    return programs


def _serving(command: str, environment: Mapping[str, str], sockets: Sequence[socket]) -> Program:
    return Program(
        name=command,
        command=_command(command),
        environment={**environment, **handing_over(sockets)},
        handles=[opened.fileno() for opened in sockets],
    )


def _command(name: str) -> list[str]:
    return [sys.executable, "-m", "portal.cli", name]


class Upkeep:
    """What `portal run` does between watching: it keeps the database up, and says once what to open."""

    def __init__(self, database: ReadyDatabase) -> None:
        self._database = database
        self._check_at = 0.0
        self._pages = FirstAnswer(database.settings.port)
        self._has_told = False

    def __call__(self) -> None:
        if time.monotonic() >= self._check_at:
            self._database.keep_up()
            self._check_at = time.monotonic() + DATABASE_CHECK_SECONDS
        if not self._has_told and self._pages.has_come():
            self._has_told = True
            click.echo("\n".join(what_to_open(self._database.settings)))


def what_to_open(settings: Settings) -> list[str]:
    """The addresses for a person, one a line."""
    lines = [f"Open {settings.base_url}"]
    if settings.desk is Desk.BESIDE:
        lines.append(f"Desk: {settings.base_url}/desk, for whom `portal staff add` lets in")
    if needs_stand_ins(settings):
        lines.append(f"Practice mailbox: {settings.practice_url}/mail")
        lines.append(f"Practice card payments: {settings.practice_url}/")
    return [*lines, "Press Ctrl-C to stop."]
