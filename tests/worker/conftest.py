"""The worker's parts: its own role in the database, a postbox for a mail server, a clock that stands still."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.gateways.database.connections import connect
from portal.schema.roles import WORKER
from portal.services.messages.queue_message import queue_message
from portal.settings import Settings
from portal.worker.parts import Parts
from tests.support.database import Database
from tests.worker.post import Phones, Postbox

Queue = Callable[..., None]
CODE = {"code": "493027", "link": "/sign-in/link/secret-token", "minutes": 30}
ACCEPTED = {"animal": "Pepper", "path": "/dogs/7", "reason": None, "good_until": "2029-06-12"}


@pytest.fixture(scope="session")
def worker_engine(shared_database: Database) -> Iterator[Engine]:
    engine = connect(shared_database.url, role=WORKER, pool_size=10)
    yield engine
    engine.dispose()


@pytest.fixture
def post() -> Postbox:
    """Where the letters end up."""
    return Postbox()


@pytest.fixture
def texts() -> Phones:
    """Where the texts end up."""
    return Phones()


@pytest.fixture
def parts(gateways: Gateways, worker_engine: Engine, settings: Settings, post: Postbox, texts: Phones) -> Parts:
    return Parts(
        replace(gateways, engine=worker_engine),
        post,
        settings.base_url,
        settings.secret_keys[0],
        texts,
        ear=worker_engine,
    )


@pytest.fixture
def queue(gateways: Gateways) -> Queue:
    """Queue a letter as the web process does: `queue("gavin@example.com")`; with `is_secret=True` a code or a link."""

    def put(to: str, template: str | None = None, *, is_secret: bool = False, **context: Any) -> None:
        template = template or ("sign_in" if is_secret else "certificate_accepted")
        told = CODE if template == "sign_in" else ACCEPTED
        with Session(gateways.engine) as session, session.begin():
            queue_message(
                session,
                to=to,
                template=template,
                context={**told, **context},
                at=gateways.clock.now(),
                is_secret=is_secret,
            )

    return put
