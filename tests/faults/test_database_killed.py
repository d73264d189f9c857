"""PostgreSQL itself is killed in the middle of a payment, and comes back by itself."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from portal.gateways.postgres.embedded import EmbeddedPostgres
from portal.schema.migrate import upgrade
from tests.faults.figures import Figures
from tests.faults.programs import Nursery
from tests.faults.relay import Moment
from tests.faults.sweep import sweep
from tests.faults.test_paying import pays_by_card
from tests.faults.watch import OnceAt
from tests.faults.world import POSTGRES, WEB, WEB_DATABASE, WORKER, World, running_world
from tests.support.cluster import IN_MEMORY, MAY_BE_LOST

# What was committed is to be there after the kill, as it is with the settings that everybody has.
SETTINGS = {name: value for name, value in MAY_BE_LOST.items() if name != "synchronous_commit"}


@pytest.fixture
def world(nursery: Nursery, figures: Figures) -> Iterator[World]:
    """A portal over a server of its own, which nobody else would miss."""
    folder = Path(tempfile.mkdtemp(prefix="faults-postgres-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None))
    folder.chmod(0o711)
    try:
        with EmbeddedPostgres(folder / "postgres", settings=SETTINGS) as server:
            server.ensure_database("portal")
            upgrade(server.url())
            with running_world(nursery, server.url(), figures, may_stumble=True) as world:
                world.keep_database_up = server.start
                yield world
    finally:
        shutil.rmtree(folder)


def test_the_database_may_be_killed_at_any_commit_of_a_payment(world, truth):
    processes = {program: world.running[program] for program in (WEB, WORKER)}
    said = sweep(world, lambda: pays_by_card(world, truth), victim=POSTGRES, relays=(WEB_DATABASE,))
    assert len(said) >= 3
    assert {program: world.running[program] for program in (WEB, WORKER)} == processes, "nobody had to start again"
    truth.numbers_are_whole()


def test_what_the_log_says_of_a_killed_database_names_nobody(world, truth):
    pays_by_card(world, truth)
    with world.trap(None, victim=POSTGRES) as steps:
        pays_by_card(world, truth)
    tells_who = next(step for step in steps if step.said.endswith("INSERT outgoing_message"))
    with world.trap(OnceAt(tells_who, Moment.ASKED), victim=POSTGRES):
        owed = pays_by_card(world, truth)
    assert "OperationalError" in world.log(WEB)
    assert owed.email not in world.log(WEB)
