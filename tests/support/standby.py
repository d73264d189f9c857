"""A second PostgreSQL that follows the first, as a streaming replica does."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from urllib.parse import parse_qs, urlsplit

import psycopg

from portal.gateways.postgres.embedded import EmbeddedPostgres
from portal.gateways.postgres.home import find_home
from tests.support.cluster import IN_MEMORY, MAY_BE_LOST


def copied(
    primary: EmbeddedPostgres,
    folder: Path,
    *,
    name: str = "copy",
    settings: Mapping[str, str] = MAY_BE_LOST,
    slot: str | None = None,
) -> EmbeddedPostgres:
    """A server that holds what the primary holds and follows it under this name; it is yet to be started.

    With a `slot`, which is made, the primary keeps what the copy has not fetched yet until the slot is dropped.
    """
    home = find_home(folder)
    (sockets,) = parse_qs(urlsplit(primary.url()).query)["host"]
    made = home.account.run(
        str(primary.program("pg_basebackup")),
        f"--dbname=host={sockets} user=postgres application_name={name}",
        f"--pgdata={home.account.own(home.data)}",
        "--checkpoint=fast",
        "--no-sync",
        "--write-recovery-conf",
        *(("--create-slot", f"--slot={slot}") if slot else ()),
    )
    assert made.returncode == 0, made.stderr
    return EmbeddedPostgres(folder, settings=settings)


@contextmanager
def following(primary: EmbeddedPostgres) -> Iterator[EmbeddedPostgres]:
    """A replica of the tests' server, in memory, gone afterwards."""
    parent = IN_MEMORY if IN_MEMORY.is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="animal-portal-copy-", dir=parent))
    folder.chmod(0o711)
    slot = f"copy_{token_hex(4)}"
    try:
        with copied(primary, folder / "postgres", slot=slot) as server:
            yield server
    finally:
        told(primary, f"SELECT pg_drop_replication_slot('{slot}')")
        shutil.rmtree(folder)


def sent_on(server: EmbeddedPostgres) -> None:
    """Have all that was written go out to whoever follows.

    Where commits wait for no disk, the end of it stays behind until the next snapshot for a replica: up to 15 s.
    """
    told(server, "SELECT pg_log_standby_snapshot()")


def told(server: EmbeddedPostgres, statement: str) -> object:
    """Say something to the server itself, as its superuser."""
    address = server.url("postgres").replace("postgresql+psycopg:", "postgresql:")
    with psycopg.connect(address, autocommit=True) as connection:
        row = connection.execute(statement).fetchone()  # type: ignore[arg-type]
    return row and row[0]
