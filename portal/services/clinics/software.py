"""Which clinic's software a token lets in: a token not taken back, of a clinic that is approved, and no other."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.database.connections import rows
from portal.schema.clinic_access import ClinicToken
from portal.schema.clinics import Clinic, ClinicState
from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.secrets import token_hash

NOTED_EVERY = timedelta(hours=1)
HOLDER = (
    select(Clinic.id, Clinic.name, ClinicToken.id, ClinicToken.name, ClinicToken.last_used_at)
    .join(ClinicToken, ClinicToken.clinic_id == Clinic.id)
    .where(
        ClinicToken.token_hash == bindparam("token_hash"),
        ClinicToken.revoked_at.is_(None),
        Clinic.state == ClinicState.APPROVED,
    )
)


@dataclass(frozen=True)
class ClinicSoftware:
    """A clinic, and the token with which its software came."""

    clinic_id: UUID
    clinic_name: str
    token_id: UUID
    token_name: str
    last_used_at: datetime | None

    @property
    def staff(self) -> ClinicStaff:
        """Who acts for the clinic: the token by its name, where a person has a mailbox."""
        return ClinicStaff(self.clinic_id, self.clinic_name, self.token_name)


def clinic_software(session: Session, token: str) -> ClinicSoftware | None:
    """The clinic whose token this is."""
    found = rows(session, HOLDER, {"token_hash": token_hash(token)})
    return ClinicSoftware(*tuple(found[0])) if found else None


def is_use_to_note(software: ClinicSoftware, *, clock: Clock) -> bool:
    """The last use is kept to the hour, so that not every request writes."""
    return software.last_used_at is None or clock.now() - software.last_used_at >= NOTED_EVERY


def note_use(session: Session, software: ClinicSoftware, *, clock: Clock) -> None:
    """Keep when the token was last used."""
    session.get_one(ClinicToken, software.token_id).last_used_at = clock.now()
    session.flush()
