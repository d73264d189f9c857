"""Which clinic a mailbox acts for: a current member of an approved clinic, and nobody else."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from portal.gateways.database.connections import rows
from portal.schema.clinic_access import ClinicMember
from portal.schema.clinics import Clinic, ClinicState

ACTING_FOR = (
    select(Clinic.id, Clinic.name)
    .join(ClinicMember, ClinicMember.clinic_id == Clinic.id)
    .where(
        ClinicMember.email_key == bindparam("email_key"),
        ClinicMember.until.is_(None),
        Clinic.state == ClinicState.APPROVED,
    )
    .order_by(ClinicMember.created_at, ClinicMember.id)
    .limit(1)
)
WAITING_FOR = (
    select(Clinic.name)
    .join(ClinicMember, ClinicMember.clinic_id == Clinic.id)
    .where(
        ClinicMember.email_key == bindparam("email_key"),
        ClinicMember.until.is_(None),
        Clinic.state == ClinicState.ASKED,
    )
    .limit(1)
)


@dataclass(frozen=True)
class ClinicStaff:
    """A clinic, and the mailbox that acts for it."""

    clinic_id: UUID
    clinic_name: str
    email: str


def clinic_of(session: Session, *, email: str, email_key: str) -> ClinicStaff | None:
    """The approved clinic of this mailbox; of several the one it joined first."""
    found = rows(session, ACTING_FOR, {"email_key": email_key})
    return ClinicStaff(found[0].id, found[0].name, email) if found else None


def clinic_asked_for(session: Session, *, email_key: str) -> str | None:
    """The name of a clinic of this mailbox that the city has not decided about yet."""
    found = rows(session, WAITING_FOR, {"email_key": email_key})
    return str(found[0][0]) if found else None
