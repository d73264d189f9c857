"""Notices of suspected rabies as animal control finds them: waiting until somebody has read them (90.08(C))."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.clinics import Clinic
from portal.schema.rabies_notices import RabiesNotice
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs


def notices_open(session: Session, *, limit: int = 100) -> list[tuple[RabiesNotice, Clinic]]:
    """Those nobody has looked at, oldest first."""
    waiting = (
        select(RabiesNotice, Clinic)
        .join(Clinic, Clinic.id == RabiesNotice.clinic_id)
        .where(RabiesNotice.seen_at.is_(None))
        .order_by(RabiesNotice.created_at)
        .limit(limit)
    )
    return [(notice, clinic) for notice, clinic in session.execute(waiting)]


def note_seen(session: Session, *, notice_id: UUID, officer: str, clock: Clock) -> RabiesNotice:
    """An officer has read it. A second time changes nothing."""
    notice = session.get(RabiesNotice, notice_id, with_for_update=True)
    if notice is None:
        raise NotTheirs("There is no such notice")
    if notice.seen_at is None:
        notice.seen_at = clock.now()
        notice.seen_by = officer
        session.flush()
        record_event(session, "rabies.notice_seen", notice, actor=f"officer:{officer}")
    return notice
