"""The worker finds the animals of what clinics filed, as soon as it is woken."""

import threading
import time
from collections.abc import Callable

from portal.worker.jobs import match_filings
from portal.worker.parts import Parts
from portal.worker.running import work
from tests.support.database import Database
from tests.support.filings import Filings
from tests.support.registrations import LATER, Registrations

STATES = "SELECT state FROM animal_control.clinic_filing ORDER BY created_at"


def never() -> bool:
    return False


def test_every_filing_is_looked_at_however_many(
    parts: Parts, filings: Filings, registrations: Registrations, database: Database
) -> None:
    registrations.dog(certificate=LATER)
    clinic_id = filings.clinic()
    for number in range(105):
        filings.file(clinic_id, key=str(number), animal_name="Pepper" if number == 104 else f"Rex {number}")
    match_filings(parts, never)
    states = [row.state for row in database.rows(STATES)]
    assert (states.count("waiting"), states.count("filed")) == (104, 1)


def test_a_filing_that_fails_does_not_hold_up_the_others(
    parts: Parts, filings: Filings, registrations: Registrations, database: Database
) -> None:
    registrations.dog(certificate=LATER)
    broken = filings.file(filings.clinic())
    # Nobody on record: a fault that only a broken row can make.
    database.run("SET LOCAL session_replication_role = replica; UPDATE animal_control.clinic_filing SET clinic_id = id")
    filings.file(filings.clinic("Second Clinic"))
    match_filings(parts, never)
    states = {row.id: row.state for row in database.rows("SELECT id, state FROM animal_control.clinic_filing")}
    assert states.pop(broken) == "waiting"
    assert list(states.values()) == ["filed"]


def test_a_hundred_filings_that_fail_do_not_hold_up_the_next(
    parts: Parts, filings: Filings, registrations: Registrations, database: Database
) -> None:
    registrations.dog(certificate=LATER)
    clinic_id = filings.clinic()
    for number in range(101):
        filings.file(clinic_id, key=str(number))
    database.run("SET LOCAL session_replication_role = replica; UPDATE animal_control.clinic_filing SET clinic_id = id")
    good = filings.file(filings.clinic("Second Clinic"))
    match_filings(parts, never)
    assert database.value("SELECT state FROM animal_control.clinic_filing WHERE id = :good", good=good) == "filed"


def test_a_clinics_filing_wakes_the_worker(
    parts: Parts, filings: Filings, registrations: Registrations, database: Database
) -> None:
    registrations.dog(certificate=LATER)
    stopping = threading.Event()
    thread = threading.Thread(target=work, args=(parts, stopping))
    thread.start()
    try:
        _wait_for(lambda: database.value(LISTENERS) > 0)
        filings.file(filings.clinic())
        _wait_for(lambda: [row.state for row in database.rows(STATES)] == ["filed"])
    finally:
        stopping.set()
        thread.join(60)
    assert not thread.is_alive()


LISTENERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"


def _wait_for(holds: Callable[[], bool], *, seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.02)
