"""As many people as there are threads write at the same moment, each while looking: all are answered."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from sqlalchemy import text

from portal.gateways.paper import typesetting
from portal.gateways.pictures import making
from portal.serving.server import THREADS
from portal.views.access import Access, open_to
from portal.views.work import reading, transaction
from tests.support.portal import AppMaker

LOOK = text("SELECT 1")


@pytest.fixture
def busy(make_app: AppMaker) -> Flask:
    """An application at which everybody has looked before anybody begins to write."""
    app, all_look = make_app(), threading.Barrier(THREADS)

    @open_to(Access.ANYONE)
    def look_and_write() -> tuple[str, dict[str, str]]:
        reading().execute(LOOK)
        all_look.wait(timeout=60)
        with transaction() as db:
            db.execute(LOOK)
        return "written", {"Content-Type": "text/plain"}

    app.add_url_rule("/look_and_write", view_func=look_and_write)
    return app


def test_whoever_looks_and_writes_at_the_same_moment_as_all_others_is_answered(busy: Flask) -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(lambda _: busy.test_client().get("/look_and_write").status_code, range(THREADS)))
    assert answers == [200] * THREADS


def test_photos_in_the_making_leave_a_thread_that_tells_others_to_come_back() -> None:
    assert making.TURNS_OF_THIS_PROCESS.places < THREADS


def test_sheets_in_the_making_leave_most_threads_to_pages() -> None:
    assert typesetting.TURNS_OF_THIS_PROCESS.places < THREADS / 2
