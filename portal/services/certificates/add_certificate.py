"""Add a rabies certificate to an animal that is registered already, or send another in its place (90.04(D))."""

from dataclasses import dataclass
from typing import cast
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.days import office_day_after
from portal.ordinance.licensing import birth_date
from portal.ordinance.rabies import Assessment, assess
from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.drafts import Submission, Upload
from portal.schema.vaccinations import CertificateSource
from portal.services.certificates.demand_certificate import present_certificate
from portal.services.certificates.file_certificate import certificate_of, file_certificate
from portal.services.certificates.paper import hold_paper, paper_of, with_paper
from portal.services.claim_submission import claim_submission
from portal.services.draft_answers import CertificateAnswers
from portal.services.files.accept_upload import make_document, upload_of
from portal.services.owners.filings_waiting import compare_again_for
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import keeper
from portal.services.refusal import NotTheirs, Refused


@dataclass(frozen=True)
class Sender:
    """The keeper who sends it, and the account that holds the file."""

    person_id: UUID | None
    account_id: UUID


def kept_animal(session: Session, *, person_id: UUID | None, animal_id: UUID) -> Animal:
    """An animal this person keeps now; raises NotTheirs."""
    mine = (
        select(Animal)
        .join(Keeper, Keeper.animal_id == Animal.id)
        .where(
            Animal.id == animal_id,
            Animal.state == AnimalState.KEPT,
            Keeper.person_id == person_id,
            Keeper.until.is_(None),
        )
    )
    animal = session.scalar(mine)
    if animal is None:
        raise NotTheirs("No such animal")
    return animal


def assess_for(animal: Animal, answers: CertificateAnswers, *, city: City, clock: Clock) -> Assessment:
    """What the ordinance makes of a certificate for this animal today."""
    born_on = birth_date(animal.born_on, age_months=animal.estimated_age_months, estimated_on=animal.age_estimated_on)
    certificate = certificate_of(answers, born_on=born_on, is_birth_estimated=animal.born_on is None)
    return assess(
        certificate,
        on=clock.today(),
        gate=city.policy.vaccination_gate,
        notes_live_modified=city.policy.ask_live_modified_note,
    )


def add_certificate(
    session: Session,
    *,
    sender: Sender,
    animal_id: UUID,
    answers: CertificateAnswers,
    submission_key: UUID,
    city: City,
    clock: Clock,
) -> UUID:
    """File it for an officer; the key of the vaccination. Accepted ones stay, one that still waited is replaced.

    The same submission key again gives the same answer and changes nothing. Raises NotTheirs, or Refused for what is
    impossible.
    """
    animal = kept_animal(session, person_id=sender.person_id, animal_id=animal_id)
    if (earlier := claim_submission(session, submission_key, account_id=sender.account_id)) is not None:
        return cast(UUID, earlier.result_id)
    if answers.upload_id is None:
        raise ValueError("A certificate is filed with the file that was sent")
    hold_paper(session, answers.upload_id)
    assessment = with_paper(
        assess_for(animal, answers, city=city, clock=clock),
        paper_of(session, answers.upload_id),
        animal_name=animal.name,
        microchip=animal.microchip,
        answers=answers,
    )
    if assessment.refusals:
        raise Refused(assessment.refusals)
    upload = upload_of(session, account_id=sender.account_id, upload_id=answers.upload_id)
    vaccination = file_certificate(
        session,
        animal=animal,
        answers=answers,
        assessment=assessment,
        document_id=_document_id(session, upload),
        source=CertificateSource.OWNER,
        actor=keeper(sender.person_id),
        clock=clock,
        named_person_id=sender.person_id,
    )
    present_certificate(session, vaccination, uploaded_at=upload.created_at, city=city, clock=clock)
    if animal.microchip is None:
        animal.microchip = answers.microchip
    session.get_one(Submission, submission_key).result_id = vaccination.id
    session.flush()
    looked_at_by = office_day_after(clock.today(), city.license.certificate_check_days, city.calendar)
    context = {"by": looked_at_by.isoformat()}
    tell_keepers(session, animal, template="certificate_received", context=context, clock=clock)
    compare_again_for(session, animal.id)
    return vaccination.id


def _document_id(session: Session, upload: Upload) -> UUID:
    """The document of a file; one that was sent before, with other dates, is the same document."""
    return upload.document_id or make_document(session, upload).id
