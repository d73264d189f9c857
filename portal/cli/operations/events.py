"""`portal events`: the feed of everything that happened, for software that follows it."""

import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
from sqlalchemy import Engine, Row
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.orm import Session

from portal.cli.environment import read_settings, ready_database
from portal.gateways import logs
from portal.gateways.database.announcements import follow
from portal.gateways.database.connections import connect
from portal.schema.roles import DESK
from portal.services.read_events import (
    AT_A_TIME,
    BEGINNING,
    CHANNEL,
    RestoredFeed,
    UnknownCursor,
    check_cursor,
    events_after,
    newest,
)

log = logging.getLogger(__name__)

# An event waits for every transaction that began before its own, and nobody announces that the last of them has ended.
LOOK_SECONDS = 1.0
NOW = "now"


@click.command()
@click.option(
    "--after",
    metavar="CURSOR",
    default=str(BEGINNING),
    show_default=True,
    help="The cursor of the last event you have; 0 for all there are, now for none of them.",
)
@click.option("--follow", "goes_on", is_flag=True, help="Wait for what happens next, until interrupted.")
def events(after: str, goes_on: bool) -> None:
    """Print what happened, a JSON object a line, oldest first.

    Keep the cursor of the last event you dealt with and come back with --after: none is missed, and none comes twice.
    """
    settings = read_settings()
    logs.begin("events", is_local=settings.is_local)
    with ready_database(settings) as database:
        engine = connect(database.url, role=DESK, pool_size=2)
        try:
            _print_all(engine, _begin(engine, after), goes_on=goes_on)
        finally:
            engine.dispose()


def _begin(engine: Engine, after: str) -> int:
    if not (after.isdecimal() or after == NOW):
        raise click.BadParameter("give the number of an event, 0, or now", param_hint="--after")
    with Session(engine) as session:
        try:
            cursor = newest(session) if after == NOW else int(after)
            check_cursor(session, cursor)
        except (UnknownCursor, RestoredFeed) as no:
            raise click.ClickException(str(no)) from no
    return cursor


def _print_all(engine: Engine, cursor: int, *, goes_on: bool) -> None:
    cursor = _print_new(engine, cursor)
    if not goes_on:
        return
    with _announced(engine) as woken:
        while True:
            woken.clear()
            try:
                cursor = _print_new(engine, cursor)
            except (OperationalError, InterfaceError) as failure:
                # It goes on where it was once the database answers again.
                log.warning("the database does not answer: %s", type(failure.orig).__name__)
            woken.wait(LOOK_SECONDS)


def _print_new(engine: Engine, cursor: int) -> int:
    """Print what is new; the cursor of the last one. No transaction is open while somebody slow takes the lines."""
    while True:
        with Session(engine) as session:
            found = events_after(session, cursor)
        for event in found:
            click.echo(_line(event))
            cursor = event.id
        if len(found) < AT_A_TIME:
            return cursor


def _line(event: Row[Any]) -> str:
    said = {"cursor": event.id, "happened_at": event.happened_at.isoformat()}
    rest = ("kind", "subject_table", "subject_id", "actor", "detail")
    return json.dumps(said | {name: getattr(event, name) for name in rest}, default=str, ensure_ascii=False)


@contextmanager
def _announced(engine: Engine) -> Iterator[threading.Event]:
    """Set at each announcement in the database, for as long as the block lasts."""
    woken, stopping = threading.Event(), threading.Event()
    listening = threading.Thread(
        target=follow, args=(engine, CHANNEL), kwargs={"heard": woken.set, "stopping": stopping}
    )
    listening.start()
    try:
        yield woken
    finally:
        stopping.set()
        listening.join()
