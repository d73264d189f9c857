"""A certificate is sent in the very moment in which its reading is noted: what one contradicts is told all the same."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from uuid import uuid4

import pytest
from sqlalchemy.orm import Session

from portal.services.certificates.add_certificate import Sender, add_certificate
from portal.services.certificates.read_certificates import claim_reading, note_reading
from portal.services.files.accept_upload import note_upload
from tests.reading.papers import fields
from tests.support.owing import committed
from tests.support.registrations import CERTIFICATE, LATER

WAITS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


@pytest.fixture
def pepper(registrations):
    return registrations.dog("Pepper", certificate=LATER)


@pytest.fixture
def claimed(parts, gateways, registrations, pepper):
    """A file that was taken and is about to be read."""
    with committed(gateways.engine) as session:
        note_upload(session, registrations.stored(), account_id=pepper.account_id)
    with committed(parts.gateways.engine) as session:
        return claim_reading(session, clock=gateways.clock)


@pytest.fixture
def send(gateways, pepper, claimed):
    """Pat sends it."""

    def send(session: Session) -> None:
        add_certificate(
            session,
            sender=Sender(pepper.person_id, pepper.account_id),
            animal_id=pepper.animal_id,
            answers=replace(CERTIFICATE, upload_id=claimed.upload_id),
            submission_key=uuid4(),
            city=gateways.city,
            clock=gateways.clock,
        )

    return send


@pytest.fixture
def read(gateways, claimed):
    """The worker notes that it names another dog."""
    return lambda session: note_reading(session, claimed, fields(animal_name="Bella"), clock=gateways.clock)


@pytest.fixture
def meanwhile(database):
    """The second begins before the first is committed, and waits."""

    def meanwhile(first, engine, second, other_engine) -> None:
        def do(deed: Callable[[Session], None]) -> None:
            with committed(other_engine) as session:
                deed(session)

        with ThreadPoolExecutor(1) as other:
            with committed(engine) as session:
                first(session)
                begun: Future[None] = other.submit(do, second)
                assert once_waiting(database, begun)
            begun.result(timeout=60)

    return meanwhile


def once_waiting(database, begun: Future[None]) -> bool:
    """Whether the second waits for the first, instead of going past it."""
    until = time.monotonic() + 60
    while not (waits := database.value(WAITS)) and not begun.done() and time.monotonic() < until:
        time.sleep(0.02)
    return bool(waits)


def findings(database):
    [row] = database.rows("SELECT findings, needs_review FROM animal_control.vaccination")
    return row["needs_review"], [one["sentence"] for one in row["findings"] if "“Bella”" in one["sentence"]]


def test_it_is_read_while_it_is_sent(parts, gateways, send, read, meanwhile, database):
    meanwhile(send, gateways.engine, read, parts.gateways.engine)
    needs_review, told = findings(database)
    assert (needs_review, len(told)) == (True, 1)


def test_it_is_sent_while_it_is_read(parts, gateways, send, read, meanwhile, database):
    meanwhile(read, parts.gateways.engine, send, gateways.engine)
    needs_review, told = findings(database)
    assert (needs_review, len(told)) == (True, 1)
