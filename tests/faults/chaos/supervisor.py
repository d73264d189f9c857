"""`portal run` itself killed again and again, and started again, as a machine's own supervisor would do it."""

import shutil
import tempfile
import threading
from pathlib import Path
from random import Random

import psutil
from sqlalchemy import create_engine

from portal.gateways.postgres.embedded import EmbeddedPostgres
from portal.schema.migrate import upgrade
from tests.faults.chaos.gathering import Copies, gather
from tests.faults.chaos.tally import Tally
from tests.faults.figures import Figures
from tests.faults.people import Processor
from tests.faults.test_portal_run import DURABLE, START_SECONDS, Run, _start, two_free_ports
from tests.faults.truth import Mailbag, Truth
from tests.support.database import Database
from tests.support.practice import wait_for

PEOPLE = 2
LIVES_SECONDS = (0.0, 6.0)
DEEDS = ("pay", "report", "register")


def kill_supervisors(tally: Tally, *, kills: int, seed: int) -> None:
    """Each time it is killed all its processes end with it, and the next one takes over what they left."""
    if not kills:
        return
    folder = Path(tempfile.mkdtemp(prefix="chaos-run-"))
    folder.chmod(0o711)
    (folder / "data").mkdir(mode=0o711)
    try:
        with EmbeddedPostgres(folder / "data" / "postgres", settings=DURABLE) as server:
            server.ensure_database("portal")
            upgrade(server.url())
            engine = create_engine(server.url(), pool_pre_ping=True)
            _run(folder, Database(server.url(), engine), tally, kills=kills, seed=seed)
            engine.dispose()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _runs_again(run: Run) -> bool:
    """Start it, and again when it ended: for a moment the last one's children may hold the port."""
    if not run.supervisor.is_running() or run.supervisor.status() == psutil.STATUS_ZOMBIE:
        run.supervisor = psutil.Process(_start(run.folder, run.port).pid)
    return run.answers()


def _run(folder: Path, database: Database, tally: Tally, *, kills: int, seed: int) -> None:
    port, chance, over = two_free_ports(), Random(seed), threading.Event()
    run = Run(folder, database, Figures(), port, psutil.Process(_start(folder, port).pid))
    wait_for(run.answers, seconds=START_SECONDS)
    people = gather(run, tally, Truth(run, Mailbag(run, run.letters_as_files, Copies())), None)

    def live(number: int) -> None:
        mine = Random(f"{seed} {number}")
        while not over.is_set():
            people.do(mine.choice(DEEDS), mine)

    crowd = [threading.Thread(target=live, args=[number]) for number in range(PEOPLE)]
    for one in crowd:
        one.start()
    try:
        for _ in range(kills):
            over.wait(chance.uniform(*LIVES_SECONDS))
            run.supervisor.kill()
            run.supervisor.wait()
            tally.count(tally.kills, "portal run")
            wait_for(lambda: _runs_again(run), seconds=4 * START_SECONDS)
            database.run("DELETE FROM portal.rate_limit")
    finally:
        over.set()
        for one in crowd:
            one.join()
        run.attempts_grow_old()
        run.leases_end()
        try:
            wait_for(Processor(run).all_delivered, seconds=120)
            for audit in people.audits:
                audit()
        finally:
            run.supervisor.terminate()
            run.supervisor.wait(START_SECONDS)
