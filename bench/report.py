"""The figures with what they ought to be, printed as tables."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Figure:
    """One measured value and the bound it has to keep, from below or from above."""

    what: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None

    @property
    def is_met(self) -> bool:
        low = -math.inf if self.at_least is None else self.at_least
        high = math.inf if self.at_most is None else self.at_most
        return low <= self.value <= high

    def row(self) -> tuple[str, ...]:
        bound = f"≥ {self.at_least:g}" if self.at_least is not None else f"≤ {self.at_most:g}"
        return self.what, f"{self.value:.4g} {self.unit}", f"{bound} {self.unit}", "" if self.is_met else "MISSED"


@dataclass
class Report:
    """All figures of a run."""

    figures: list[Figure] = field(default_factory=list)

    def add(self, *figures: Figure) -> None:
        self.figures += figures

    def print(self) -> None:
        table("All figures", ("what", "measured", "target", ""), [figure.row() for figure in self.figures])


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Columns as wide as they have to be; the first to the left, the others to the right."""
    lines = [tuple(str(cell) for cell in row) for row in (head, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    pads = [str.ljust, *[str.rjust] * (len(head) - 1)]
    print(f"\n{title}")
    for line in lines:
        print("  " + "  ".join(pad(cell, width) for pad, cell, width in zip(pads, line, widths, strict=True)))


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]
