"""Who is killed, and at which step."""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from tests.faults.relay import Moment, Step


class Trap(Protocol):
    """Decides at each step whether somebody dies there."""

    def springs(self, step: Step, moment: Moment) -> bool: ...


@dataclass
class OnceAt:
    """At one step, the first time it comes."""

    step: Step
    moment: Moment
    has_sprung: bool = False

    def springs(self, step: Step, moment: Moment) -> bool:
        if self.has_sprung or (step, moment) != (self.step, self.moment):
            return False
        self.has_sprung = True
        return True


@dataclass
class AgainAndAgain:
    """At the first step, then at the second after that, and so on, each time one step later, until all is done."""

    relays: tuple[str, ...]
    moment: Moment
    stride: int = 1
    at: int = 1
    kills: int = 0
    _passed: int = 0

    def springs(self, step: Step, moment: Moment) -> bool:
        if step.relay not in self.relays or moment is not self.moment:
            return False
        self._passed += 1
        if self._passed < self.at:
            return False
        self.at += self.stride
        self._passed = 0
        self.kills += 1
        return True


@dataclass
class Watch:
    """Counts the steps of every relay and springs the trap that is set.

    `kill` ends the victim at once; `revive` is called when the conversation is cut too, as `portal run` would do it.
    """

    kill: Callable[[str], None]
    revive: Callable[[str], None]
    steps: list[Step] = field(default_factory=list)
    _times: Counter[tuple[str, str]] = field(default_factory=Counter)
    _trap: Trap | None = None
    _victim: str = ""
    _dying: int = 0
    _lock: threading.Condition = field(default_factory=threading.Condition)

    def begin(self, trap: Trap | None = None, *, victim: str = "") -> None:
        """Count from here, with this trap set for the victim."""
        with self._lock:
            self.steps = []
            self._times.clear()
            self._trap, self._victim = trap, victim

    def end(self) -> None:
        """Take the trap away, and wait until whoever was killed runs again."""
        with self._lock:
            self._trap = None
            self._wait_for_the_dying()

    def kill_now(self, victim: str) -> None:
        """Without a trap; never while somebody is being started again, so that there are never two of them."""
        with self._lock:
            self._wait_for_the_dying()
            self._dying += 1
            self.kill(victim)
        self._let_live(victim)

    def asked(self, relay: str, said: str) -> Step | None:
        with self._lock:
            self._times[relay, said] += 1
            step = Step(relay, said, self._times[relay, said])
            self.steps.append(step)
            return None if self._springs(step, Moment.ASKED) else step

    def answered(self, step: Step) -> bool:
        with self._lock:
            return not self._springs(step, Moment.ANSWERED)

    def was_cut(self) -> None:
        self._let_live(self._victim)

    def _let_live(self, victim: str) -> None:
        self.revive(victim)
        with self._lock:
            self._dying -= 1
            self._lock.notify_all()

    def _wait_for_the_dying(self) -> None:
        assert self._lock.wait_for(lambda: not self._dying, timeout=180), "not started again"

    def _springs(self, step: Step, moment: Moment) -> bool:
        if self._trap is None or self._dying or not self._trap.springs(step, moment):
            return False
        self._dying += 1
        self.kill(self._victim)
        return True
