"""One core serves and nothing else; the load, PostgreSQL and everything besides run on the others.

Where there is one core, or the system pins no processes, nothing is pinned: ratios still compare like with like.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager


def _available() -> list[int]:
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


_ALL = _available()
ALL = frozenset(_ALL)
SERVING = frozenset(_ALL[-1:])
OTHERS = frozenset(_ALL[:-1]) or SERVING


@contextmanager
def children_on(cores: frozenset[int]) -> Iterator[None]:
    """Processes that the block starts stay on these cores with all of their threads."""
    if len(_ALL) < 2:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
