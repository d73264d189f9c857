"""Keeps one PostgreSQL server running for as long as anybody uses it, and not a moment longer.

`embedded` starts this file as a program of its own. Everybody who uses the server holds a shared lock on
`in-use`; the kernel lets go of it when a process ends, however it ends. When the last has gone, the keeper gets the
exclusive lock and stops the server. It uses the standard library and psutil alone, so that it stays small.
"""

import ctypes
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Self

import psutil

POLL_SECONDS = 0.2
STOP_SECONDS = 60
RESTARTS_IN_A_ROW = 6
HEALTHY_SECONDS = 10
LARGEST_LOG_BYTES = 5_000_000
WOULD_NOT_STAY_UP = 1
ANOTHER_KEEPER = 3
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Keeping:
    """What to run, where, and as whom; `user` and `group` are None when that is the present user."""

    folder: str
    sockets: str
    postgres: str
    user: int | None
    group: int | None
    settings: dict[str, str]

    def as_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        return cls(**json.loads(text))

    @property
    def data(self) -> Path:
        return Path(self.folder, "data")

    @property
    def command(self) -> list[str]:
        options = [part for name, value in self.settings.items() for part in ("-c", f"{name}={value}")]
        return [self.postgres, "-D", str(self.data), "-k", self.sockets, *options]


def keep(keeping: Keeping) -> int:
    """Run the server until the last user has gone; 1 when it would not stay up, 3 when another keeper is at it."""
    folder = Path(keeping.folder)
    signal.signal(signal.SIGTERM, _leave)
    with (folder / "keeper.lock").open("a") as alone, (folder / "in-use.lock").open("a") as in_use:
        if not _try_lock(alone):
            return ANOTHER_KEEPER
        alone.truncate(0)
        alone.write(str(os.getpid()))
        alone.flush()
        return _watch(keeping, is_unused=lambda: _try_lock(in_use))


def _watch(keeping: Keeping, *, is_unused: Callable[[], bool]) -> int:
    restarts = 0
    while restarts < RESTARTS_IN_A_ROW:
        _clear_remains(keeping)
        began = time.monotonic()
        server = _start(keeping)
        try:
            while server.poll() is None:
                if is_unused():
                    return 0
                time.sleep(POLL_SECONDS)
        finally:
            _stop(server)
        restarts = 0 if time.monotonic() - began > HEALTHY_SECONDS else restarts + 1
        if is_unused():
            return 0
        time.sleep(POLL_SECONDS)
    return WOULD_NOT_STAY_UP


def _start(keeping: Keeping) -> subprocess.Popen[bytes]:
    log = Path(keeping.folder, "server.log")
    if log.exists() and log.stat().st_size > LARGEST_LOG_BYTES:
        log.rename(log.with_suffix(".log.old"))
    with log.open("ab") as output:
        return subprocess.Popen(  # noqa: S603 - the program and its arguments are the package's and ours
            keeping.command,
            cwd=keeping.data,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            user=keeping.user,
            group=keeping.group,
            extra_groups=None if keeping.group is None else [],
            preexec_fn=_end_with_parent(),
        )


def _stop(server: subprocess.Popen[bytes]) -> None:
    """A fast shutdown: open transactions are rolled back and a checkpoint is written."""
    if server.poll() is not None:
        return
    server.send_signal(signal.SIGINT)
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.send_signal(signal.SIGQUIT)
        server.wait()


def _clear_remains(keeping: Keeping) -> None:
    """Stop a server that an ended keeper left behind, and remove the marks of one that was killed.

    PostgreSQL believes such a mark as long as any process has the number in it, which after a restart of the
    machine may be anybody's.
    """
    mark = keeping.data / "postmaster.pid"
    if (left_behind := _server_of(mark, keeping.data)) is not None:
        left_behind.send_signal(signal.SIGINT)
        left_behind.wait(STOP_SECONDS)
    mark.unlink(missing_ok=True)
    for remains in Path(keeping.sockets).glob(".s.PGSQL.*"):
        remains.unlink()


def _server_of(mark: Path, data: Path) -> psutil.Process | None:
    try:
        process = psutil.Process(int(mark.read_text().splitlines()[0]))
        is_ours = str(data) in process.cmdline()
    except (OSError, ValueError, IndexError, psutil.Error):
        return None
    return process if is_ours else None


def _end_with_parent() -> Callable[[], None] | None:
    """On Linux the kernel tells the server when its keeper has ended, even by kill -9."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGINT)


def _try_lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _leave(_number: int, _frame: object) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    sys.exit(keep(Keeping.from_json(sys.argv[1])))
