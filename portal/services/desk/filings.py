"""Certificates from clinics that no animal was surely found for, and files a clinic left unread (90.04(D)(2))."""

from collections.abc import Sequence

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.clinics import Clinic, ClinicFiling, FilingState
from portal.schema.staff import StaffRole
from portal.services.clinics.decide_filing import IS_UNREAD, LEFT_AFTER, filings_unread
from portal.services.desk.queue import NOW, Queue, Waiting, promised
from portal.services.owners.filings_waiting import IS_OPEN

STANDS = {
    FilingState.UNSURE: "which animal?",
    FilingState.WAITING: "not registered",
    FilingState.UNREAD: "not filled in",
}


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    oldest = (
        select(ClinicFiling, Clinic)
        .join(Clinic, Clinic.id == ClinicFiling.clinic_id)
        .where(IS_OPEN)
        .order_by(ClinicFiling.created_at, ClinicFiling.id)
        .limit(limit)
    )
    is_open = [(filing, clinic) for filing, clinic in session.execute(oldest)]
    found = is_open + filings_unread(session, clock=clock, limit=limit)
    lines = [_line(filing, clinic, city) for filing, clinic in found]
    return sorted(lines, key=lambda line: line.since)[:limit]


def _line(filing: ClinicFiling, clinic: Clinic, city: City) -> Waiting:
    return Waiting(
        item_id=filing.id,
        what=f"Certificate from {clinic.name}: {filing.animal_name or 'no name'}",
        detail=filing.owner_name or "nobody is named as its owner",
        since=filing.created_at,
        due_on=promised(filing.created_at, city.license.certificate_check_days, city=city),
        mark=STANDS.get(filing.state, ""),
    )


HOW_MANY = select(func.count()).where(or_(IS_OPEN, and_(IS_UNREAD, ClinicFiling.created_at < NOW - LEFT_AFTER)))
FILINGS = Queue("filing", "Certificates without an animal", StaffRole.CLERK, _find, HOW_MANY)
