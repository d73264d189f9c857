"""Hearing at once that something was announced in the database (LISTEN and NOTIFY of PostgreSQL).

What is announced while nobody listens is lost, so a listener looks for itself each time it is connected again, and its
work is done on a schedule too: a connection pool between us and the database may let nothing through.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

log = logging.getLogger(__name__)

POLL_SECONDS = 0.5
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0


def follow(engine: Engine, channel: str, *, heard: Callable[[], None], stopping: threading.Event) -> None:
    """Call `heard` at each announcement, and once for each time we begin to listen; return when `stopping` is set."""
    pause = FIRST_PAUSE_SECONDS
    while not stopping.is_set():
        try:
            with _listening(engine, channel) as connection:
                pause = FIRST_PAUSE_SECONDS
                heard()
                _pass_on(connection, heard, stopping)
        except (DBAPIError, engine.dialect.loaded_dbapi.Error) as failure:
            log.warning("not listening for %s s: %s", pause, type(failure).__name__)
            stopping.wait(pause)
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)


def _pass_on(connection: Any, heard: Callable[[], None], stopping: threading.Event) -> None:
    while not stopping.is_set():
        for _ in connection.notifies(timeout=POLL_SECONDS, stop_after=1):
            heard()


@contextmanager
def _listening(engine: Engine, channel: str) -> Iterator[Any]:
    """The driver's connection itself. It is ours alone and never goes back among the others."""
    with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.detach()
        connection.execute(text(f"LISTEN {engine.dialect.identifier_preparer.quote(channel)}"))
        yield connection.connection.dbapi_connection
