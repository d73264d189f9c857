"""What the killing came to, told at the end of the run."""

from dataclasses import asdict, dataclass
from typing import Any

import pytest

NAME = "faults"


@dataclass
class Figures:
    """Of one test: how often somebody was killed, what was accepted, and what became of it."""

    kills: int = 0
    accepted: int = 0  # payments whose payer was told that they are done
    lost: int = 0
    doubled: int = 0
    letters: int = 0
    letters_sent_again: int = 0


class FiguresTold:
    """Adds the figures of all tests up and prints them under the results; works with xdist."""

    def __init__(self) -> None:
        self.sums: dict[str, int] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            for name, value in report.user_properties:
                if name == NAME:
                    self._add(value)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.sums:
            told = ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in self.sums.items())
            terminalreporter.write_line(f"Killed with signal 9: {told}")

    def _add(self, figures: object) -> None:
        assert isinstance(figures, dict)
        for name, value in figures.items():
            self.sums[name] = self.sums.get(name, 0) + value


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(FiguresTold())


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Any:
    """The figures of this test."""
    found = Figures()
    yield found
    request.node.user_properties.append((NAME, asdict(found)))
