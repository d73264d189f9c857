"""A whole portal of real processes, with a relay in every conversation between them.

person --- front door --- web --- web's database ------- PostgreSQL
                             \\-- web's processor ------ practice processor
practice processor --- webhook door --- web
worker --- worker's database, worker's processor, (worker's mail)
console --- console's database
"""

import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psutil
from sqlalchemy import create_engine, make_url

from tests.faults.conversations import DatabaseTurns, LineTurns, MailTurns
from tests.faults.figures import Figures
from tests.faults.place import SECRET_KEY, Place
from tests.faults.programs import Nursery, Process
from tests.faults.relay import Relay, Step, TurnReader
from tests.faults.watch import Trap, Watch
from tests.support.database import Database
from tests.support.practice import free_socket, url_of, wait_for

WEB, WORKER, CONSOLE, PRACTICE, POSTGRES = "web", "worker", "console", "practice", "postgres"
FRONT_DOOR, WEBHOOK_DOOR = "front door", "webhook door"
WEB_DATABASE, WORKER_DATABASE, CONSOLE_DATABASE = "web's database", "worker's database", "console's database"
WEB_PROCESSOR, WORKER_PROCESSOR = "web's processor", "worker's processor"
WORKER_MAIL = "worker's mail"

SOCKET_NAME = ".s.PGSQL.5432"
LISTENING = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
STUMBLE = "Traceback (most recent call last)"
LONGEST_LOG = 5000


@dataclass
class World(Place):
    """The processes and what they leave behind."""

    nursery: Nursery
    listeners: dict[str, socket.socket]
    watch: Watch = field(init=False)
    relays: dict[str, Relay] = field(default_factory=dict)
    environments: dict[str, dict[str, str]] = field(default_factory=dict)
    running: dict[str, Process] = field(default_factory=dict)
    on_kill: list[Callable[[str], None]] = field(default_factory=list)
    keep_database_up: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        self.watch = Watch(kill=self._kill, revive=self._revive)

    @property
    def url(self) -> str:
        return url_of(self.relays[FRONT_DOOR].listener)

    @property
    def practice_url(self) -> str:
        return url_of(self.listeners[PRACTICE])

    def log(self, program: str) -> str:
        """All that a program has printed."""
        path = self.folder / f"{program}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def logs(self) -> dict[str, str]:
        """The end of each program's log."""
        return {program: self.log(program)[-LONGEST_LOG:] for program in (WEB, WORKER, CONSOLE, PRACTICE)}

    def stumbles(self) -> list[str]:
        """The programs in whose logs a failure stands that nobody foresaw."""
        return [program for program in (WEB, WORKER, CONSOLE, PRACTICE) if STUMBLE in self.log(program)]

    def start(self, program: str) -> None:
        """Start a program as `portal run` does: its sockets stay open while it is away."""
        sockets = [self.listeners[program]] if program in self.listeners else []
        log = self.folder / f"{program}.log"
        environment = self.environments[program]
        self.running[program] = self.nursery.start([program], environment, log=log, sockets=sockets)

    def command(self, *arguments: str) -> Process:
        """Run one command of the console."""
        log = self.folder / f"{CONSOLE}.log"
        self.running[CONSOLE] = self.nursery.start(arguments, self.environments[CONSOLE], log=log, sockets=[])
        return self.running[CONSOLE]

    def kill(self, program: str) -> None:
        """Signal 9, and start it again."""
        self.watch.kill_now(program)

    @contextmanager
    def trap(self, trap: Trap | None, *, victim: str) -> Iterator[list[Step]]:
        """Kill the victim where the trap says; the steps that were passed meanwhile."""
        self.watch.begin(trap, victim=victim)
        try:
            yield self.watch.steps
        finally:
            self.watch.end()

    def _kill(self, program: str) -> None:
        self.figures.kills += 1
        if program == POSTGRES:
            self.postmaster().kill()
        else:
            self.running[program].kill()
            self._tell(program)

    def postmaster(self) -> Process:
        """The database server's first process, which takes all the others along."""
        backend = self.database.value("SELECT pg_backend_pid()")
        return Process.of(psutil.Process(backend).ppid())

    def _revive(self, program: str) -> None:
        """What `portal run` keeps running is started again; a command is not."""
        if program == POSTGRES:
            self.keep_database_up()
            wait_for(self.is_database_there)
            self._tell(program)
        if program in (WORKER, POSTGRES):
            self.leases_end()
        if program in (WEB, WORKER, PRACTICE):
            self.start(program)

    def _tell(self, program: str) -> None:
        for tell in self.on_kill:
            tell(program)


@contextmanager
def running_world(
    nursery: Nursery,
    database_url: str,
    figures: Figures,
    *,
    mail_address: tuple[str, int] | None = None,
    may_stumble: bool = False,
) -> Iterator[World]:
    """Web, worker and practice processor over this database; letters are files unless there is a mail server."""
    folder = Path(tempfile.mkdtemp(prefix="faults-"))
    engine = create_engine(database_url, pool_size=2, pool_pre_ping=True)
    listeners = {WEB: free_socket(), PRACTICE: free_socket()}
    for listener in listeners.values():
        listener.listen(128)
    world = World(folder, Database(database_url, engine), figures, nursery, listeners)
    (folder / "data").mkdir()
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder)
        stack.callback(engine.dispose)
        for listener in listeners.values():
            stack.callback(listener.close)
        _open_relays(world, stack, mail_address)
        _furnish(world, mail_address)
        stack.callback(_end, world)
        for program in (PRACTICE, WEB, WORKER):
            world.start(program)
        try:
            wait_for(lambda: world.database.value(LISTENING))
        except AssertionError as failure:
            raise AssertionError(f"the worker does not work: {world.logs()}") from failure
        yield world
        assert may_stumble or not world.stumbles(), "a process failed at something that it should have borne"


def _end(world: World) -> None:
    for process in world.running.values():
        process.kill()


def _open_relays(world: World, stack: ExitStack, mail_address: tuple[str, int] | None) -> None:
    def open_relay(name: str, listener: socket.socket, address: tuple[str, int] | str, reader: type) -> None:
        turns: Callable[[], TurnReader] = partial(reader)
        listener.listen(128)
        world.relays[name] = stack.enter_context(Relay(name, listener, address, turns, world.watch).running())

    server = f"{make_url(world.database.url).query['host']}/{SOCKET_NAME}"
    web, practice = (world.listeners[name].getsockname() for name in (WEB, PRACTICE))
    for name in (WEB_DATABASE, WORKER_DATABASE, CONSOLE_DATABASE):
        open_relay(name, _unix_socket(world, name), server, DatabaseTurns)
    for name in (WEB_PROCESSOR, WORKER_PROCESSOR):
        open_relay(name, free_socket(), practice, LineTurns)
    for name in (FRONT_DOOR, WEBHOOK_DOOR):
        open_relay(name, free_socket(), web, LineTurns)
    if mail_address:
        open_relay(WORKER_MAIL, free_socket(), mail_address, MailTurns)


def _unix_socket(world: World, name: str) -> socket.socket:
    place = _place(world, name)
    place.mkdir()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(place / SOCKET_NAME))
    return listener


def _place(world: World, name: str) -> Path:
    return world.folder / name.replace("'s ", "-")


def _furnish(world: World, mail_address: tuple[str, int] | None) -> None:
    """What each program finds in its environment."""

    def database(relay: str) -> str:
        name = make_url(world.database.url).database
        return f"postgresql://postgres@/{name}?host={_place(world, relay)}&port=5432"

    def door(relay: str) -> str:
        return url_of(world.relays[relay].listener)

    usual = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "SECRET_KEY": SECRET_KEY,
        "PORTAL_DATA": str(world.folder / "data"),
        "PORT": str(world.listeners[PRACTICE].getsockname()[1] - 1),
        "BASE_URL": door(FRONT_DOOR),
    }
    mail = {"MAIL_URL": door(WORKER_MAIL).replace("http:", "smtp:")} if mail_address else {}
    world.environments = {
        WEB: {**usual, "DATABASE_URL": database(WEB_DATABASE), "STRIPE_API_BASE": door(WEB_PROCESSOR)},
        WORKER: {
            **usual,
            **mail,
            "DATABASE_URL": database(WORKER_DATABASE),
            "STRIPE_API_BASE": door(WORKER_PROCESSOR),
        },
        CONSOLE: {**usual, "DATABASE_URL": database(CONSOLE_DATABASE), "STRIPE_API_BASE": door(WORKER_PROCESSOR)},
        PRACTICE: {**usual, "BASE_URL": door(WEBHOOK_DOOR)},
    }
