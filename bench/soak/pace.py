"""The beat to which all requests go out, and what became of each."""

import threading
import time
from array import array
from collections import Counter
from dataclasses import dataclass, field

MOST_TOLD = 60


class Over(Exception):
    """The time is up: whoever is under way goes home."""


@dataclass
class Pace:
    """So many requests a second, each at its time, whoever sends it.

    An answer counts from the moment at which its request was due: if the portal keeps everybody waiting, those who
    could not even ask count as waiting too.
    """

    rate: float
    seconds: float
    begun: float = 0.0
    _number: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self) -> None:
        self.begun = time.perf_counter()

    def due(self) -> float:
        """Wait for the next beat; when it was. Raises Over."""
        with self._lock:
            at = self.begun + self._number / self.rate
            self._number += 1
        if at - self.begun >= self.seconds:
            raise Over
        time.sleep(max(0.0, at - time.perf_counter()))
        return at


@dataclass
class Outcomes:
    """Everything that was asked, by kind, and everything that went wrong."""

    taken: "dict[str, array[float]]" = field(default_factory=dict)
    deeds: Counter[str] = field(default_factory=Counter)
    waits: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, kind: str, seconds: float) -> None:
        """An answer came, and it was as it should be."""
        with self._lock:
            self.taken.setdefault(kind, array("d")).append(seconds)

    def fail(self, what: str, detail: str) -> None:
        """Something went wrong; the first few are told in full."""
        with self._lock:
            self.errors[what] += 1
            if len(self.told) < MOST_TOLD:
                self.told.append(f"{what}: {detail}")
                print("-", self.told[-1], flush=True)

    def did(self, deed: str) -> None:
        """The portal said that it accepted something."""
        with self._lock:
            self.deeds[deed] += 1

    def waited(self) -> None:
        """Somebody was asked to come back in a moment, because all who make pictures are busy."""
        with self._lock:
            self.waits += 1
