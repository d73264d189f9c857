"""A PostgreSQL of our own, from a pip package, for a first run and for tests.

Several commands may use one folder at once: the first starts the server, the last to leave stops it, and a command
that is killed counts as gone (see `postgres_keeper`). The server listens on a socket that only its own account can
reach, on no network address.
"""

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import IO, Self
from urllib.parse import quote

import psycopg
from psycopg import errors, sql

from portal.gateways.postgres import postgres_keeper
from portal.gateways.postgres.home import SUPERUSER, PostgresHome, find_home, initialise
from portal.gateways.postgres.postgres_keeper import Keeping

PORT = 5432  # the name of the socket, not a port of the machine
START_SECONDS = 120
POLL_SECONDS = 0.05
ALWAYS = {
    "listen_addresses": "",
    "port": str(PORT),
    "log_checkpoints": "off",
    "log_timezone": "UTC",
    "timezone": "UTC",
}


class PostgresFailed(Exception):
    """The server could not be started; the message ends with the last lines of its log."""


class EmbeddedPostgres:
    """One server under one folder, shared by whoever names the same folder.

    `settings` are server settings by name; they count for the one who starts the server.
    """

    def __init__(self, folder: Path, *, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        self._folder = folder.absolute()
        self._settings = {**ALWAYS, **settings}
        self._home: PostgresHome | None = None
        self._in_use: IO[str] | None = None
        self._keepers: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Join the server, starting it if nobody has; does nothing when it is joined and answers."""
        self._home = find_home(self._folder)
        with self._one_starter_at_a_time():
            initialise(self._home, is_durable=self._settings.get("fsync") != "off")
            if self._in_use is None:
                self._in_use = self._lock_file("in-use")
                fcntl.flock(self._in_use, fcntl.LOCK_SH)
            if not self.is_answering():
                self._bring_up()

    def stop(self) -> None:
        """Leave the server; the last to leave stops it and waits until it has."""
        if self._in_use is None:
            return
        if _is_alone(self._in_use):
            self._end_keeper()
        self._in_use.close()
        self._in_use = None

    def url(self, database: str = "portal") -> str:
        """The SQLAlchemy address of a database of this server."""
        sockets = quote(str(self._at.sockets), safe="")
        return f"postgresql+psycopg://{SUPERUSER}@/{quote(database)}?host={sockets}&port={PORT}"

    def ensure_database(self, name: str) -> None:
        """Make the database if it is not there."""
        with self._connect() as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                return
            try:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            except (errors.DuplicateDatabase, errors.UniqueViolation):
                return  # another process made it meanwhile

    def is_answering(self) -> bool:
        """True when a real connection gets a real answer."""
        try:
            with self._connect() as connection:
                return connection.execute("SELECT 1").fetchone() == (1,)
        except psycopg.OperationalError:
            return False

    def program(self, name: str) -> Path:
        """The path of one of the package's programs, such as pg_dump."""
        return self._at.programs / name

    @property
    def log(self) -> Path:
        return self._at.folder / "server.log"

    @property
    def _at(self) -> PostgresHome:
        if self._home is None:
            raise PostgresFailed("The embedded PostgreSQL has not been started.")
        return self._home

    def _connect(self) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(
            host=str(self._at.sockets),
            port=PORT,
            user=SUPERUSER,
            dbname="postgres",
            connect_timeout=5,
            autocommit=True,
        )

    def _lock_file(self, name: str) -> IO[str]:
        return (self._at.folder / f"{name}.lock").open("a+")

    @contextmanager
    def _one_starter_at_a_time(self) -> Iterator[None]:
        with self._lock_file("starting") as starting:
            fcntl.flock(starting, fcntl.LOCK_EX)
            yield

    def _bring_up(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        keeper = self._start_keeper()
        while not self.is_answering():
            ended = keeper.poll()
            if ended == postgres_keeper.WOULD_NOT_STAY_UP or time.monotonic() > deadline:
                self.stop()
                raise PostgresFailed(f"The embedded PostgreSQL did not start. Its log ends:\n{self._end_of_log()}")
            if ended is not None:  # an earlier keeper is still stopping its server
                keeper = self._start_keeper()
            time.sleep(POLL_SECONDS)

    def _start_keeper(self) -> subprocess.Popen[bytes]:
        """In a session of its own, so that Ctrl-C reaches the commands and not their database."""
        home = self._at
        keeping = Keeping(
            folder=str(home.folder),
            sockets=str(home.sockets),
            postgres=str(home.programs / "postgres"),
            user=home.account.user,
            group=home.account.group,
            settings=self._settings,
        )
        with self.log.open("ab") as output:
            keeper = subprocess.Popen(  # noqa: S603 - our own program with our own arguments
                [sys.executable, "-I", postgres_keeper.__file__, keeping.as_json()],
                cwd=home.folder,
                env=home.account.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self._keepers.append(keeper)
        return keeper

    def _end_keeper(self) -> None:
        with self._lock_file("keeper") as alone:
            if not _try_lock(alone, fcntl.LOCK_EX):
                alone.seek(0)
                os.kill(int(alone.read()), signal.SIGTERM)
                fcntl.flock(alone, fcntl.LOCK_EX)
        for keeper in self._keepers:
            keeper.wait()
        self._keepers.clear()

    def _end_of_log(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        return "\n".join(lines[-10:])


def _is_alone(in_use: IO[str]) -> bool:
    """True when nobody else uses the server; then nobody can begin to until the file is closed.

    When it is the keeper that has noticed first, wait until it has stopped the server.
    """
    if _try_lock(in_use, fcntl.LOCK_EX):
        return True
    fcntl.flock(in_use, fcntl.LOCK_SH)
    return False


def _try_lock(file: IO[str], kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
