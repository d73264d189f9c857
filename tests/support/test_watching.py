"""What is written without being committed fails the test that sees it."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.views.access import Access, open_to
from portal.views.work import gateways as gateways_here
from portal.views.work import reading, transaction
from tests.support.database import Database
from tests.support.people import Arrival
from tests.support.portal import AppMaker
from tests.support.watching import Statements, Watch

WRITE = text("INSERT INTO portal.account (email, email_key) VALUES ('a', 'a')")


def write_past_the_transaction() -> str:
    reading().execute(WRITE)
    return "written"


def forget_to_commit() -> str:
    with transaction() as db:
        db.execute(WRITE)
        db.rollback()
    return "written"


def hold_a_third_connection() -> str:
    reading().execute(text("SELECT 1"))
    with transaction() as db, gateways_here().engine.connect():
        db.execute(WRITE)
    return "written"


def write() -> str:
    with transaction() as db:
        db.execute(WRITE)
    return "written"


@pytest.fixture
def faulty(make_app: AppMaker) -> Flask:
    """An application with views that write in four ways."""
    app = make_app()
    for view in (write_past_the_transaction, forget_to_commit, hold_a_third_connection, write):
        app.add_url_rule(f"/{view.__name__}", view_func=plain(view))
    return app


def plain(view: Callable[[], str]) -> Callable[[], tuple[str, dict[str, str]]]:
    """The view, answering with plain text to anyone."""

    def answer() -> tuple[str, dict[str, str]]:
        return view(), {"Content-Type": "text/plain"}

    answer.__name__ = view.__name__
    return open_to(Access.ANYONE)(answer)


def test_writing_through_the_reading_session_fails(faulty: Flask, arrive: Arrival) -> None:
    with pytest.raises(AssertionError, match="written through the session that only reads"):
        arrive(app=faulty).visit("/write_past_the_transaction")


def test_writing_without_a_commit_fails(faulty: Flask, arrive: Arrival, database: Database) -> None:
    with pytest.raises(AssertionError, match="was not committed"):
        arrive(app=faulty).visit("/forget_to_commit")
    assert database.counts() == {}


def test_a_third_connection_at_once_fails(faulty: Flask, arrive: Arrival) -> None:
    with pytest.raises(AssertionError, match="more connections at once"):
        arrive(app=faulty).visit("/hold_a_third_connection")


def test_writing_in_a_transaction_passes(faulty: Flask, arrive: Arrival, database: Database) -> None:
    arrive(app=faulty).visit("/write")
    assert database.counts() == {"portal.account": 1}


def test_statements_are_counted(
    gateways: Gateways, watch: Watch, queries: Callable[[], AbstractContextManager[Statements]]
) -> None:
    with Session(gateways.engine) as session, queries() as counted:
        session.execute(text("SELECT 1"))
        session.execute(text("SELECT 2"))
    assert counted.sent == ["SELECT 1", "SELECT 2"]


def test_a_transaction_left_open_is_found(gateways: Gateways, database: Database) -> None:
    with Session(gateways.engine) as session:
        session.execute(WRITE)
        assert database.transactions_left_open() != []
        session.rollback()
    assert database.transactions_left_open() == []
