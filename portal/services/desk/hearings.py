"""Hearings that were asked for and have no outcome, and decisions whose owner has not received them (90.13(E)(1)).

Fourteen days to comply begin on the day the owner receives the decision, so that day is waited for too.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, time

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.dangerous_notices import HearingRequest
from portal.schema.staff import StaffRole
from portal.services.dangerous.decide_hearing import TO_BE_RECEIVED, decisions_to_be_received, hearings_open
from portal.services.desk.queue import Queue, Waiting, promised


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    undecided = [
        Waiting(
            item_id=request.id,
            what=f"Hearing for {request.name}",
            detail=f"{request.reference}, {request.dog}",
            since=request.asked_at,
            due_on=request.decide_by or request.hold_by,
            mark=_stands(request),
        )
        for request in hearings_open(session, limit=limit)
    ]
    lines = [*undecided, *_decided(session, city=city, limit=limit)]
    return sorted(lines, key=lambda line: (line.due_on, line.since))[:limit]


def _stands(request: HearingRequest) -> str:
    if request.held_on:
        return "to be decided"
    if request.designation_id is None:
        return "to be matched"
    return "is set" if request.scheduled_at else "to be set"


def _decided(session: Session, *, city: City, limit: int) -> Iterator[Waiting]:
    for request in decisions_to_be_received(session, limit=limit):
        decided_on = request.decided_on or request.asked_at.date()
        decided_at = datetime.combine(decided_on, time(), city.time_zone)
        yield Waiting(
            item_id=request.id,
            what=f"Decision to {request.name}",
            detail=f"{request.reference}, {request.dog}",
            since=decided_at,
            due_on=promised(decided_at, city.desk.answer_days, city=city),
            mark="not received yet",
        )


HOW_MANY = select(func.count()).where(or_(HearingRequest.outcome.is_(None), and_(*TO_BE_RECEIVED)))
HEARINGS = Queue("hearing", "Hearings", StaffRole.OFFICER, _find, HOW_MANY)
