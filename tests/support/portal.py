"""The portal as the tests meet it: the real parts, put together once, with a clock that stands still.

The application and its gateways live as long as the test process, since templates and connections are dear to make;
what they hold is new for each test.
"""

import socket
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from portal.app import create_app
from portal.city import load_city
from portal.composition import Gateways, city_file
from portal.gateways.clock import FixedClock
from portal.gateways.database.connections import connect
from portal.gateways.rate_limits import RateLimits
from portal.schema.roles import WEB
from portal.settings import Settings
from tests.support.card_page import CardPage
from tests.support.database import Database, once_quiet
from tests.support.page_checker import PageChecker
from tests.support.practice import free_socket, serving, url_of
from tests.support.storage import MemoryStorage
from tests.support.watching import Watch

CHICAGO = ZoneInfo("America/Chicago")
MORNING = datetime(2026, 11, 30, 10, tzinfo=CHICAGO)  # a Monday

AppMaker = Callable[..., Flask]


@pytest.fixture(scope="session")
def shared_clock() -> FixedClock:
    return FixedClock(MORNING, CHICAGO)


@pytest.fixture
def clock(shared_clock: FixedClock) -> Iterator[FixedClock]:
    """Monday, November 30, 2026, 10 in the morning, until a test moves it."""
    yield shared_clock
    shared_clock.move_to(MORNING)


@pytest.fixture(scope="session")
def listener() -> Iterator[socket.socket]:
    """Where `server` listens: known before, since links are built from the address."""
    with free_socket() as listener:
        yield listener


@pytest.fixture(scope="session")
def settings(listener: socket.socket, shared_database: Database, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A local portal without keys, as on a first run."""
    return Settings.from_environment(
        {
            "BASE_URL": url_of(listener).replace("127.0.0.1", "localhost"),
            "PORTAL_DATA": str(tmp_path_factory.mktemp("portal")),
            "DATABASE_URL": shared_database.url,
            "SECRET_KEY": "a-key-for-tests-alone-that-is-long-enough",
        }
    )


@pytest.fixture(scope="session")
def shared_gateways(
    settings: Settings,
    shared_database: Database,
    shared_clock: FixedClock,
    shared_card_page: CardPage,
    session_watch: Watch,
) -> Iterator[Gateways]:
    engine = connect(shared_database.url, role=WEB)
    session_watch.attach(engine)
    yield Gateways(
        city=load_city(city_file("benson")),
        clock=shared_clock,
        engine=engine,
        storage=MemoryStorage(),
        processor=shared_card_page.processor,
        limits=RateLimits(engine, secret_key=settings.secret_keys[0]),
    )
    engine.dispose()


@pytest.fixture
def gateways(shared_gateways: Gateways, database: Database, clock: FixedClock) -> Iterator[Gateways]:
    """Benson, PostgreSQL as the web process sees it, a still clock, files in memory, the practice processor."""
    yield shared_gateways
    assert isinstance(shared_gateways.storage, MemoryStorage)
    shared_gateways.storage.files.clear()
    shared_gateways.storage.modified.clear()
    shared_gateways.storage.mend()
    kept: int = once_quiet(shared_gateways.engine.pool.checkedout)  # type: ignore[attr-defined]
    assert kept == 0, "a connection was not given back"


@pytest.fixture(scope="session")
def compiled_templates() -> FileSystemBytecodeCache:
    """Templates are compiled once for all processes and applications, and again when their text changes."""
    return FileSystemBytecodeCache()


@pytest.fixture(scope="session")
def finish(compiled_templates: FileSystemBytecodeCache, page_checker: PageChecker) -> Callable[[Flask], Flask]:
    """What tests add to an application."""

    def finish(app: Flask) -> Flask:
        app.jinja_env.bytecode_cache = compiled_templates
        return page_checker.watch(app)

    return finish


@pytest.fixture(scope="session")
def shared_app(settings: Settings, shared_gateways: Gateways, finish: Callable[[Flask], Flask]) -> Flask:
    return finish(create_app(settings, gateways=shared_gateways))


@pytest.fixture
def app(shared_app: Flask, gateways: Gateways, page_checker: PageChecker) -> Iterator[Flask]:
    """The web application. It is shared: for other settings or gateways use `make_app`."""
    yield shared_app
    page_checker.check_rest()


@pytest.fixture
def make_app(
    settings: Settings, gateways: Gateways, page_checker: PageChecker, finish: Callable[[Flask], Flask]
) -> Iterator[AppMaker]:
    """Another application: `make_app(storage=FileStorage(tmp_path))`, `make_app(trusted_proxies=1)`."""
    parts = {field.name for field in fields(Gateways)}

    def make(**changes: Any) -> Flask:
        others = {name: value for name, value in changes.items() if name in parts}
        set_otherwise = {name: value for name, value in changes.items() if name not in others}
        return finish(create_app(replace(settings, **set_otherwise), gateways=replace(gateways, **others)))

    yield make
    page_checker.check_rest()


@pytest.fixture(scope="session")
def shared_server(shared_app: Flask, settings: Settings, listener: socket.socket) -> Iterator[str]:
    with serving(shared_app, listener):
        yield settings.base_url


@pytest.fixture
def server(shared_server: str, app: Flask) -> str:
    """The address of the application behind waitress."""
    return shared_server


@pytest.fixture
def files(gateways: Gateways) -> MemoryStorage:
    """What lies in the file store."""
    assert isinstance(gateways.storage, MemoryStorage)
    return gateways.storage
