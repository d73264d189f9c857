"""Does the notice still hold? Asked after 14 days, hidden after 60, never closed by a machine for good."""

from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.notices import NoticeState, PetNotice
from portal.services.notices.letters import write_to_holder
from portal.services.record_event import SYSTEM, record_event

ASKED_AFTER = timedelta(days=14)
HIDDEN_AFTER = timedelta(days=60)
A_BATCH = 100


def ask_about_notices(session: Session, *, clock: Clock) -> int:
    """Ask whoever filed them, a batch at a time; how many were asked."""
    now = clock.now()
    wanted = (
        select(PetNotice)
        .where(
            PetNotice.state == NoticeState.SHOWN,
            PetNotice.renewed_at <= now - ASKED_AFTER,
            PetNotice.asked_at.is_(None),
        )
        .order_by(PetNotice.renewed_at, PetNotice.id)
        .limit(A_BATCH)
        .with_for_update(skip_locked=True)
    )
    notices = session.scalars(wanted).all()
    for notice in notices:
        notice.asked_at = now
        write_to_holder(session, notice, template="notice_still", clock=clock)
    session.flush()
    return len(notices)


def hide_old_notices(session: Session, *, clock: Clock) -> int:
    """Hide what nobody spoke for in 60 days, a batch at a time; how many were hidden."""
    now = clock.now()
    wanted = (
        select(PetNotice)
        .where(PetNotice.state == NoticeState.SHOWN, PetNotice.renewed_at <= now - HIDDEN_AFTER)
        .order_by(PetNotice.renewed_at, PetNotice.id)
        .limit(A_BATCH)
        .with_for_update(skip_locked=True)
    )
    notices = session.scalars(wanted).all()
    for notice in notices:
        notice.state, notice.closed_at, notice.changed_at = NoticeState.EXPIRED, now, now
        record_event(session, "notice.expired", notice, actor=SYSTEM, reference=notice.reference)
        write_to_holder(session, notice, template="notice_news", clock=clock, what="expired")
    session.flush()
    return len(notices)
