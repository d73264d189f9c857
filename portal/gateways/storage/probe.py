"""Whether the file store takes files, asked now and then and never waited for long."""

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from io import BytesIO

from portal.gateways.storage.store import Storage, StorageUnavailable, new_key

# What a killed process left of it goes with the sweep of files that no row mentions.
KIND = "probes"
OK = "ok"
# A store in a bucket charges for each file, and a load balancer asks every few seconds.
EVERY_SECONDS = 60.0
PATIENCE_SECONDS = 2.0


class StorageProbe:
    """Writes a file, lets it go, and remembers for a minute how that went."""

    def __init__(self, storage: Storage, *, every_seconds: float = EVERY_SECONDS) -> None:
        self._storage = storage
        self._every_seconds = every_seconds
        self._lock = threading.Lock()
        self._asking = ThreadPoolExecutor(max_workers=1, thread_name_prefix="storage-probe")
        self._begun: Future[str] | None = None
        self._begun_at = 0.0

    def said(self) -> str:
        """ "ok", or what is wrong. A store that hangs is asked once at a time, however many ask us."""
        with self._lock:
            is_over = time.monotonic() - self._begun_at >= self._every_seconds
            if self._begun is None or (self._begun.done() and is_over):
                self._begun, self._begun_at = self._asking.submit(self._ask), time.monotonic()
            asked = self._begun
        try:
            return asked.result(PATIENCE_SECONDS)
        except TookTooLong:
            return "does not answer"

    def _ask(self) -> str:
        key = new_key(KIND)
        try:
            self._storage.put(key, BytesIO(b"ready"))
            self._storage.delete(key)
        except (StorageUnavailable, OSError):
            return "can not be written"
        return OK
