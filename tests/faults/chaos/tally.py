"""What was promised to people, and what became of it."""

import threading
from collections import Counter
from dataclasses import dataclass, field

MOST_TOLD = 30


@dataclass
class Tally:
    """Counts by kind of deed. Everything told as wrong is kept in words too."""

    begun: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    given_up: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    doubled: Counter[str] = field(default_factory=Counter)
    kills: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: Counter[str], kind: str, times: int = 1) -> None:
        with self._lock:
            what[kind] += times

    def found(self, kind: str, detail: str, *, accepted: bool, there: int) -> None:
        """In the end so many stand in the books of one thing: one if it was accepted, at most one if not."""
        if accepted and not there:
            self.count(self.lost, kind)
            self.tell(f"{kind} lost: {detail}")
        if there > 1:
            self.count(self.doubled, kind, there - 1)
            self.tell(f"{kind} doubled: {detail}")

    def tell(self, words: str) -> None:
        """Keep the first few."""
        with self._lock:
            if len(self.wrong) < MOST_TOLD:
                self.wrong.append(words)

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.wrong)

    def lines(self) -> list[str]:
        """All of it for a person."""
        kinds = sorted(self.begun)
        rows = [("what", "begun", "accepted", "given up", "lost", "doubled")]
        counters = (self.begun, self.accepted, self.given_up, self.lost, self.doubled)
        rows += [(kind, *(str(one[kind]) for one in counters)) for kind in kinds]
        rows.append(("all", *(str(sum(one.values())) for one in counters)))
        told = ["  ".join(f"{cell:>10}" for cell in row) for row in rows]
        told.append(f"killed {sum(self.kills.values())}: {_listed(self.kills)}")
        told.append(f"besides: {_listed(self.faults)}")
        return [*told, *(f"- {one}" for one in self.wrong)]


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.most_common()) or "nothing"
