"""Walk the same way again and again, and kill somebody one step later each time."""

import os
from collections.abc import Callable, Iterator, Sequence

from tests.faults.conversations import PING
from tests.faults.relay import Moment, Step
from tests.faults.watch import OnceAt
from tests.faults.world import World

# Within a transaction it makes no difference where the process dies: nothing of it is kept. Unless asked for
# everything, the steps are those after which the world is another: commits, and what goes out of the house.
EVERYTHING = os.environ.get("FAULTS") == "all"
TELLING = ("COMMIT ", "POST ")
ONLY_READ = "(reading)"
# The worker's readings of certificates, and its notes of what it has done, come by on their own clock, in the middle of
# any other walk or not at all.
OTHER_JOBS = ("UPDATE reading", "INSERT worker_job", "UPDATE worker_job")


def is_telling(step: Step) -> bool:
    """After it the world is another."""
    return step.said.startswith(TELLING) and not step.said.endswith((ONLY_READ, *OTHER_JOBS))


def sweep(
    world: World,
    walk: Callable[[], object],
    *,
    victim: str,
    relays: Sequence[str],
    where: Callable[[Step], bool] = is_telling,
) -> list[str]:
    """Learn the steps of a walk, then walk it twice for each: killing before the step arrives, and before its answer.

    `where` chooses among the steps, unless everything is asked for. What was said at those chosen is the answer.
    """
    if EVERYTHING:
        walk()  # what is only said on a new connection is no step of the walk
    with world.trap(None, victim=victim) as steps:
        walk()
    chosen = [step for step in steps if step.relay in relays and (_is_wanted_anyway(step) or where(step))]
    for trap in _traps(chosen):
        with world.trap(trap, victim=victim):
            walk()
        # How often a process looks around by itself is not the same each time.
        assert trap.has_sprung or not is_telling(trap.step), f"nobody came by: {trap.step}"
    return [step.said for step in chosen]


def _traps(steps: Sequence[Step]) -> Iterator[OnceAt]:
    for step in steps:
        for moment in Moment:
            yield OnceAt(step, moment)


def _is_wanted_anyway(step: Step) -> bool:
    return EVERYTHING and step.said != PING
