"""The printed DDL makes an empty database what the migrations make it."""

from collections.abc import Iterator

import psycopg
import pytest

from portal.schema.base import SCHEMAS
from portal.schema.contract_sql import ROUTINES, contract_sql
from portal.schema.migrate import is_current
from tests.contract.written import WRITE_ANEW, routines
from tests.migrations.catalog import contents


@pytest.fixture
def made(cluster) -> Iterator[str]:
    """A database made by the printed statements alone."""
    url = cluster.empty_database()
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(contract_sql())
    yield url
    cluster.drop(url)


def test_functions_and_triggers_are_those_of_the_migrations(shared_database):
    assert ROUTINES.read_text() == routines(shared_database.url), WRITE_ANEW


def test_the_printed_statements_make_the_same_database(made, shared_database):
    assert contents(made, *SCHEMAS) ^ contents(shared_database.url, *SCHEMAS) == set()
    assert is_current(made)
