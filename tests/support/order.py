"""In which order tests begin: what takes long in the first half, so that no process is left alone with it at the end.
It may also take longer than others before it counts as stuck.

The order is random otherwise. Each process is given an equal share of neighbors, and takes over what another has left.
"""

import gc
import os

import pytest

LONG = (
    "tests/attacks/",
    "tests/browser/",
    "tests/faults/",
    "tests/migrations/",
    "tests/operations/",
    "tests/practice/test_kill.py",
    "tests/reading/test_worker.py",
    "tests/upgrades/",
    "tests/web/test_matrix.py",
    "tests/web/vet/test_table.py",
    "tests/worker/test_year_of_reminders.py",
)
# What takes half a minute on a quiet machine must not be called stuck on one with other things to do.
STUCK_SECONDS = 600


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Move what takes long from anywhere in a process's share into its first half."""
    share = len(items) // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) + 1
    begins = {}
    for place, item in enumerate(items):
        first = place - place % share
        begins[item] = first + (place - first) / 2 if item.nodeid.startswith(LONG) else place
        if item.nodeid.startswith(LONG) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(STUCK_SECONDS))
    items.sort(key=begins.__getitem__)


def pytest_collection_finish() -> None:
    """Five thousand tests and what they import stay to the end: nobody looks again and again for what is left of it."""
    gc.collect()
    gc.freeze()
