"""Clinics that asked for an account (90.04(D)(2))."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.clinics import Clinic, ClinicState
from portal.schema.staff import StaffRole
from portal.services.desk.queue import Queue, Waiting, promised

ASKED = Clinic.state == ClinicState.ASKED


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    waiting = select(Clinic).where(ASKED).order_by(Clinic.created_at, Clinic.id).limit(limit)
    return [
        Waiting(
            item_id=clinic.id,
            what=f"{clinic.name} asks to file certificates",
            detail=clinic.address,
            since=clinic.created_at,
            due_on=promised(clinic.created_at, city.desk.answer_days, city=city),
        )
        for clinic in session.scalars(waiting)
    ]


HOW_MANY = select(func.count()).select_from(Clinic).where(ASKED)
CLINICS = Queue("clinic", "Clinics to approve", StaffRole.OFFICER, _find, HOW_MANY)
