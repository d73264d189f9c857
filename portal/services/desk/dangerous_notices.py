"""Moves, sales or gifts, and deaths of designated dogs that no officer has seen (90.13(H)(12), (N))."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.dangerous_notices import DangerousNotice
from portal.schema.staff import StaffRole
from portal.services.dangerous.tell_dangerous_notice import notices_waiting
from portal.services.desk.queue import Queue, Waiting, promised


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [
        Waiting(
            item_id=notice.id,
            what=f"{notice.kind.value.capitalize()} of {animal.name}, a designated dog",
            detail=notice.reference,
            since=notice.created_at,
            due_on=promised(notice.created_at, city.desk.answer_days, city=city),
        )
        for notice, animal in notices_waiting(session, limit=limit)
    ]


HOW_MANY = select(func.count()).select_from(DangerousNotice).where(DangerousNotice.seen_at.is_(None))
DANGEROUS_NOTICES = Queue("dangerous_notice", "Dangerous dogs: notices", StaffRole.OFFICER, _find, HOW_MANY)
