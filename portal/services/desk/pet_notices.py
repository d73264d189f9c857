"""Lost and found notices that wait to be shown, or that somebody complained of."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, promised
from portal.services.notices.look_at_notice import HOW_MANY_TO_LOOK_AT, ToLookAt, notices_to_look_at


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [_line(one, city) for one in notices_to_look_at(session, limit=limit)]


def _line(one: ToLookAt, city: City) -> Waiting:
    notice = one.notice
    return Waiting(
        item_id=notice.id,
        what=f"{notice.kind.value.capitalize()} notice: {notice.name or notice.species.value}",
        detail=notice.reference,
        since=notice.created_at,
        due_on=promised(notice.created_at, city.desk.urgent_days, city=city),
        mark="somebody complained" if one.complaints else notice.flagged_for or "",
    )


PET_NOTICES = Queue("pet_notice", "Lost and found notices", StaffRole.CLERK, _find, HOW_MANY_TO_LOOK_AT)
