"""What a clinic's practice software does: file once under a key, read back, add the paper (90.04(D)(2)).

As everywhere, nothing in it depends on whether the filing has met its animal.
"""

from uuid import UUID

from sqlalchemy import select, tuple_, update
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.clinics import ClinicFiling, FilingChannel, FilingState
from portal.schema.documents import Document
from portal.schema.vaccinations import Vaccination
from portal.services.clinics.file_for_clinic import file_for_clinic, filing_values
from portal.services.clinics.filing_answers import FilingAnswers
from portal.services.clinics.filings_of_clinic import filing_of
from portal.services.clinics.software import ClinicSoftware
from portal.services.files.accept_upload import StoredUpload, add_document
from portal.services.record_event import record_event
from portal.services.refusal import Refused

NOT_STATED = ("attested_at", "document_id")
IS_OVER = "This certificate was withdrawn or sent back. File it again with its file"
HAS_ANOTHER = "This certificate has another file already. Withdraw it and file it again"


class KeyUsedOtherwise(Exception):
    """The key stands for another certificate."""


def file_by_software(
    session: Session, filing: FilingAnswers, *, software: ClinicSoftware, key: str, city: City, clock: Clock
) -> tuple[ClinicFiling, bool]:
    """The filing under this key, and whether it is new. Raises Refused or KeyUsedOtherwise."""
    row, is_new = file_for_clinic(
        session,
        filing,
        clinic_id=software.clinic_id,
        filed_by=software.token_name,
        channel=FilingChannel.API,
        idempotency_key=f"api:{key}",
        city=city,
        clock=clock,
    )
    stated = filing_values(filing, signed_at=None)
    if any(getattr(row, name) != value for name, value in stated.items() if name not in NOT_STATED):
        raise KeyUsedOtherwise(key)
    return row, is_new


def filings_after(session: Session, *, clinic_id: UUID, after: UUID | None, limit: int) -> list[ClinicFiling]:
    """The clinic's own filings, newest first, from the one after `after`; one more than asked when there are more."""
    mine = select(ClinicFiling).where(ClinicFiling.clinic_id == clinic_id)
    if after is not None:
        last = select(ClinicFiling.created_at, ClinicFiling.id).where(
            ClinicFiling.id == after, ClinicFiling.clinic_id == clinic_id
        )
        mine = mine.where(tuple_(ClinicFiling.created_at, ClinicFiling.id) < last.scalar_subquery())
    newest_first = mine.order_by(ClinicFiling.created_at.desc(), ClinicFiling.id.desc())
    return list(session.scalars(newest_first.limit(limit + 1)))


def attach_file(
    session: Session, stored: StoredUpload, *, software: ClinicSoftware, filing_id: UUID, clock: Clock
) -> ClinicFiling:
    """Add the paper to a filing; the same file again changes nothing. Raises NotTheirs or Refused."""
    row = filing_of(session, clinic_id=software.clinic_id, filing_id=filing_id, lock=True)
    if row.state in (FilingState.WITHDRAWN, FilingState.SENT_BACK):
        raise Refused([Refusal(Rule.CERTIFICATE, IS_OVER)])
    if row.document_id is not None:
        if session.get_one(Document, row.document_id).sha256 != stored.sha256:
            raise Refused([Refusal(Rule.CERTIFICATE, HAS_ANOTHER)])
        return row
    row.document_id = add_document(session, stored, at=clock.now()).id
    session.flush()
    theirs = update(Vaccination).where(Vaccination.id == row.vaccination_id, Vaccination.document_id.is_(None))
    session.execute(theirs.values(document_id=row.document_id))
    record_event(session, "filing.file_added", row, actor=f"clinic:{row.clinic_id}")
    return row
