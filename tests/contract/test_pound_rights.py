"""What the portal may read of an animal at the pound: what anybody may, and nobody's name (346.47, 13.82)."""

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import ProgrammingError

from portal.gateways.database.connections import connect
from portal.schema.roles import WEB, WORKER
from tests.contract.test_roles import INSUFFICIENT_PRIVILEGE
from tests.support.database import Database


@pytest.fixture
def reads(shared_database: Database):
    """Whether a role may run a statement."""
    engines: dict[str, Engine] = {role: connect(shared_database.url, role=role, pool_size=1) for role in (WEB, WORKER)}

    def reads(role: str, statement: str) -> bool:
        with engines[role].connect() as connection:
            try:
                connection.execute(text(statement))
            except ProgrammingError as refused:
                if getattr(refused.orig, "sqlstate", None) != INSUFFICIENT_PRIVILEGE:
                    raise
                return False
        return True

    yield reads
    for engine in engines.values():
        engine.dispose()


def test_the_portal_reads_how_an_animal_at_the_pound_looks(reads):
    assert reads(WEB, "SELECT species, breed, color, sex, marks, area, seized_on FROM animal_control.impoundment")


@pytest.mark.parametrize("column", ["place", "microchip", "tag_text", "latitude", "owner_told_on", "outcome", "*"])
def test_the_portal_does_not_read_what_is_the_citys(reads, column):
    assert not reads(WEB, f"SELECT {column} FROM animal_control.impoundment")


@pytest.mark.parametrize("role", [WEB, WORKER])
def test_only_the_desk_reads_whom_an_animal_came_from(reads, role):
    assert not reads(role, "SELECT count(*) FROM animal_control.impoundment_party")


@pytest.mark.parametrize("deed", ["DELETE FROM", "UPDATE"])
def test_the_portal_changes_nothing_at_the_pound(reads, deed):
    changing = "SET area = ''" if deed == "UPDATE" else ""
    assert not reads(WEB, f"{deed} animal_control.impoundment {changing} WHERE false")
