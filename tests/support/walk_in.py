"""Ole Dahl, who has no e-mail, and what a clerk writes down for him at the counter."""

from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import UUID

import pytest

from tests.support.database import Database
from tests.support.people import Person

REX = {
    "owner_name": "Ole Dahl",
    "phone": "320-555-0133",
    "is_adult": "yes",
    "line1": "1400 Utah Ave",
    "animal_name": "Rex",
    "breed": "Mixed",
    "color": "brown",
    "sex": "male",
    "is_altered": "no",
    "age": "3",
    "license_year": "2026",
    "are_there": "no",
    "wants_license": "yes",
}


@pytest.fixture
def at_the_counter(clerk: Person) -> Callable[..., Person]:
    """The clerk writes down what Ole says."""

    def at_the_counter(status: int = 200, **more: Any) -> Person:
        clerk.visit("/desk/search").click("Somebody at the counter who is not known yet")
        return clerk.submit({**REX, **more}, status=status)

    return at_the_counter


@pytest.fixture
def ole(at_the_counter: Callable[..., Person], clerk: Person, database: Database) -> UUID:
    """Ole has a license for Rex for this year; the clerk looks at his record."""
    at_the_counter(is_shown=True, given_on=date(2026, 6, 12), due_on=date(2029, 6, 12))
    clerk.submit()
    clerk.visit("/desk/search").submit(q="ole dahl").click("Ole Dahl")
    found: UUID = database.value("SELECT id FROM animal_control.person WHERE name = 'Ole Dahl'")
    return found
