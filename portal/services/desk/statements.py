"""What owners told of dogs that another place declared dangerous, until an officer has looked at it (90.13(H)(11))."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.dangerous import DangerousDesignation, DesignationState
from portal.schema.staff import StaffRole
from portal.services.dangerous.designate_dog import statements_waiting
from portal.services.desk.queue import Queue, Waiting, promised


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [
        Waiting(
            item_id=stated.id,
            what=f"{animal.name if animal else stated.dog}, declared dangerous elsewhere",
            detail=", ".join(part for part in (stated.reference, stated.declared_by) if part),
            since=stated.created_at,
            due_on=promised(stated.created_at, city.desk.answer_days, city=city),
        )
        for stated, animal in statements_waiting(session, limit=limit)
    ]


HOW_MANY = select(func.count()).where(DangerousDesignation.state == DesignationState.STATED)
STATEMENTS = Queue("statement", "Declared elsewhere", StaffRole.OFFICER, _find, HOW_MANY)
