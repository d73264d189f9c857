"""Note when a job of the worker was last done, or that it failed: what alerts and the readiness of the portal go by."""

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.operating import WorkerJob


def note_job(session: Session, *, name: str, every_seconds: float, is_done: bool, clock: Clock) -> None:
    """One row a job, whichever worker did it."""
    now, every = clock.now(), round(every_seconds)
    first = {"succeeded_at": now if is_done else None, "failed_at": None if is_done else now}
    noted = insert(WorkerJob).values(name=name, every_seconds=every, failures=0 if is_done else 1, **first)
    changed = {
        "every_seconds": every,
        "succeeded_at": now if is_done else WorkerJob.succeeded_at,
        "failed_at": WorkerJob.failed_at if is_done else now,
        "failures": 0 if is_done else WorkerJob.failures + 1,
    }
    session.execute(noted.on_conflict_do_update(index_elements=[WorkerJob.name], set_=changed))
