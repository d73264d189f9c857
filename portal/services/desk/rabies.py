"""What clinics wrote of animals that may be rabid (90.08(C)). Always first; the phone call is what counts."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.rabies_notices import RabiesNotice
from portal.schema.staff import StaffRole
from portal.services.clinics.rabies_notices import notices_open
from portal.services.desk.queue import Queue, Waiting, promised


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [
        Waiting(
            item_id=notice.id,
            what=f"Suspected rabies: {notice.animal}",
            detail=f"{clinic.name}, {notice.phone}",
            since=notice.created_at,
            due_on=promised(notice.created_at, city.desk.urgent_days, city=city),
            is_first=True,
        )
        for notice, clinic in notices_open(session, limit=limit)
    ]


HOW_MANY = select(func.count()).select_from(RabiesNotice).where(RabiesNotice.seen_at.is_(None))
RABIES = Queue("rabies", "Suspected rabies", StaffRole.OFFICER, _find, HOW_MANY)
