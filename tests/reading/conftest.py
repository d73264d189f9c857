"""A worker that reads what it is told a certificate says."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.services.certificates.read_certificates import claim_reading, note_reading, note_unread
from portal.settings import Settings
from portal.worker.parts import Parts
from tests.reading.papers import fields
from tests.worker.conftest import post, worker_engine
from tests.worker.post import Postbox

__all__ = ["post", "worker_engine"]

ReadAs = Callable[..., None]


@pytest.fixture
def parts(gateways: Gateways, worker_engine: Engine, settings: Settings, post: Postbox) -> Parts:
    return Parts(
        replace(gateways, engine=worker_engine), post, settings.base_url, settings.secret_keys[0], ear=worker_engine
    )


@pytest.fixture
def read_as(parts: Parts) -> ReadAs:
    """The next certificate is read, and this is what it says: `read_as(given_on=date(...), confidence=0.5)`."""

    def read(*, nothing: bool = False, failed: bool = False, **said: Any) -> None:
        clock = parts.gateways.clock
        with Session(parts.gateways.engine) as session, session.begin():
            claimed = claim_reading(session, clock=clock)
            assert claimed, "nothing waits to be read"
            if failed:
                note_unread(session, claimed, clock=clock)
            else:
                note_reading(session, claimed, {} if nothing else fields(**said), clock=clock)

    return read
