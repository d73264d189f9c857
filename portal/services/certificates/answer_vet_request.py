"""A clinic answers a keeper's request by its link: sees one animal, sends one certificate, sees how that stands."""

from dataclasses import dataclass, replace
from datetime import date
from uuid import UUID

from sqlalchemy import Select, exists, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Finding
from portal.ordinance.rabies import Assessment, Outcome
from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.clinics import Clinic, ClinicState, VetRequest
from portal.schema.vaccinations import CertificateSource, CertificateState, Vaccination
from portal.services.certificates.add_certificate import assess_for
from portal.services.certificates.ask_vet import about
from portal.services.certificates.decide_certificate import accept_from_clinic
from portal.services.certificates.demand_certificate import present_certificate
from portal.services.certificates.file_certificate import file_certificate
from portal.services.certificates.good_to import vaccination_good_to
from portal.services.draft_answers import CertificateAnswers
from portal.services.files.accept_upload import StoredUpload, add_document
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import token_hash

NOT_KNOWN = Finding(
    Rule.CERTIFICATE,
    "This came by a link that was not sent to the own mailbox of a clinic the city knows",
    needs_review=True,
    is_for_staff=True,
)


@dataclass(frozen=True)
class SeenByClinic:
    """All that a link shows: the animal by name, species and description, and where its certificate stands."""

    name: str
    species: str
    about: str
    clinic_name: str
    is_answered: bool
    state: CertificateState | None = None
    good_to: date | None = None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class VetAnswers:
    """What the clinic states, and the name typed as signature (90.04(D)(2))."""

    certificate: CertificateAnswers
    veterinarian_license: str | None
    attested_name: str


def look_at_request(session: Session, *, token: str, city: City, clock: Clock) -> SeenByClinic | None:
    """What the link shows; None for a wrong, withdrawn or expired one: they can't be told apart."""
    found = session.execute(_live(token, clock)).first()
    if found is None:
        return None
    request, animal = found
    vaccination = session.get(Vaccination, request.vaccination_id) if request.vaccination_id else None
    return SeenByClinic(
        name=animal.name,
        species=animal.species.value,
        about=about(animal),
        clinic_name=request.clinic_name,
        is_answered=request.answered_at is not None,
        state=vaccination.state if vaccination else None,
        good_to=vaccination_good_to(vaccination, city) if vaccination else None,
        reason=vaccination.decision_reason if vaccination else None,
    )


def answer_request(
    session: Session, *, token: str, answers: VetAnswers, stored: StoredUpload | None, city: City, clock: Clock
) -> UUID:
    """File what the clinic sent; the key of the vaccination. A second time changes nothing.

    Raises NotTheirs for a link that opens nothing, Refused for what cannot be so.
    """
    found = session.execute(_live(token, clock).with_for_update(of=VetRequest)).first()
    if found is None:
        raise NotTheirs("No such request")
    request, animal = found
    if request.vaccination_id:
        return UUID(str(request.vaccination_id))
    clinic = session.get(Clinic, request.clinic_id) if request.clinic_id else None
    is_known = clinic is not None and clinic.state is ClinicState.APPROVED
    assessment = assess_for(animal, answers.certificate, city=city, clock=clock)
    if assessment.refusals:
        raise Refused(assessment.refusals)
    actor = f"clinic:{clinic.id}" if clinic and is_known else f"vet_request:{request.id}"
    vaccination = file_certificate(
        session,
        animal=animal,
        answers=replace(answers.certificate, clinic_name=request.clinic_name or None),
        assessment=assessment if is_known else _marked(assessment),
        document_id=add_document(session, stored, at=clock.now()).id if stored else None,
        source=CertificateSource.CLINIC,
        actor=actor,
        clock=clock,
        named_person_id=request.asked_by,
    )
    request.answered_at = clock.now()
    request.vaccination_id = vaccination.id
    session.flush()
    signed = {"signed_by": answers.attested_name, "license": answers.veterinarian_license}
    record_event(session, "vet_request.answered", request, actor=actor, **signed)
    present_certificate(session, vaccination, uploaded_at=clock.now(), city=city, clock=clock)
    if clinic and is_known and assessment.outcome is Outcome.CURRENT:
        accept_from_clinic(session, vaccination, clinic_id=clinic.id, city=city, clock=clock)
    return vaccination.id


def _live(token: str, clock: Clock) -> Select[VetRequest, Animal]:
    """The request a token opens: not taken back, not over, and its animal still kept by the person who asked."""
    still_theirs = exists().where(
        Keeper.animal_id == VetRequest.animal_id, Keeper.person_id == VetRequest.asked_by, Keeper.until.is_(None)
    )
    return (
        select(VetRequest, Animal)
        .join(Animal, Animal.id == VetRequest.animal_id)
        .where(
            VetRequest.token_hash == token_hash(token),
            VetRequest.withdrawn_at.is_(None),
            VetRequest.expires_at > clock.now(),
            Animal.state == AnimalState.KEPT,
            still_theirs,
        )
    )


def _marked(assessment: Assessment) -> Assessment:
    """With the mark that nobody knows the sender."""
    return replace(assessment, findings=(*assessment.findings, NOT_KNOWN))
