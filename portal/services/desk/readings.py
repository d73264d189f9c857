"""Confidential data at the desk: whoever reads it says why, and both are written down first (13.055).

A reading lasts a while, so that going back and forth between pages does not ask again.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.impoundments import ImpoundmentParty
from portal.schema.people import Premises, PremisesKind
from portal.schema.reports import Report
from portal.schema.staff import DeskReading, Staff
from portal.services.pound.impound import parties
from portal.services.record_event import record_event
from portal.services.reports.rows import place_key
from portal.services.say_why import BEFORE_READING, said
from portal.services.staff.sign_in import StaffMember

LASTS = timedelta(minutes=15)
MOST = 200


class Confidential(StrEnum):
    """What can be read."""

    REPORTS = "reports"
    PARTIES = "parties"


def note_reading(
    session: Session, subject: Any, what: Confidential, *, why: str, member: StaffMember, clock: Clock
) -> None:
    """Write down who reads what about a row, and why. The feed hears of it without the reason."""
    written = said(why, "13.055", BEFORE_READING, field="why")
    session.add(
        DeskReading(
            staff_id=member.staff_id,
            what=what.value,
            subject_table=subject.__tablename__,
            subject_id=subject.id,
            why=written,
            read_at=clock.now(),
        )
    )
    session.flush()
    record_event(session, "desk.read", subject, actor=f"officer:{member.email}", what=what.value)


def is_reading(session: Session, subject_id: UUID, what: Confidential, *, member: StaffMember, clock: Clock) -> bool:
    """Whether they said why a moment ago."""
    lately = exists().where(
        DeskReading.subject_id == subject_id,
        DeskReading.what == what.value,
        DeskReading.staff_id == member.staff_id,
        DeskReading.read_at > clock.now() - LASTS,
    )
    return bool(session.scalar(select(lately)))


@dataclass(frozen=True)
class Read:
    """Somebody read it before."""

    email: str
    why: str
    read_at: datetime


def readings_of(session: Session, subject_id: UUID, what: Confidential) -> tuple[Read, ...]:
    """Who has read it, why and when, the latest first."""
    wanted = (
        select(Staff.email, DeskReading.why, DeskReading.read_at)
        .join(Staff, Staff.id == DeskReading.staff_id)
        .where(DeskReading.subject_id == subject_id, DeskReading.what == what.value)
        .order_by(DeskReading.read_at.desc())
        .limit(MOST)
    )
    return tuple(Read(*row) for row in session.execute(wanted))


def reports_at(session: Session, home: Premises, *, city: City) -> tuple[Report, ...]:
    """What was reported about an address, the newest first (90.11(A)(3)); not who did. Ask `is_reading` before.

    Few who report know the apartment, so what is said of the house is shown for each of its homes.
    """
    if not (keys := place_keys(home, city=city)):
        return ()
    wanted = select(Report).where(Report.place_key.in_(keys)).order_by(Report.created_at.desc()).limit(MOST)
    return tuple(session.scalars(wanted))


def place_keys(home: Premises, *, city: City) -> set[str]:
    """How reports about an address may name it; a Safe at Home address has none."""
    if home.kind is PremisesKind.SAFE_AT_HOME:
        return set()
    return {place_key(home.line1, city), place_key(f"{home.line1} {home.unit or ''}", city)}


def parties_of(session: Session, impoundment_id: UUID) -> tuple[ImpoundmentParty, ...]:
    """Whom an animal at the pound came from and went to (346.47). Ask `is_reading` before."""
    return tuple(parties(session, impoundment_id))
