"""A few minutes of everything going wrong at once, in small: `make chaos` kills a thousand times."""

from tests.faults.chaos.__main__ import run
from tests.faults.chaos.tally import Tally

FEW = 8


def test_whoever_is_killed_nothing_accepted_is_lost_and_nothing_is_doubled():
    tally = Tally()
    run(tally, kills=FEW, seed=1)
    assert sum(tally.kills.values()) == FEW
    assert sum(tally.accepted.values()) > 0
    assert tally.is_clean, "\n".join(tally.lines())
