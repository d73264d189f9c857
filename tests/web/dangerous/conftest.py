"""Pepper, licensed on the day before the notice."""

from datetime import datetime

import pytest

from tests.support.portal import CHICAGO


@pytest.fixture
def noticed(clock):
    """Thursday, November 12, 2026, 3:04 in the afternoon: the day of the notice."""
    clock.move_to(datetime(2026, 11, 12, 15, 4, 5, tzinfo=CHICAGO))


@pytest.fixture
def pepper(noticed, registrations):
    return registrations.licensed("Pepper")


@pytest.fixture
def resident(noticed, arrive):
    """Pepper’s owner, signed in on that day."""
    return arrive("pat@example.com").sign_in()
