"""Delivers events to the portal: signed, at least once, until each is taken (https://docs.stripe.com/webhooks)."""

import http.client
import logging
import sqlite3
import threading
import time
from urllib.parse import urlsplit

from portal.gateways.payments.stripe_checkout import sign_event
from portal.practice.ledger import Ledger
from portal.practice.settings import PracticeSettings
from portal.practice.store import NEVER_FAULTY, Store

LONGEST_PAUSE_SECONDS = 60.0
MOST_DOUBLINGS = 16
TIME_OUT_SECONDS = 10.0
LOOKS_UP_EVERY_SECONDS = 0.5

log = logging.getLogger(__name__)


class Courier:
    """A thread that carries what is due; all it knows is in the store, so it may be killed at any moment."""

    def __init__(self, settings: PracticeSettings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._is_wanted = threading.Event()
        self._is_stopped = threading.Event()
        self._thread = threading.Thread(target=self._work, name="practice-webhooks", daemon=True)

    def start(self) -> None:
        """Begin with whatever an earlier process left undelivered."""
        self._thread.start()

    def wake(self) -> None:
        """There may be something to carry now."""
        self._is_wanted.set()

    def stop(self) -> None:
        """Finish the delivery under way and end."""
        self._is_stopped.set()
        self.wake()
        self._thread.join()

    def _work(self) -> None:
        while not self._is_stopped.is_set():
            self._is_wanted.clear()
            try:
                self._round()
            except sqlite3.Error:
                log.exception("The practice store could not be read; trying again")
            self._is_wanted.wait(LOOKS_UP_EVERY_SECONDS)

    def _round(self) -> None:
        with self._store.transaction() as db:
            now = int(self._settings.clock.now().timestamp())
            Ledger(db, base_url=self._settings.base_url, now=now).bring_up_to_date()
        while not self._is_stopped.is_set() and (event := self._next_due()) is not None:
            self._note(event, self._deliver(event["body"]))

    def _next_due(self) -> sqlite3.Row | None:
        with self._store.transaction() as db:
            row: sqlite3.Row | None = db.execute(
                "SELECT * FROM event WHERE copies_left > 0 AND NOT waits_for_a_later_one AND next_try_at <= ?"
                " ORDER BY next_try_at, number LIMIT 1",
                (time.time(),),
            ).fetchone()
            return row

    def _deliver(self, body: str) -> str:
        """The portal's answer in a word: its status, or why there was none."""
        parts = urlsplit(self._settings.webhook_url)
        connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = connect(parts.hostname or "", parts.port, timeout=TIME_OUT_SECONDS)
        signature = sign_event(body, secret=self._settings.webhook_secret)
        headers = {"Content-Type": "application/json; charset=utf-8", "Stripe-Signature": signature}
        try:
            connection.request("POST", parts.path or "/", body.encode(), headers)
            return str(connection.getresponse().status)
        except (OSError, http.client.HTTPException) as problem:
            return f"no answer ({type(problem).__name__})"
        finally:
            connection.close()

    def _note(self, event: sqlite3.Row, answer: str) -> None:
        is_taken = answer.startswith("2")
        pause = 0 if is_taken else self._settings.retry_after_s * 2 ** min(event["tries"], MOST_DOUBLINGS)
        with self._store.transaction() as db:
            db.execute(
                "UPDATE event SET copies_left = copies_left - ?, tries = tries + 1, last_answer = ?, next_try_at = ?"
                " WHERE number = ?",
                (is_taken, answer, time.time() + min(pause, LONGEST_PAUSE_SECONDS), event["number"]),
            )
            if is_taken and not event["type"].startswith(NEVER_FAULTY):
                overtaken = "UPDATE event SET waits_for_a_later_one = 0 WHERE number < ?"
                db.execute(overtaken, (event["number"],))
