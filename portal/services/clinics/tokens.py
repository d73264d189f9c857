"""Keys for a clinic's practice software: named, shown once, kept as hashes, taken back at will."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.clinic_access import ClinicToken
from portal.schema.clinics import Clinic
from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs
from portal.services.secrets import new_token, token_hash


def tokens_of(session: Session, *, clinic_id: UUID) -> list[ClinicToken]:
    """The clinic's tokens, newest first, those taken back too."""
    mine = select(ClinicToken).where(ClinicToken.clinic_id == clinic_id)
    return list(session.scalars(mine.order_by(ClinicToken.created_at.desc(), ClinicToken.id)))


def token_of(session: Session, *, clinic_id: UUID, token_id: UUID) -> ClinicToken:
    """One token of this clinic; anybody else's does not exist for it."""
    mine = select(ClinicToken).where(ClinicToken.id == token_id, ClinicToken.clinic_id == clinic_id)
    row = session.scalar(mine)
    if row is None:
        raise NotTheirs("No such token")
    return row


def make_token(session: Session, staff: ClinicStaff, *, name: str) -> str:
    """A new token. This is the only time it is seen."""
    token = new_token()
    row = ClinicToken(clinic_id=staff.clinic_id, name=name, token_hash=token_hash(token), created_by=staff.email)
    session.add(row)
    session.flush()
    _record(session, "clinic.token_made", row)
    return token


def revoke_token(session: Session, staff: ClinicStaff, *, token_id: UUID, clock: Clock) -> None:
    """Nothing comes in with it any more; raises NotTheirs. Twice is once."""
    row = token_of(session, clinic_id=staff.clinic_id, token_id=token_id)
    if row.revoked_at is None:
        row.revoked_at = clock.now()
        session.flush()
        _record(session, "clinic.token_revoked", row)


def _record(session: Session, kind: str, row: ClinicToken) -> None:
    clinic = session.get_one(Clinic, row.clinic_id)
    record_event(session, kind, clinic, actor=f"clinic:{clinic.id}", token=str(row.id), name=row.name)
