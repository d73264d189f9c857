"""Address labels as a PDF for sheets of thirty (letter, three across, 2 5/8 by 1 inch)."""

from collections.abc import Sequence
from dataclasses import dataclass

from portal.gateways.paper.typesetting import typeset

ON_A_SHEET = 30
MOST_LINES = 5
LONGEST_LINE = 60


@dataclass(frozen=True)
class Label:
    """The lines of an address, and a small mark that says what goes into the envelope."""

    lines: tuple[str, ...]
    mark: str


def labels_pdf(labels: Sequence[Label], *, title: str, skipped: int = 0) -> bytes:
    """The labels, on a sheet whose first `skipped` are used already; see `typeset` for what may be raised."""
    told = [{"lines": [_one_line(line) for line in one.lines[:MOST_LINES]], "mark": one.mark} for one in labels]
    return typeset("labels", {"title": title, "labels": told, "skipped": skipped % ON_A_SHEET})


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1].rstrip()}…"
