"""Whether somebody with a watch can tell two ways of being answered apart, on a machine that has other things to do."""

from collections.abc import Callable
from statistics import median

PAIRS = 48
MOST = 39
TRIES = 4
SHARE_SEEN = 0.1

Timed = Callable[[], float]


def told_apart(one: Timed, other: Timed) -> str:
    """How the two, each of which says how many seconds it took, are told apart; nothing if they are not.

    They are told apart if one is the slower in at least 39 of 48 pairs, which chance alone brings about once in 65,695
    times, and if what it takes longer, in the middle of all pairs, is a tenth of the whole besides: a smaller share
    drowns on the way to whoever holds the watch.
    """
    pairs: list[tuple[float, float]] = []
    while len(pairs) < PAIRS:
        pairs.append(_pair(one, other, turn=len(pairs)))
        if min(len(pairs) - _times_slower(pairs), len(pairs) - _times_slower(_swapped(pairs))) > PAIRS - MOST:
            return ""  # whatever the rest is
    longer = median(first - second for first, second in pairs)
    share = abs(longer) / min(median(first for first, _ in pairs), median(second for _, second in pairs))
    if share < SHARE_SEEN:
        return ""
    which, times = ("first", _times_slower(pairs)) if longer > 0 else ("second", _times_slower(_swapped(pairs)))
    return f"the {which} is the slower in {times} of {PAIRS} pairs, by {share:.0%}"


def _pair(one: Timed, other: Timed, *, turn: int) -> tuple[float, float]:
    """The best of four each, one right after the other in changing order: what else the machine does only adds."""
    ones, others = [], []
    for number in range(turn, turn + TRIES):
        for do, took in ((one, ones), (other, others)) if number % 2 else ((other, others), (one, ones)):
            took.append(do())
    return min(ones), min(others)


def _times_slower(pairs: list[tuple[float, float]]) -> int:
    return sum(first > second for first, second in pairs)


def _swapped(pairs: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(second, first) for first, second in pairs]
