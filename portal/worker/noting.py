"""When each job was last done, noted for alerts; the quick ones not every time."""

import time
from contextlib import suppress

from sqlalchemy.exc import OperationalError

from portal.services.watching.note_job import note_job
from portal.worker.parts import Parts
from portal.worker.schedule import Job

AT_MOST_EVERY_SECONDS = 30.0


class Noting:
    """Notes how a job ended: each failure, and what is done every few seconds twice a minute."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._noted: dict[str, tuple[bool, float]] = {}

    def __call__(self, job: Job, is_done: bool) -> None:
        now, (was_done, noted_at) = time.monotonic(), self._noted.get(job.name, (False, 0.0))
        if is_done and was_done and now - noted_at < AT_MOST_EVERY_SECONDS:
            return
        with suppress(OperationalError):  # the database is away: the job's own line in the log says so
            with self._parts.transaction() as session:
                note_job(
                    session,
                    name=job.name,
                    every_seconds=job.every_seconds,
                    is_done=is_done,
                    clock=self._parts.gateways.clock,
                )
            self._noted[job.name] = (is_done, now)
