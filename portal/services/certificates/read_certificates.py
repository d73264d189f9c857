"""Read the certificates that were uploaded: claim one, read it with nothing open, then note what it says.

A claim is a lease: meanwhile no other worker reads it. A worker killed before it could note anything leaves the lease
behind, and the certificate is read when that has passed. After the third try it is left to the person alone.
"""

from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.animals import Animal
from portal.schema.clinic_access import Reading, ReadingState
from portal.schema.drafts import Upload
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.certificates.paper import contradictions, hold_paper, paper_of
from portal.services.draft_answers import CertificateAnswers
from portal.services.reading.fields import Fields

# Longer than a reading may take in all.
LEASE = timedelta(minutes=6)
RETRY_AFTER = timedelta(seconds=30)
MOST_ATTEMPTS = 3


@dataclass(frozen=True)
class ClaimedReading:
    """An upload this worker alone may read until its lease is over, and where its files lie."""

    upload_id: UUID
    original_key: str | None
    page_keys: tuple[str, ...]
    attempt: int


def claim_reading(session: Session, *, clock: Clock) -> ClaimedReading | None:
    """The next certificate to read, the newest last; None when there is none. Commit before reading."""
    now = clock.now()
    is_due = or_(Reading.attempts == 0, Reading.not_before <= now)
    # What took three workers down with it is not tried on a fourth.
    hopeless = update(Reading).where(
        Reading.state == ReadingState.WAITING, Reading.attempts >= MOST_ATTEMPTS, Reading.not_before <= now
    )
    session.execute(hopeless.values(state=ReadingState.NOTHING, read_at=now))
    waiting = (
        select(Reading)
        .where(Reading.state == ReadingState.WAITING, Reading.attempts < MOST_ATTEMPTS, is_due)
        .order_by(Reading.created_at)
        .limit(1)
    )
    reading = session.scalar(waiting.with_for_update(skip_locked=True))
    if reading is None:
        return None
    reading.attempts += 1
    reading.not_before = now + LEASE
    session.flush()
    upload = session.get_one(Upload, reading.upload_id)
    keys = tuple(str(page["key"]) for page in upload.pages)
    return ClaimedReading(upload.id, upload.original_key, keys, reading.attempts)


def note_reading(session: Session, claimed: ClaimedReading, fields: Fields, *, clock: Clock) -> None:
    """What was read, for the person to check; nothing is a result too.

    Of somebody who was quicker and has sent the certificate already, the officer is told what it contradicts.
    """
    hold_paper(session, claimed.upload_id)
    reading = _held(session, claimed)
    if reading is None:
        return
    reading.fields = {field.value: _plain(read.value, read.confidence) for field, read in fields.items()}
    reading.state = ReadingState.DONE if fields else ReadingState.NOTHING
    reading.read_at = clock.now()
    session.flush()
    _tell_officer(session, claimed.upload_id)


def _tell_officer(session: Session, upload_id: UUID) -> None:
    sent = (
        select(Vaccination, Animal)
        .join(Upload, Upload.document_id == Vaccination.document_id)
        .join(Animal, Animal.id == Vaccination.animal_id)
        .where(Upload.id == upload_id, Vaccination.state == CertificateState.SUBMITTED)
        .with_for_update(of=Vaccination)
    )
    for vaccination, animal in session.execute(sent).all():
        said = CertificateAnswers(
            given_on=vaccination.given_on,
            due_on=vaccination.certificate_due_on,
            dose=vaccination.dose,
            duration_years=vaccination.duration_years,
        )
        paper = paper_of(session, upload_id)
        found = contradictions(paper, animal_name=animal.name, microchip=animal.microchip, answers=said)
        told = [one["sentence"] for one in vaccination.findings]
        if new := [asdict(finding) for finding in found if finding.sentence not in told]:
            vaccination.findings = [*vaccination.findings, *new]
            vaccination.needs_review = True
    session.flush()


def note_unread(session: Session, claimed: ClaimedReading, *, clock: Clock) -> None:
    """It could not be read this time: try again, or leave it after the last try."""
    reading = _held(session, claimed)
    if reading is None:
        return
    if claimed.attempt >= MOST_ATTEMPTS:
        reading.state = ReadingState.NOTHING
        reading.read_at = clock.now()
    else:
        reading.not_before = clock.now() + RETRY_AFTER
    session.flush()


def _held(session: Session, claimed: ClaimedReading) -> Reading | None:
    """The row, unless another worker took the lease over or the upload was swept meanwhile."""
    reading = session.get(Reading, claimed.upload_id, with_for_update=True, populate_existing=True)
    if reading is None or reading.state is not ReadingState.WAITING or reading.attempts != claimed.attempt:
        return None
    return reading


def _plain(value: str | int | date, confidence: float) -> dict[str, Any]:
    """As it is stored."""
    return {"value": value.isoformat() if isinstance(value, date) else value, "confidence": confidence}
