"""What goes wrong: somebody is killed, a disk is full, the database restarts, the processor is late, cut, doubled."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

import psutil
import requests
from sqlalchemy.exc import DBAPIError

from portal.gateways.postgres.embedded import EmbeddedPostgres, PostgresFailed
from portal.practice.faults import Fault
from tests.faults.chaos.tally import Tally
from tests.faults.people import UNREACHABLE
from tests.faults.world import CONSOLE, POSTGRES, PRACTICE, WEB, WEB_PROCESSOR, WORKER, World

VICTIMS = {WEB: 8, WORKER: 5, PRACTICE: 3, POSTGRES: 2, CONSOLE: 2}
# After how many kills something else goes wrong, about.
ANOTHER_TROUBLE_AFTER = 12
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 1.0
LASTS_SECONDS = (1.0, 4.0)
CHECKS_DATABASE_EVERY_SECONDS = 0.3
LEFT_FREE = 4096
DISK_MB = 320


@dataclass
class Troublemaker:
    """Kills and spoils until it has killed often enough, what and when by a seed.

    Only `kill_often` asks chance, in one thread: drawn where the troubles run, a seed would not repeat.
    """

    world: World
    server: EmbeddedPostgres
    tally: Tally
    chance: Random
    disks: dict[str, Path]
    _stop: threading.Event = field(default_factory=threading.Event)

    @property
    def troubles(self) -> dict[str, Callable[[float], None]]:
        """By what each is called; each is told how many seconds it lasts, if it lasts."""
        found: dict[str, Callable[[float], None]] = {
            "database restarts": self.restart_database,
            "processor time-outs": self.hold_processor,
        }
        for name, path in self.disks.items():
            found[f"{name} full"] = partial(self.fill, path)
        for fault in Fault:
            found[f"processor: {fault.value}"] = partial(self.arm, fault)
        return found

    def kill_often(self, kills: int) -> None:
        """So many kills, other trouble in between and meanwhile."""
        names = list(VICTIMS)
        for _ in range(kills):
            time.sleep(self.chance.uniform(SHORTEST_PAUSE, LONGEST_PAUSE))
            self.kill(self.chance.choices(names, list(VICTIMS.values()))[0])
            if self.chance.random() < 1 / ANOTHER_TROUBLE_AFTER:
                name = self.chance.choice(sorted(self.troubles))
                seconds = self.chance.uniform(*LASTS_SECONDS)
                self.tally.count(self.tally.faults, name)
                threading.Thread(target=self.troubles[name], args=[seconds], name=name).start()

    def kill(self, program: str) -> None:
        """Signal 9; what `portal run` keeps running is started again. A console that is idle is no victim."""
        if program == POSTGRES:
            self._signal_database(signal.SIGKILL)
        elif program in self.world.running:
            self.world.running[program].kill()
            if program != CONSOLE:
                self.world.start(program)
        self.tally.count(self.tally.kills, program)
        if program in (WORKER, POSTGRES):
            self._hurry()

    def keep_database_up(self) -> None:
        """As `portal run` does."""
        while not self._stop.wait(CHECKS_DATABASE_EVERY_SECONDS):
            with suppress(PostgresFailed):
                if not self.server.is_answering():
                    self.server.start()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """The database is kept up meanwhile."""
        keeper = threading.Thread(target=self.keep_database_up)
        keeper.start()
        try:
            yield
        finally:
            self._stop.set()
            keeper.join()

    def restart_database(self, _seconds: float) -> None:
        """The database goes down in order, cutting everybody off, and comes back."""
        self._signal_database(signal.SIGINT)

    def fill(self, path: Path, seconds: float) -> None:
        """No room on a disk, for a while."""
        ballast = path / "ballast"
        with suppress(OSError), ballast.open("wb") as file:
            room = os.statvfs(path)
            os.posix_fallocate(file.fileno(), 0, max(1, room.f_bavail * room.f_frsize - LEFT_FREE))
        time.sleep(seconds)
        ballast.unlink(missing_ok=True)

    def hold_processor(self, seconds: float) -> None:
        """The processor does not answer for a while, then cuts off who waited."""
        relay = self.world.relays[WEB_PROCESSOR]
        relay.hold()
        time.sleep(seconds)
        relay.refuse()
        time.sleep(0.2)
        relay.release()

    def arm(self, fault: Fault, _seconds: float) -> None:
        """The next call or event goes wrong in this way."""
        asked = {"kind": fault.value, "times": "1", "seconds": "3"}
        with suppress(*UNREACHABLE):
            requests.post(f"{self.world.practice_url}/practice/faults", data=asked, timeout=10)

    def _signal_database(self, number: int) -> None:
        with suppress(DBAPIError, psutil.Error):
            backend = self.world.database.value("SELECT pg_backend_pid()")
            psutil.Process(psutil.Process(backend).ppid()).send_signal(number)

    def _hurry(self) -> None:
        """Five minutes later: what the dead worker had claimed is due again, and nobody has asked too often."""
        with suppress(DBAPIError):
            self.world.leases_end()
            self.world.database.run("DELETE FROM portal.rate_limit")


@contextmanager
def small_disk(path: Path) -> Iterator[bool]:
    """A disk of its own that can be filled, where the machine allows one; else the folder as it is, and False."""
    path.mkdir(parents=True, exist_ok=True)
    options = f"size={DISK_MB}m,mode=0711"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)], check=False, capture_output=True
    )
    try:
        yield mounted.returncode == 0
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", "--lazy", str(path)], check=True)
