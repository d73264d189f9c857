"""`python -m tests.faults.chaos --kills 1000 --seed 1`: counts what was accepted, lost and doubled.

People register, pay, report, write, file and decide, and never give up lightly. Meanwhile web, worker, practice
processor, database, console and, in its own part, `portal run` itself are killed at random moments; disks are full, the
database restarts, the processor is late, cut off, and delivers events twice and in the wrong order.
"""

import argparse
import shutil
import signal
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from types import FrameType

from portal.gateways.postgres.embedded import EmbeddedPostgres
from portal.schema.migrate import upgrade
from tests.faults.chaos.deeds import People
from tests.faults.chaos.gathering import Copies, gather
from tests.faults.chaos.supervisor import kill_supervisors
from tests.faults.chaos.tally import Tally
from tests.faults.chaos.trouble import Troublemaker, small_disk
from tests.faults.figures import Figures
from tests.faults.people import Officer, Processor
from tests.faults.programs import open_nursery
from tests.faults.truth import Mailbag, Truth
from tests.faults.world import running_world
from tests.support.cluster import IN_MEMORY, MAY_BE_LOST
from tests.support.practice import wait_for

# What was committed is to be there after a kill, as with the settings that everybody has.
SETTINGS = {name: value for name, value in MAY_BE_LOST.items() if name != "synchronous_commit"}
SETTINGS |= {"max_wal_size": "64MB", "min_wal_size": "32MB"}
PEOPLE = 4
SUPERVISORS_OF = 40  # one kill in so many is `portal run` itself


def main() -> None:
    signal.signal(signal.SIGTERM, _leave)
    chosen = arguments()
    tally, begun = Tally(), time.monotonic()
    supervisors = chosen.kills // SUPERVISORS_OF
    try:
        run(tally, kills=chosen.kills - supervisors, seed=chosen.seed)
        kill_supervisors(tally, kills=supervisors, seed=chosen.seed)
    finally:
        print(f"seed {chosen.seed}, {(time.monotonic() - begun) / 60:.1f} minutes")
        print("\n".join(tally.lines()))
    sys.exit(0 if tally.is_clean else 1)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1, help="the same victims, pauses and faults in the same order")
    return parser.parse_args()


def run(tally: Tally, *, kills: int, seed: int) -> None:
    """A portal of real processes over a database of its own, and everything going wrong with it."""
    folder = Path(tempfile.mkdtemp(prefix="chaos-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None))
    folder.chmod(0o711)
    figures = Figures()
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        has_disk = stack.enter_context(small_disk(folder / "disk"))
        server = stack.enter_context(EmbeddedPostgres(folder / "disk" / "postgres", settings=SETTINGS))
        server.ensure_database("portal")
        upgrade(server.url())
        nursery = stack.enter_context(open_nursery())
        world = stack.enter_context(running_world(nursery, server.url(), figures, may_stumble=True))
        has_store = stack.enter_context(small_disk(world.data / "files"))
        disks = {"database's disk": folder / "disk"} if has_disk else {}
        disks |= {"files' disk": world.data / "files"} if has_store else {}
        mail = Mailbag(world, world.letters_as_files, Copies())
        people = gather(world, tally, Truth(world, mail), Officer(world))
        trouble = Troublemaker(world, server, tally, Random(seed), disks)
        with trouble.watching():
            live_through(people, trouble, kills=kills, seed=seed)
        settle(people)
        audit(people)
        tally.count(tally.faults, "letters sent again", figures.letters_sent_again)


def live_through(people: People, trouble: Troublemaker, *, kills: int, seed: int) -> None:
    """Everybody goes on with their deeds until the killing is over, and finishes what they began."""
    over = threading.Event()

    def live(number: int) -> None:
        chance = Random(f"{seed} {number}")
        while not over.is_set():
            people.do(chance.choice(sorted(people.deeds)), chance)

    crowd = [threading.Thread(target=live, args=[number]) for number in range(PEOPLE)]
    for one in crowd:
        one.start()
    try:
        trouble.kill_often(kills)
    finally:
        over.set()
        for one in crowd:
            one.join()


def settle(people: People) -> None:
    """The trouble is over: what waits is due, and every event is delivered."""
    people.place.attempts_grow_old()
    people.place.leases_end()
    processor = Processor(people.place)
    processor.keep_nothing_back()
    wait_for(processor.all_delivered, seconds=120)


def audit(people: People) -> None:
    """What is in the books of what was promised."""
    for one in people.audits:
        one()
    try:
        people.truth.numbers_are_whole()
    except AssertionError as wrong:
        people.tally.tell(f"numbers: {wrong}")
    for missing in files_missing(people):
        people.tally.count(people.tally.lost, "file")
        people.tally.tell(f"a file that a row names is not there: {missing}")


def files_missing(people: People) -> list[str]:
    """Files that the books name and the store does not have."""
    named = people.place.database.rows(
        "SELECT key FROM animal_control.document_page UNION SELECT thumbnail_key FROM animal_control.document"
    )
    return [row.key for row in named if not (people.place.data / "files" / row.key).is_file()]


def _leave(_number: int, _frame: FrameType | None) -> None:
    """Unwind like Ctrl-C, so that all that was started is stopped, and what was found so far is told."""
    sys.exit(1)


if __name__ == "__main__":
    main()
