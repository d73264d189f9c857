"""`portal run` as a newcomer starts it, and every one of its processes killed in the course of one payment."""

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest
import requests
from sqlalchemy import create_engine

from portal.gateways.postgres.embedded import EmbeddedPostgres
from portal.schema.migrate import upgrade
from tests.faults.figures import Figures
from tests.faults.people import UNREACHABLE, Payer
from tests.faults.place import SECRET_KEY, Place
from tests.faults.programs import ROOT
from tests.faults.truth import Mailbag, Truth
from tests.faults.world import LONGEST_LOG, PRACTICE, WEB, WORKER
from tests.support.cluster import MAY_BE_LOST
from tests.support.database import Database
from tests.support.owing import owe
from tests.support.practice import free_socket, wait_for

START_SECONDS = 180
DURABLE = {name: value for name, value in MAY_BE_LOST.items() if name != "synchronous_commit"}


@dataclass
class Run(Place):
    """A running `portal run`."""

    port: int
    supervisor: psutil.Process
    killed: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def practice_url(self) -> str:
        return f"http://127.0.0.1:{self.port + 1}"

    def kill(self, *programs: str) -> None:
        """Signal 9 to the children that run these."""
        living = [child for child in self.supervisor.children() if child.status() != psutil.STATUS_ZOMBIE]
        for child in living:
            if (program := child.cmdline()[-1:]) in [[one] for one in programs]:
                child.kill()
                self.figures.kills += 1
                self.killed += program

    def kill_database(self) -> None:
        backend = self.database.value("SELECT pg_backend_pid()")
        psutil.Process(psutil.Process(backend).ppid()).kill()
        self.figures.kills += 1

    def logs(self) -> dict[str, str]:
        """The end of all that it printed."""
        return {"portal run": (self.folder / "run.log").read_text(errors="replace")[-LONGEST_LOG:]}

    def answers(self) -> bool:
        """The pages, the card page and the database are there."""
        try:
            return all(requests.get(url, timeout=5).ok for url in (f"{self.url}/health/ready", self.practice_url))
        except UNREACHABLE:
            return False


@pytest.fixture
def run(figures: Figures) -> Iterator[Run]:
    """`portal run` with an embedded database of its own."""
    with tempfile.TemporaryDirectory(prefix="faults-run-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        folder.chmod(0o711)
        (folder / "data").mkdir(mode=0o711)
        with EmbeddedPostgres(folder / "data" / "postgres", settings=DURABLE) as server:
            server.ensure_database("portal")
            upgrade(server.url())
            engine = create_engine(server.url(), pool_pre_ping=True)
            port = two_free_ports()
            supervisor = _start(folder, port)
            try:
                run = Run(folder, Database(server.url(), engine), figures, port, psutil.Process(supervisor.pid))
                wait_for(run.answers, seconds=START_SECONDS)
                yield run
            finally:
                engine.dispose()
                supervisor.terminate()
                supervisor.wait(START_SECONDS)


def test_every_process_of_portal_run_is_killed_during_one_payment(run, figures):
    truth = Truth(run, Mailbag(run, run.letters_as_files))
    owed = owe(run.database.engine, "Pepper", "Rex", clock=run.clock, accepted=True)
    payer = Payer.of(run, owed)
    card_page = payer.go_to_card_page()
    run.kill(WEB, WORKER)
    payer.act(card_page)
    run.kill(PRACTICE)
    payer.visit(f"/pay/{owed.order_id}/return")
    run.kill_database()
    truth.wait_until_paid(owed)
    assert payer.visit(f"/pay/{owed.order_id}/return").path.endswith("/receipt")
    run.leases_end()
    truth.paid_and_issued_once(owed)
    truth.numbers_are_whole()
    assert sorted(run.killed) == [PRACTICE, WEB, WORKER]


def two_free_ports() -> int:
    """A port whose next is free too: the stand-ins listen there."""
    while True:
        with free_socket() as first, socket.socket() as second:
            port: int = first.getsockname()[1]
            with suppress(OSError):
                second.bind(("127.0.0.1", port + 1))
                return port


def _start(folder: Path, port: int) -> subprocess.Popen[bytes]:
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "PORTAL_DATA": str(folder / "data"),
        "PORT": str(port),
        "SECRET_KEY": SECRET_KEY,
    }
    with (folder / "run.log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "portal.cli", "run"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
