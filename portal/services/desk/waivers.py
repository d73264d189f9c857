"""Licenses whose fee somebody says is waived (90.04(C))."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.licenses import License, LicenseState, WaiverState
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, promised
from portal.services.licensing.decide_waiver import waivers_waiting


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [
        Waiting(
            item_id=license_.id,
            what=f"Fee waived for {animal.name}?",
            detail=f"License {license_.year}, {license_.basis.value.replace('_', ' ')}",
            since=license_.created_at,
            due_on=promised(license_.created_at, city.desk.answer_days, city=city),
        )
        for license_, animal in waivers_waiting(session, limit=limit)
    ]


IS_CLAIMED = (License.waiver_state == WaiverState.CLAIMED, License.state == LicenseState.APPLIED)
HOW_MANY = select(func.count()).select_from(License).where(*IS_CLAIMED)
WAIVERS = Queue("waiver", "Waived fees to confirm", StaffRole.OFFICER, _find, HOW_MANY)
