"""PostgreSQL's own pg_dump, pg_restore and psql: which of them to use, and how they are told where to go.

The address goes to them in the environment, which only their own account can read, and never in the arguments.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from psycopg import pq
from sqlalchemy import Engine, text

from portal.gateways.postgres.home import packaged_programs

SERVER = text("SELECT current_setting('server_version_num')::int / 10000")
MAJOR = re.compile(r"\) (\d+)")
ERROR = re.compile(r"(?:error|ERROR): +(.*)")


class ProgramMissing(Exception):
    """No program here can talk to this server; the sentence says what to install."""


class ProgramFailed(Exception):
    """The program ended with an error; the sentence is its own."""


@dataclass(frozen=True)
class Program:
    """One pg_dump or pg_restore, and the release of PostgreSQL it belongs to."""

    path: Path
    major: int


def find_program(name: str, *, server_major: int) -> Program:
    """The program of the server's own release, else the oldest that is newer: an older one refuses."""
    found = [program for place in _places(name) if (program := _program(place))]
    able = sorted((program for program in found if program.major >= server_major), key=lambda one: one.major)
    if able:
        return able[0]
    here = ", ".join(f"{program.path} is of {program.major}" for program in found) or "none is here"
    raise ProgramMissing(
        f"The database is PostgreSQL {server_major}, and {name} must be of that release or a newer one: {here}. "
        f"Install the package postgresql-client-{server_major}."
    )


def server_major(engine: Engine) -> int:
    """The release of the server."""
    with engine.connect() as connection:
        return int(connection.scalar(SERVER) or 0)


@contextmanager
def dumping(url: str, program: Program, *, snapshot: str) -> Iterator[IO[bytes]]:
    """What pg_dump writes of the database as this snapshot sees it, in its custom format."""
    arguments = ["--no-password", "--format=custom", f"--snapshot={snapshot}", "--lock-wait-timeout=60000"]
    with tempfile.TemporaryFile() as said, _running(program, arguments, url, said, stdout=subprocess.PIPE) as process:
        yield cast(IO[bytes], process.stdout)
        _must_end_well(process, program, said)


@contextmanager
def restoring(url: str, program: Program, *, before: str, after: str) -> Iterator[IO[bytes]]:
    """Where a dump is to be written. It is one transaction with the SQL before and after it, or nothing happens.

    pg_restore turns the dump into SQL, and psql, which belongs to it, runs that. An end without COMMIT undoes it all.
    """
    psql = Program(program.path.with_name("psql"), program.major)
    quiet = ["--no-password", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-"]
    with ExitStack() as stack:
        said, also = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
        client = stack.enter_context(_running(psql, quiet, url, said, stdin=subprocess.PIPE))
        into = cast(IO[bytes], client.stdin)
        with suppress(BrokenPipeError):  # whoever ended early says why
            into.write(f"BEGIN;\n{before}\n".encode())
            into.flush()
            arguments = ["--file=-", "--no-owner", "--no-privileges"]
            with _running(program, arguments, url, also, stdin=subprocess.PIPE, stdout=into.fileno()) as reader:
                with suppress(BrokenPipeError):
                    yield cast(IO[bytes], reader.stdin)
                _close(cast(IO[bytes], reader.stdin))
                if reader.wait() == 0:
                    into.write(f"\n{after}\nCOMMIT;\n".encode())
        _close(into)
        _must_end_well(client, psql, said)
        _must_end_well(reader, program, also)


@contextmanager
def _running(
    program: Program,
    arguments: list[str],
    url: str,
    said: IO[bytes],
    *,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
) -> Iterator[subprocess.Popen[bytes]]:
    """The program, killed when the block fails: half a dump that nobody reads would wait for ever."""
    process = subprocess.Popen(  # noqa: S603 - PostgreSQL's program, our own arguments
        [program.path, *arguments],
        env={"PATH": os.defpath, "LC_ALL": "C", **_told_where(url)},
        stdin=stdin,
        stdout=stdout,
        stderr=said,
    )
    try:
        yield process
    except BaseException:
        process.kill()
        raise
    finally:
        for end in (process.stdin, process.stdout):
            if end is not None:
                _close(end)
        process.wait()


def _close(end: IO[bytes]) -> None:
    with suppress(BrokenPipeError):
        end.close()


def _must_end_well(process: subprocess.Popen[bytes], program: Program, said: IO[bytes]) -> None:
    if process.wait() != 0:
        said.seek(0)
        lines = said.read().decode(errors="replace").splitlines()
        # The line with the error alone: those after it quote rows.
        told = next(
            (found[1] for line in lines if (found := ERROR.search(line))), f"it ended with {process.returncode}"
        )
        raise ProgramFailed(f"{program.path.name}: {told}")


def _told_where(url: str) -> dict[str, str]:
    """Each part of the address as the variable that libpq reads it from."""
    options = pq.Conninfo.parse(_libpq(url).encode())
    names = {option.keyword: option.envvar for option in pq.Conninfo.get_defaults()}
    return {
        name.decode(): option.val.decode()
        for option in options
        if option.val is not None and (name := names[option.keyword]) is not None
    }


def _libpq(url: str) -> str:
    return f"postgresql:{url.partition(':')[2]}"


def _places(name: str) -> list[Path]:
    """The machine's own, each release that Debian keeps beside it, and the package's."""
    on_path = shutil.which(name)
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return [*([Path(on_path)] if on_path else []), *debian, packaged_programs() / name]


def _program(path: Path) -> Program | None:
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return None
    found = MAJOR.search(said)
    return Program(path, int(found[1])) if found else None
