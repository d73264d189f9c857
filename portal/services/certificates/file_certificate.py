"""File a rabies certificate for an animal, with what the rules notice about it (90.04(D))."""

from dataclasses import asdict
from datetime import date
from uuid import UUID, uuid4

from sqlalchemy import update
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.certificates import Certificate
from portal.ordinance.licensing import birth_date
from portal.ordinance.rabies import Assessment, Gate, assess
from portal.schema.animals import Animal
from portal.schema.vaccinations import CertificateSource, CertificateState, Vaccination
from portal.services.draft_answers import AnimalAnswers, CertificateAnswers
from portal.services.owners.keepers_now import first_keeper
from portal.services.record_event import record_event


def certificate_of(answers: CertificateAnswers, *, born_on: date | None, is_birth_estimated: bool) -> Certificate:
    """The answers as the ordinance reads them."""
    return Certificate(
        given_on=answers.given_on,
        due_on=answers.due_on,
        duration_years=answers.duration_years,
        dose=answers.dose,
        evidence=answers.evidence,
        vaccine_type=answers.vaccine_type,
        vaccine_expires_on=answers.vaccine_expires_on,
        born_on=born_on,
        is_birth_estimated=is_birth_estimated,
    )


def assess_answers(animal: AnimalAnswers, answers: CertificateAnswers, *, on: date, gate: Gate) -> Assessment:
    """What the ordinance makes of an animal's certificate while it is still a draft."""
    born_on = birth_date(animal.born_on, age_months=animal.age_months, estimated_on=animal.age_estimated_on)
    certificate = certificate_of(answers, born_on=born_on, is_birth_estimated=animal.born_on is None)
    return assess(certificate, on=on, gate=gate)


def file_certificate(
    session: Session,
    *,
    animal: Animal,
    answers: CertificateAnswers,
    assessment: Assessment,
    document_id: UUID | None,
    source: CertificateSource,
    actor: str,
    clock: Clock,
    named_person_id: UUID | None = None,
    is_kept_beside: bool = False,
    key: UUID | None = None,
) -> Vaccination:
    """Add a certificate that waits for an officer; one that still waits from before is replaced by it.

    `named_person_id`: the keeper whose name the sheet bears; whoever has kept the animal longest when it is not said.
    `is_kept_beside`: it is kept as replaced itself, since what is there already says as much or more. `key`: its own,
    where the same form may be sent twice.
    """
    if not is_kept_beside:
        replaced = update(Vaccination).where(
            Vaccination.animal_id == animal.id, Vaccination.state == CertificateState.SUBMITTED
        )
        session.execute(replaced.values(state=CertificateState.REPLACED, decided_at=clock.now()))
    if named_person_id is None and (first := first_keeper(session, animal.id)):
        named_person_id = first.id
    vaccination = Vaccination(
        id=key or uuid4(),
        animal_id=animal.id,
        document_id=document_id,
        named_person_id=named_person_id,
        source=source,
        evidence=answers.evidence,
        given_on=answers.given_on,
        certificate_due_on=answers.due_on,
        ordinance_until=assessment.ordinance_until,
        science_due_on=assessment.science_due,
        dose=answers.dose,
        duration_years=answers.duration_years,
        vaccine_type=answers.vaccine_type,
        vaccine_expires_on=answers.vaccine_expires_on,
        product=answers.product,
        manufacturer=answers.manufacturer,
        lot=answers.lot,
        rabies_tag=answers.rabies_tag,
        veterinarian=answers.veterinarian,
        clinic_name=answers.clinic_name,
        weight=answers.weight,
        findings=[asdict(finding) for finding in assessment.findings],
        needs_review=assessment.needs_review,
        state=CertificateState.REPLACED if is_kept_beside else CertificateState.SUBMITTED,
        decided_at=clock.now() if is_kept_beside else None,
    )
    session.add(vaccination)
    session.flush()
    record_event(session, "certificate.submitted", vaccination, actor=actor, needs_review=assessment.needs_review)
    return vaccination
