"""PostgreSQL's companions: a pooler before it, a copy that follows it, and its sudden end."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection, create_server
from urllib.parse import parse_qs, urlsplit

import psutil
import psycopg
from sqlalchemy import create_engine

from portal.gateways.postgres.embedded import EmbeddedPostgres
from portal.gateways.postgres.home import find_home
from portal.schema.logins import give_login

DEBIAN = "apt-get install --yes --quiet --no-install-recommends pgbouncer"
KEEPS_PREPARED = (1, 22)


def pgbouncer() -> str | None:
    """The program, from PGBOUNCER, the path, or Debian's package where we may install it; None where there is none."""
    found = os.environ.get("PGBOUNCER") or shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer")
    if not found and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["/bin/sh", "-c", f"apt-get update --quiet && {DEBIAN}"], check=True, capture_output=True)
        found = shutil.which("/usr/sbin/pgbouncer")
    return found


def version_of(program: str) -> tuple[int, ...]:
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    match = re.search(r"(\d+)\.(\d+)", said)
    return tuple(map(int, match.groups())) if match else (0,)


@contextmanager
def pooling(
    program: str, postgres: EmbeddedPostgres, folder: Path, logins: dict[str, str], *, server_connections: int
) -> Iterator[int]:
    """PgBouncer in transaction mode before the server, for these logins and their passwords: its port."""
    account = find_home(folder / "pooler").account
    home = account.own(folder / "pooler" / "run")
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    keeps = "max_prepared_statements = 200" if version_of(program) >= KEEPS_PREPARED else ""
    users, told = home / "users.txt", home / "pgbouncer.ini"
    users.write_text("".join(f'"{login}" "{password}"\n' for login, password in logins.items()))
    told.write_text(f"""
[databases]
* = host={sockets_of(postgres)} port=5432
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {users}
pool_mode = transaction
default_pool_size = {server_connections}
max_client_conn = 500
{keeps}
""")
    with (folder / "pgbouncer.log").open("w") as log:
        process = subprocess.Popen(
            [program, str(told)], stdout=log, stderr=log, user=account.user, group=account.group, extra_groups=[]
        )
    try:
        _wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait()


def made_login(url: str, name: str, *, role: str, settings: dict[str, str]) -> str:
    """A login as `portal login` makes it; its password."""
    engine = create_engine(url)
    with engine.begin() as connection:
        give_login(connection, name, role=role, password=name, settings=settings)
    engine.dispose()
    return name


def sockets_of(postgres: EmbeddedPostgres) -> str:
    return parse_qs(urlsplit(postgres.url()).query)["host"][0]


def kill(postgres_folder: Path) -> None:
    """All processes of one server at once, as when its machine loses power."""
    ours = [process for process in psutil.process_iter(["cmdline"]) if _belongs(process, postgres_folder)]
    for process in ours:
        for child in [process, *process.children(recursive=True)]:
            child.kill()


def say(postgres: EmbeddedPostgres, statement: str, database: str = "postgres") -> object:
    """One answer from the server itself, as its superuser."""
    address = postgres.url(database).replace("postgresql+psycopg:", "postgresql:")
    with psycopg.connect(address, autocommit=True) as connection:
        cursor = connection.execute(statement)  # type: ignore[arg-type]
        row = cursor.fetchone() if cursor.description else None
    return row and row[0]


def _belongs(process: psutil.Process, folder: Path) -> bool:
    return any(str(folder) in part for part in process.info["cmdline"] or ())


def _wait_for(port: int) -> None:
    for _ in range(100):
        try:
            create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("PgBouncer did not start")
