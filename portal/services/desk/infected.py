"""Files that were kept while the scanner was away, and turned out to be infected. They stay closed to everybody."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, promised
from portal.services.files.scans import HOW_MANY_INFECTED, id_of, infected_files


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


INFECTED_FILES = Queue("infected", "Files with a virus", StaffRole.OFFICER, _find, HOW_MANY_INFECTED)
