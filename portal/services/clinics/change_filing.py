"""What a clinic does with a filing afterwards: fill in a file, withdraw it, put it right (90.04(D)(2)).

Each goes the same way whether the filing has met its animal or not, so that nothing in it tells which.
"""

from dataclasses import replace
from uuid import UUID

from sqlalchemy import literal, select, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.clinics import ClinicFiling, FilingChannel, FilingState
from portal.schema.vaccinations import Vaccination
from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.clinics.file_for_clinic import (
    STATEMENT_VERSION,
    add_once,
    file_for_clinic,
    filing_refusals,
    filing_values,
    filing_with_key,
)
from portal.services.clinics.filing_answers import FilingAnswers
from portal.services.clinics.filings_of_clinic import filing_of, reference
from portal.services.clinics.match_filing import announce_filing
from portal.services.record_event import record_event
from portal.services.refusal import Refused

ALREADY_FILLED_IN = "Somebody at your clinic has filled this in meanwhile"
ALREADY_WITHDRAWN = "This certificate was withdrawn meanwhile"
CORRECTED = "Put right: see {reference}."
# Told to the officer beside the certificate that came of a filing which its clinic took back.
TAKEN_BACK = {
    "rule": Rule.CERTIFICATE.value,
    "sentence": "The clinic has withdrawn this certificate, or put it right with another",
    "field": "certificate",
    "needs_review": True,
    "is_for_staff": True,
}


def file_received_before(session: Session, staff: ClinicStaff, *, sha256: str) -> ClinicFiling | None:
    """The filing of a file that the clinic has sent already."""
    same = select(ClinicFiling).where(
        ClinicFiling.clinic_id == staff.clinic_id, ClinicFiling.idempotency_key == f"file:{sha256}"
    )
    return session.scalar(same)


def receive_file(session: Session, staff: ClinicStaff, *, document_id: UUID, sha256: str) -> ClinicFiling:
    """A file that nobody has filled in yet. The same file again is the same filing."""
    key = f"file:{sha256}"
    values = {
        **filing_values(FilingAnswers(document_id=document_id), signed_at=None),
        "clinic_id": staff.clinic_id,
        "filed_by": staff.email,
        "channel": FilingChannel.FILES,
        "idempotency_key": key,
        "state": FilingState.UNREAD,
    }
    added = add_once(session, values)
    if added is None:
        return filing_with_key(session, clinic_id=staff.clinic_id, idempotency_key=key)
    record_event(session, "filing.received", added, actor=f"clinic:{staff.clinic_id}", channel=added.channel.value)
    return added


def fill_in(
    session: Session, staff: ClinicStaff, *, filing_id: UUID, filing: FilingAnswers, clock: Clock
) -> ClinicFiling:
    """State what the file says; from now on it waits for its animal. Raises NotTheirs or Refused."""
    row = filing_of(session, clinic_id=staff.clinic_id, filing_id=filing_id, lock=True)
    if row.state is not FilingState.UNREAD:
        raise Refused([Refusal(Rule.CERTIFICATE, ALREADY_FILLED_IN)])
    whole = replace(filing, document_id=row.document_id)
    if reasons := filing_refusals(whole, on=clock.today()):
        raise Refused(reasons)
    for name, value in filing_values(whole, signed_at=clock.now()).items():
        setattr(row, name, value)
    row.state = FilingState.WAITING
    session.flush()
    detail = {"statement": STATEMENT_VERSION}
    record_event(session, "filing.filled_in", row, actor=f"clinic:{staff.clinic_id}", **detail)
    announce_filing(session)
    return row


def withdraw_filing(
    session: Session, staff: ClinicStaff, *, filing_id: UUID, clock: Clock, reason: str | None = None
) -> ClinicFiling:
    """Take it back; the certificate that came of it, if any did, is looked at by an officer. Twice is once."""
    row = filing_of(session, clinic_id=staff.clinic_id, filing_id=filing_id, lock=True)
    if row.state is FilingState.WITHDRAWN:
        return row
    row.state = FilingState.WITHDRAWN
    row.decided_at = clock.now()
    row.decision_reason = reason
    if row.channel is not FilingChannel.API:
        row.idempotency_key = None  # the same may be filed anew
    session.flush()
    marked = update(Vaccination).where(Vaccination.id == row.vaccination_id)
    findings = Vaccination.findings.concat(literal([TAKEN_BACK], JSONB))
    session.execute(marked.values(needs_review=True, findings=findings))
    record_event(session, "filing.withdrawn", row, actor=f"clinic:{staff.clinic_id}")
    return row


def correct_filing(
    session: Session,
    staff: ClinicStaff,
    *,
    filing_id: UUID,
    filing: FilingAnswers,
    idempotency_key: str,
    city: City,
    clock: Clock,
) -> ClinicFiling:
    """File it anew as it should have been, and withdraw the first. Raises NotTheirs or Refused."""
    row = filing_of(session, clinic_id=staff.clinic_id, filing_id=filing_id, lock=True)
    anew, _ = file_for_clinic(
        session,
        replace(filing, document_id=row.document_id),
        clinic_id=staff.clinic_id,
        filed_by=staff.email,
        channel=FilingChannel.PAGE,
        idempotency_key=idempotency_key,
        city=city,
        clock=clock,
    )
    if row.state is FilingState.WITHDRAWN and row.decision_reason != CORRECTED.format(reference=reference(anew.id)):
        raise Refused([Refusal(Rule.CERTIFICATE, ALREADY_WITHDRAWN)])
    withdraw_filing(
        session, staff, filing_id=filing_id, clock=clock, reason=CORRECTED.format(reference=reference(anew.id))
    )
    return anew
