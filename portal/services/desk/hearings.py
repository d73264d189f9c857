"""Hearings that were asked for and have no outcome, the one to be held first at the top (90.13(E)(1))."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.dangerous_notices import HearingRequest
from portal.schema.staff import StaffRole
from portal.services.decide_hearing import hearings_open
from portal.services.desk.queue import Queue, Waiting


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [
        Waiting(
            item_id=request.id,
            what=f"Hearing for {request.name}",
            detail=f"{request.reference}, {request.dog}",
            since=request.asked_at,
            due_on=(request.decide_by if request.held_on else None) or request.hold_by,
            mark="to be decided" if request.held_on else "is set" if request.scheduled_at else "to be set",
        )
        for request in hearings_open(session, limit=limit)
    ]


def _count(session: Session) -> int:
    is_open = HearingRequest.outcome.is_(None)
    return session.scalar(select(func.count()).select_from(HearingRequest).where(is_open)) or 0


HEARINGS = Queue("hearing", "Hearings", StaffRole.OFFICER, _find, _count)
