"""Somebody who owes ten dollars and goes to pay them by card, on a database of the test's own."""

import pytest

from tests.services.payments.till import open_desk
from tests.support.owing import owe


@pytest.fixture
def desk(cluster):
    with open_desk(cluster.fresh_database()) as desk:
        yield desk


@pytest.fixture
def owed(desk):
    """An order for a dog whose certificate is accepted."""
    return owe(desk.engine, clock=desk.clock, accepted=True)


@pytest.fixture
def attempt(desk, owed):
    """The processor's page is open."""
    attempt = desk.begin(owed)
    desk.open_page(attempt)
    return attempt
