"""What the portal's processes hold: memory, files, connections to the database, and how much of a core they take."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import psutil
from sqlalchemy import text

from bench.soak.place import Place

KINDS = ("run", "web", "receive", "worker", "practice")
POSTGRES = "postgres"
OTHERS = "children"  # pictures and readings in the making
CONNECTIONS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
IDLE_IN_TRANSACTION = "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"


@dataclass(frozen=True)
class Held:
    """What one kind of process holds."""

    pss_mb: float
    rss_mb: float
    files: int
    processes: int


NONE = Held(0, 0, 0, 0)


@dataclass(frozen=True)
class Reading:
    """All of it at one moment."""

    minute: float
    held: dict[str, Held]
    connections: int
    core_seconds: dict[str, float]


def read(place: Place, minute: float) -> Reading:
    """Look at every process that belongs to the portal."""
    found: dict[str, list[psutil.Process]] = {}
    supervisor = psutil.Process(place.process.pid)
    for process in [supervisor, *supervisor.children(recursive=True), *_postgres(place)]:
        found.setdefault(_kind(process), []).append(process)
    with place.engine.connect() as connection:
        connections = int(connection.scalar(CONNECTIONS) or 0)
    return Reading(
        minute,
        {kind: _held(processes) for kind, processes in sorted(found.items())},
        connections,
        {kind: _core_seconds(processes) for kind, processes in found.items()},
    )


def slope_mb_an_hour(readings: Sequence[Reading], kind: str) -> float:
    """How fast its memory grows, by the straight line that fits best."""
    points = [(one.minute / 60, one.held[kind].pss_mb) for one in readings if kind in one.held]
    if len(points) < 2:
        return 0.0
    return statistics.linear_regression(*zip(*points, strict=True)).slope


def _kind(process: psutil.Process) -> str:
    try:
        words = process.cmdline()
        name = process.name()
    except psutil.Error:
        return OTHERS
    if name.startswith(POSTGRES):
        return POSTGRES
    return words[-1] if "portal.cli" in words and words[-1] in KINDS else OTHERS


def _postgres(place: Place) -> list[psutil.Process]:
    """The server and all of its processes."""
    first = int((place.folder / "postgres").resolve().joinpath("data", "postmaster.pid").read_text().split()[0])
    postmaster = psutil.Process(first)
    return [postmaster, *postmaster.children(recursive=True)]


def _held(processes: Sequence[psutil.Process]) -> Held:
    pss = rss = files = count = 0
    for process in processes:
        try:
            memory = process.memory_full_info()
            files += process.num_fds()
        except psutil.Error:
            continue  # it has ended meanwhile
        pss, rss, count = pss + memory.pss, rss + memory.rss, count + 1
    return Held(pss / 1e6, rss / 1e6, files, count)


def _core_seconds(processes: Sequence[psutil.Process]) -> float:
    taken = 0.0
    for process in processes:
        try:
            used = process.cpu_times()
        except psutil.Error:
            continue
        taken += used.user + used.system + used.children_user + used.children_system
    return taken
