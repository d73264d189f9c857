"""The worker as it runs: woken at once, unmoved by failures, back after the database was away, and stopped cleanly."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import default
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message
from sqlalchemy.exc import OperationalError

from portal.worker.parts import Parts
from portal.worker.running import work
from portal.worker.schedule import Job, JobThread
from tests.support.practice import free_socket, wait_for

NOT_BY_ITSELF = 10_000.0  # seconds, where the worker looks for letters every ten: what comes is announced


@contextmanager
def working(parts: Parts, **otherwise: Any) -> Iterator[None]:
    """The worker in a thread, until the block ends."""
    stopping = threading.Event()
    worker = threading.Thread(target=work, args=[parts, stopping], kwargs=otherwise)
    worker.start()
    try:
        yield
    finally:
        stopping.set()
        worker.join(60)
        assert not worker.is_alive(), "the worker did not stop"


def test_a_letter_leaves_as_soon_as_it_is_queued(parts, post, queue, database):
    """Because somebody said so, and not because the worker happened to look."""
    with working(parts, letters_every_seconds=NOT_BY_ITSELF):
        queue("first@example.com")
        wait_for(lambda: post.mailboxes == ["first@example.com"])
        wait_for(lambda: listening(database))
        for number in range(3):
            queue(f"gavin{number}@example.com", is_secret=True)
            wait_for(lambda to=f"gavin{number}@example.com": to in post.mailboxes)


def test_letters_go_on_after_every_connection_was_cut(parts, post, queue, database, caplog):
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE application_name = 'portal_worker' AND datname = current_database()"
    )
    with working(parts, letters_every_seconds=NOT_BY_ITSELF):
        queue("first@example.com")
        wait_for(lambda: post.mailboxes == ["first@example.com"])
        before = wait_for(lambda: listening(database))  # the letter may have left before anybody listened
        database.rows(cut)
        wait_for(lambda: listening(database) - before)
        assert "not listening" in caplog.text
        queue("second@example.com")
        wait_for(lambda: "second@example.com" in post.mailboxes)


def listening(database):
    """The connections that hear of letters."""
    found = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
    return {row.pid for row in database.rows(found)}


@pytest.mark.parametrize("failure", [ValueError("no"), OperationalError("SELECT", {}, Exception("away"))])
def test_a_job_that_fails_is_logged_with_a_reference_and_done_again(failure, caplog):
    stopping, done = threading.Event(), threading.Semaphore(0)

    def fail(_stopping):
        done.release()
        raise failure

    thread = JobThread(Job("failing", 0.01, fail), stopping)
    thread.start()
    assert done.acquire(timeout=60)
    assert done.acquire(timeout=60)
    stopping.set()
    thread.wake()
    thread.join(60)
    assert not thread.is_alive()
    assert "job failing failed, reference" in caplog.text


def test_a_job_that_takes_long_holds_up_no_other(parts, post, queue):
    held, release = threading.Event(), threading.Event()

    def hold(_stopping):
        held.set()
        release.wait(60)

    with working(parts, others=[Job("payments", NOT_BY_ITSELF, hold)]):
        assert held.wait(60)
        queue("gavin@example.com")
        wait_for(lambda: post.mailboxes == ["gavin@example.com"])
        release.set()


class Taken(Message):
    """A mail server that keeps what it takes."""

    def __init__(self):
        super().__init__()
        self.letters = []

    def handle_message(self, message):
        self.letters.append(message_from_bytes(message.as_bytes(), policy=default))


def test_the_command_sends_by_smtp_and_ends_at_sigterm(queue, database, tmp_path, gateways):
    """`portal worker` as a process of its own, with a mail server on the other side."""
    server = Taken()
    with free_socket() as listener:
        port = listener.getsockname()[1]
    controller = Controller(server, hostname="127.0.0.1", port=port)
    controller.start()
    environment = {
        **os.environ,
        "DATABASE_URL": database.url,
        "PORTAL_DATA": str(tmp_path),
        "MAIL_URL": f"smtp://127.0.0.1:{port}",
        "MAIL_FROM": "City of Benson <animals@benson.example>",
    }
    worker = subprocess.Popen([sys.executable, "-m", "portal.cli", "worker"], env=environment, stderr=subprocess.PIPE)
    try:
        queue("gavin@example.com", "license_issued", year=2026, number=7, valid_until="2026-12-31", delivery="mail")
        database.run("UPDATE portal.outgoing_message SET not_before = now() - interval '1 minute'")
        wait_for(lambda: server.letters)
        wait_for(lambda: database.value("SELECT sent_at FROM portal.outgoing_message"))
        worker.send_signal(signal.SIGTERM)
        _, errors = worker.communicate(timeout=60)
    finally:
        worker.kill()
        worker.wait()
        controller.stop()
    (letter,) = server.letters
    assert worker.returncode == 0, errors.decode()
    assert letter["To"] == "gavin@example.com"
    assert letter["From"] == "City of Benson <animals@benson.example>"
    assert letter["Subject"] == "Pepper is licensed: number 7 of 2026"
    assert {part.get_content_type() for part in letter.iter_parts()} == {"text/plain", "text/html"}
