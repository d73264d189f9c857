"""Real processes to be killed, the people who deal with them, and what has to be true in the end."""

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.faults.figures import Figures
from tests.faults.people import Officer, Processor
from tests.faults.place import Place
from tests.faults.programs import Nursery, open_nursery
from tests.faults.sweep import EVERYTHING
from tests.faults.truth import Truth, truth_about
from tests.faults.world import World, running_world
from tests.support.cluster import Cluster

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Walking a way a hundred times takes its time."""
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.timeout(3600 if EVERYTHING else 600))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Beside a failed test stands what the processes had printed."""
    report = yield
    for place in getattr(item, "funcargs", {}).values():
        if report.failed and isinstance(place, Place):
            report.sections += [(f"log of {name}", log) for name, log in place.logs().items() if log]
    return report


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    with open_nursery() as nursery:
        yield nursery


@pytest.fixture
def world(nursery: Nursery, cluster: Cluster, figures: Figures) -> Iterator[World]:
    """A portal of real processes over a fresh database."""
    url = cluster.fresh_database()
    with running_world(nursery, url, figures) as world:
        yield world
    cluster.drop(url)


@pytest.fixture
def truth(world: World) -> Truth:
    return truth_about(world, world.letters_as_files)


@pytest.fixture
def officer(world: World) -> Officer:
    return Officer(world)


@pytest.fixture
def processor(world: World) -> Processor:
    return Processor(world)
