"""Requests to look at a designation again (90.13(P))."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.dangerous_notices import ReviewRequest
from portal.schema.staff import StaffRole
from portal.services.dangerous.request_review import reviews_open
from portal.services.desk.queue import Queue, Waiting, promised


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [
        Waiting(
            item_id=request.id,
            what=f"Review of a designation, {request.reference}",
            detail=designation.dog,
            since=request.created_at,
            due_on=promised(request.created_at, city.desk.answer_days, city=city),
            mark="early" if request.is_early else "",
        )
        for request, designation in reviews_open(session, limit=limit)
    ]


HOW_MANY = select(func.count()).select_from(ReviewRequest).where(ReviewRequest.outcome.is_(None))
REVIEWS = Queue("review", "Reviews of designations", StaffRole.OFFICER, _find, HOW_MANY)
