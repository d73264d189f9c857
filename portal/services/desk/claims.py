"""New owners of animals that were given away (90.04(B)(5))."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.departures import ClaimState, OwnershipClaim
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, promised
from portal.services.households.decide_claim import claims_waiting


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [
        Waiting(
            item_id=view.claim.id,
            what=f"{view.new_owner.name} has {view.animal.name} now",
            detail=f"given by {view.given_by.name}",
            since=view.claim.created_at,
            due_on=promised(view.claim.created_at, city.desk.answer_days, city=city),
        )
        for view in claims_waiting(session, limit=limit)
    ]


HOW_MANY = select(func.count()).select_from(OwnershipClaim).where(OwnershipClaim.state == ClaimState.WAITING)
CLAIMS = Queue("claim", "New owners", StaffRole.OFFICER, _find, HOW_MANY)
