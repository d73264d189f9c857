"""Running the worker until it is asked to stop."""

import signal
import threading
import time
from collections.abc import Callable, Collection, Iterable
from functools import partial

from portal.gateways.database.announcements import follow
from portal.services.messages.queue_message import CHANNEL
from portal.services.payments.fetch_events import JOB as FETCHING
from portal.settings import Settings
from portal.worker.bounces import read_bounces
from portal.worker.jobs import (
    catch_up,
    deliver_letters,
    match_filings,
    reconcile_payments,
    sweep_files,
    sweep_rows,
)
from portal.worker.notices import mind_notices
from portal.worker.noting import Noting
from portal.worker.parts import Parts, parts_from
from portal.worker.pets import match_pets, tell_of_impounding
from portal.worker.readings import read_certificates
from portal.worker.reconciling import compare, compare_files, fetch_events
from portal.worker.reminders import send_reminders
from portal.worker.scans import scan_files
from portal.worker.schedule import Job, JobThread

MINUTE = 60.0
HOUR = 60 * MINUTE
LETTERS_EVERY_SECONDS = 10.0
# The supervisor waits as long for a process to end.
STOP_SECONDS = 12.0
# What is announced in the database concerns these.
WOKEN = frozenset({"letters", "filings"})


def run_worker(settings: Settings, database_url: str, *, say: Callable[[str], None]) -> None:
    """Work until SIGTERM or SIGINT; what is begun then is finished."""
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stopping.set())
    parts = parts_from(settings, database_url, say=say)
    try:
        work(parts, stopping)
    finally:
        parts.gateways.engine.dispose()


def work(
    parts: Parts,
    stopping: threading.Event,
    *,
    letters_every_seconds: float = LETTERS_EVERY_SECONDS,
    others: Iterable[Job] | None = None,
) -> None:
    """Do letters and all the other jobs, or `others` instead, until `stopping` is set.

    Letters go out as soon as they are announced, and are looked for every so often, should that not be heard.
    """
    letters = Job("letters", letters_every_seconds, partial(deliver_letters, parts))
    noting = Noting(parts)
    jobs = (letters, *(other_jobs(parts) if others is None else others))
    threads = [JobThread(job, stopping, note=noting) for job in jobs]
    for thread in threads:
        thread.start()
    try:
        if parts.ear is not None:
            follow(parts.ear, CHANNEL, heard=lambda: _wake(threads, WOKEN), stopping=stopping)
        stopping.wait()
    finally:
        stopping.set()
        for thread in threads:
            thread.wake()
        until = time.monotonic() + STOP_SECONDS
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))


def _wake(threads: Iterable[JobThread], names: Collection[str]) -> None:
    for thread in threads:
        if thread.name in names:
            thread.wake()


def other_jobs(parts: Parts) -> tuple[Job, ...]:
    """Everything but letters."""
    return (
        Job("readings", 2.0, partial(read_certificates, parts)),
        Job("returned letters", 5 * MINUTE, partial(read_bounces, parts)),
        Job("scans", MINUTE, partial(scan_files, parts)),
        Job("payments", 5 * MINUTE, partial(reconcile_payments, parts)),
        Job("filings", MINUTE, partial(match_filings, parts)),
        Job("pound", MINUTE, partial(tell_of_impounding, parts)),
        Job("missing pets", MINUTE, partial(match_pets, parts)),
        Job("catching up", MINUTE, partial(catch_up, parts)),
        Job("reminders", HOUR, partial(send_reminders, parts), first_after_seconds=MINUTE),
        Job("notices", HOUR, partial(mind_notices, parts), first_after_seconds=2 * MINUTE),
        Job(FETCHING, 15 * MINUTE, partial(fetch_events, parts), first_after_seconds=MINUTE),
        Job("comparing", 15 * MINUTE, partial(compare, parts), first_after_seconds=2 * MINUTE),
        Job("comparing files", 24 * HOUR, partial(compare_files, parts), first_after_seconds=30 * MINUTE),
        Job("rows", HOUR, partial(sweep_rows, parts), first_after_seconds=MINUTE),
        Job("files", 24 * HOUR, partial(sweep_files, parts), first_after_seconds=10 * MINUTE),
    )
