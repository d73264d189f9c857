"""Somebody who owes ten dollars and goes to pay them by card, on a database of the test's own."""

import pytest

from tests.services.payments.till import open_desk
from tests.support.database import keep_the_tests_day
from tests.support.owing import owe


@pytest.fixture
def desk(cluster):
    url = cluster.fresh_database()
    keep_the_tests_day(url)
    with open_desk(url) as desk:
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
