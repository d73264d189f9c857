"""Files that were kept while the scanner was away, and turned out to be infected. They stay closed to everybody."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.scans import FileScan, Verdict
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, promised
from portal.services.file_scans import id_of, infected_files


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [
        Waiting(
            item_id=id_of(scan.key),
            what="A file with a virus",
            detail=scan.found or "",
            since=scan.scanned_at,
            due_on=promised(scan.scanned_at, city.desk.answer_days, city=city),
        )
        for scan in infected_files(session, limit=limit)
    ]


def _count(session: Session) -> int:
    waiting = (FileScan.verdict == Verdict.INFECTED, FileScan.handled_at.is_(None))
    return session.scalar(select(func.count()).select_from(FileScan).where(*waiting)) or 0


INFECTED_FILES = Queue("infected", "Files with a virus", StaffRole.OFFICER, _find, _count)
