"""What every process writes into its log, as in public; no test may end with personal data in it."""

import json
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from portal.gateways.logs import OURS, Lines

# Whoever is invented here has such a mailbox and such a telephone.
OF_SOMEBODY = re.compile(r"[\w.+-]@[\w-]+\.\w|555.?01\d\d")
# Ids and references are drawn at random: one in some thousands looks like a telephone.
DRAWN = re.compile(r"\b(?=[0-9]*[a-f])[0-9a-f]{8,32}\b")


@dataclass
class Log(logging.Handler):
    """The lines of this process, as they would be in public."""

    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.setFormatter(Lines("web"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    @property
    def told(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The lines of requests."""
        return [line for line in self.told if "route" in line]

    __hash__ = logging.Handler.__hash__


@pytest.fixture(autouse=True)
def log() -> Iterator[Log]:
    """Collects the lines; after every test of the suite, none of them may tell of somebody."""
    handler, ours = Log(), logging.getLogger(OURS)
    before = ours.level
    logging.getLogger().addHandler(handler)
    ours.setLevel(logging.INFO)
    yield handler
    ours.setLevel(before)
    logging.getLogger().removeHandler(handler)
    assert [line for line in handler.lines if OF_SOMEBODY.search(DRAWN.sub("", line))] == []
