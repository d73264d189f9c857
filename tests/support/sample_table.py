"""What became of each sample file by each way it may come, as one table at the end of the tests."""

from collections.abc import Callable
from typing import Any

import pytest

SAMPLE = "sample"
WAYS = ("owner", "clinic", "API")

Note = Callable[[str, str, str], None]


@pytest.fixture
def note_sample(record_property: Callable[[str, object], None]) -> Note:
    """`note_sample("truncated.jpg", "owner", "refused: ...")`. It travels with the report, from whichever process."""
    return lambda name, way, outcome: record_property(SAMPLE, (name, way, outcome))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the table, if any of it was tried."""
    cells = {
        (name, way): outcome
        for reports in terminalreporter.stats.values()
        for report in reports
        for kind, told in getattr(report, "user_properties", ())
        if kind == SAMPLE
        for name, way, outcome in [told]
    }
    if not cells:
        return
    names = sorted({name for name, _ in cells})
    lines = [("sample", *WAYS), *((name, *(cells.get((name, way), "not tried") for way in WAYS)) for name in names)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    terminalreporter.section("samples as certificates")
    for line in lines:
        row = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        terminalreporter.write_line(row.rstrip())
