"""The console reads the clock of the tests, as the pages do: no test depends on the day it is run on."""

import pytest

from portal.gateways.clock import FixedClock


@pytest.fixture(autouse=True)
def clock_of_the_console(clock: FixedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """For commands that run here; those in a process of their own have the machine's."""
    monkeypatch.setattr("portal.composition.SystemClock", lambda _zone: clock)
