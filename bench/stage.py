"""Where the measuring happens: a PostgreSQL of its own in a folder that is gone afterwards, and servers on one core."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import create_connection, create_server

import psutil
import psycopg
from psycopg import sql

from bench.cores import OTHERS, SERVING, children_on
from bench.household import Household, add_neighbors, dogs_in, move_in
from portal.gateways.postgres.embedded import EmbeddedPostgres
from portal.schema.migrate import upgrade
from portal.serving.listening import WAITING_CONNECTIONS, handing_over
from portal.settings import Settings

PORTAL = ("portal.cli", "web")
DATABASE = "portal"
STOP_SECONDS = 20
NOTHING: Mapping[str, str] = {}
SECRET_KEY = "a key for measuring that is long enough to be taken"  # noqa: S105 - of a portal that lives for minutes


@dataclass(frozen=True)
class Server:
    """A process that answers on a port of this machine."""

    port: int
    process: psutil.Process

    def core_seconds(self) -> float:
        """How long it has had a core so far."""
        used = self.process.cpu_times()
        return float(used.user + used.system)


@dataclass(frozen=True)
class Stage:
    """A filled database, and whoever comes back to it."""

    folder: Path
    postgres: EmbeddedPostgres
    household: Household
    dogs: int

    @contextmanager
    def serving(
        self,
        module: Sequence[str] = PORTAL,
        *,
        database: str = DATABASE,
        more: Mapping[str, str] = NOTHING,
        cores: frozenset[int] = SERVING,
    ) -> Iterator[Server]:
        """Run a module of ours that takes over a socket, alone on its core unless it is given others."""
        listener = create_server(("127.0.0.1", 0), backlog=WAITING_CONNECTIONS)
        port = listener.getsockname()[1]
        environment = _environment(self.folder, self.postgres.url(database)) | handing_over([listener]) | dict(more)
        log = self.folder / f"server-{port}.log"  # each request is a line of it
        with children_on(cores), log.open("wb") as written:
            process = subprocess.Popen(
                [sys.executable, "-m", *module],
                env=environment,
                pass_fds=[listener.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=written,
            )
        listener.close()
        try:
            _wait_for(port, process, log)
            yield Server(port, psutil.Process(process.pid))
        finally:
            _end(process)

    def larger_database(self, dogs: int) -> str:
        """The name of another database with the same household among that many dogs."""
        name = self.copied_database(str(dogs))
        add_neighbors(self.postgres.url(name), dogs // 3)
        return name

    def copied_database(self, what: str) -> str:
        """The name of another database with the same household alone."""
        name = f"{DATABASE}_{what}"
        _copy_database(self.postgres, f"{DATABASE}_empty", name)
        return name


@contextmanager
def stage(*, dogs: int) -> Iterator[Stage]:
    """Build it, and take it down again whatever happens."""
    with tempfile.TemporaryDirectory(prefix="animal-portal-bench-") as named, children_on(OTHERS):
        folder = Path(named)
        folder.chmod(0o711)  # under root PostgreSQL runs as another account, which has to pass
        with EmbeddedPostgres(folder / "postgres", settings={"shared_buffers": "256MB"}) as postgres:
            postgres.ensure_database(f"{DATABASE}_empty")
            empty = postgres.url(f"{DATABASE}_empty")
            upgrade(empty)
            household = move_in(Settings.from_environment(_environment(folder, empty)), empty)
            _copy_database(postgres, f"{DATABASE}_empty", DATABASE)
            add_neighbors(postgres.url(DATABASE), dogs // 3)
            yield Stage(folder, postgres, household, dogs_in(postgres.url(DATABASE)))


def _environment(folder: Path, database_url: str) -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PORTAL_DATA": str(folder / "data"),
        "DATABASE_URL": database_url.replace("postgresql+psycopg:", "postgresql:"),
        "SECRET_KEY": SECRET_KEY,
    }


def _copy_database(postgres: EmbeddedPostgres, template: str, name: str) -> None:
    address = postgres.url("postgres").replace("postgresql+psycopg:", "postgresql:")
    copy = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(copy)


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Until it answers; when it ended instead, what it wrote is told."""
    while process.poll() is None:
        with create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            if connection.recv(16):
                return
        time.sleep(0.1)
    raise SystemExit(
        f"{log.read_text(errors='replace')}\nThe server ended with {process.returncode} before it answered"
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
