"""Make a vaccination of a clinic's filing, once it is known which animal it is about (90.04(D)(2))."""

from dataclasses import replace
from datetime import date

from sqlalchemy import exists, func, select, text
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.certificates import CertificateField
from portal.ordinance.licensing import birth_date
from portal.ordinance.rabies import Assessment, Outcome, assess
from portal.schema.animals import Animal, AnimalState
from portal.schema.clinics import Clinic, ClinicFiling, ClinicState, FilingState
from portal.schema.vaccinations import CertificateSource, CertificateState, Vaccination
from portal.services.certificates.decide_certificate import accept_from_clinic
from portal.services.certificates.demand_certificate import present_certificate
from portal.services.certificates.file_certificate import certificate_of, file_certificate
from portal.services.draft_answers import CertificateAnswers
from portal.services.record_event import record_event

# What each column of a filing shows of the certificate (90.04(D)(2), Minn. R. 1721.0540 subp. 3).
SHOWN = {
    "given_on": CertificateField.VACCINATION_DATE,
    "owner_name": CertificateField.OWNER_NAME,
    "owner_address": CertificateField.OWNER_ADDRESS,
    "animal_name": CertificateField.ANIMAL_NAME,
    "sex": CertificateField.SEX,
    "description": CertificateField.DESCRIPTION,
    "weight": CertificateField.WEIGHT,
    "attested_name": CertificateField.SIGNATURE,
    "owner_phone": CertificateField.OWNER_PHONE,
    "age": CertificateField.AGE,
    "species": CertificateField.SPECIES,
    "product": CertificateField.VACCINE_NAME,
    "manufacturer": CertificateField.MANUFACTURER,
    "lot": CertificateField.SERIAL_NUMBER,
    "vaccine_expires_on": CertificateField.VACCINE_EXPIRATION,
    "duration_years": CertificateField.DURATION,
    "rabies_tag": CertificateField.RABIES_TAG,
    "veterinarian": CertificateField.VETERINARIAN_NAME,
    "veterinarian_license": CertificateField.VETERINARIAN_LICENSE,
    "certificate_due_on": CertificateField.DUE_DATE,
}
# The description holds breed and color; a clinic's address is known with the clinic; the type is always answered.
ALWAYS_SHOWN = frozenset(
    {
        CertificateField.VACCINE_TYPE,
        CertificateField.BREED,
        CertificateField.COLOR,
        CertificateField.VETERINARIAN_ADDRESS,
    }
)
# In the words of the index.
IS_WITHDRAWN = text("clinic_filing.state = 'withdrawn'")


def assess_filing(filing: ClinicFiling, animal: Animal, *, city: City, on: date) -> Assessment:
    """What the ordinance makes of a filing for this animal."""
    born_on = birth_date(animal.born_on, age_months=animal.estimated_age_months, estimated_on=animal.age_estimated_on)
    certificate = certificate_of(answers_of(filing), born_on=born_on, is_birth_estimated=animal.born_on is None)
    # A paper that came as a file may show what nobody typed.
    shown = None if filing.document_id else _shown(filing)
    return assess(
        replace(certificate, shown=shown),
        on=on,
        gate=city.policy.vaccination_gate,
        notes_live_modified=city.policy.ask_live_modified_note,
    )


def file_matched(session: Session, filing: ClinicFiling, animal: Animal, *, city: City, clock: Clock) -> Vaccination:
    """File it for the animal: accepted at once on the clinic's word when it is current, else for an officer to see.

    The same vaccination a second time is kept and changes nothing, unless its clinic took the first back or put it
    right: then the second waits for an officer, who looks at both. One of an animal that is not kept here any more is
    kept too, and nobody is told.
    """
    # Two filings for one animal take turns.
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(str(animal.id), 90))))
    clinic = session.get_one(Clinic, filing.clinic_id)
    answers = replace(answers_of(filing), clinic_name=clinic.name)
    actor = f"clinic:{clinic.id}"
    assessment = assess_filing(filing, animal, city=city, on=clock.today())
    twin = _accepted_of_the_same_day(session, animal, filing)
    is_known = (
        twin is not None
        and twin.certificate_due_on == filing.certificate_due_on
        and not _clinic_took_back(session, twin)
    )
    vaccination = file_certificate(
        session,
        animal=animal,
        answers=answers,
        assessment=assessment,
        document_id=filing.document_id,
        source=CertificateSource.CLINIC,
        actor=actor,
        clock=clock,
        is_kept_beside=is_known or _a_newer_one_waits(session, animal, filing),
    )
    filing.state = FilingState.FILED
    filing.vaccination_id = vaccination.id
    filing.decided_at = clock.now()
    session.flush()
    record_event(session, "filing.matched", filing, actor=actor, animal_id=str(animal.id))
    is_kept_here = animal.state is AnimalState.KEPT
    if is_kept_here and vaccination.state is CertificateState.SUBMITTED:
        is_trusted = clinic.state is ClinicState.APPROVED and twin is None
        if is_trusted and assessment.outcome is Outcome.CURRENT and not assessment.refusals:
            accept_from_clinic(session, vaccination, clinic_id=clinic.id, city=city, clock=clock)
    if is_kept_here:
        present_certificate(session, vaccination, uploaded_at=filing.created_at, city=city, clock=clock)
    return vaccination


def answers_of(filing: ClinicFiling) -> CertificateAnswers:
    """What the filing says, as a keeper would have typed it."""
    return CertificateAnswers(
        is_read=True,
        given_on=filing.given_on,
        due_on=filing.certificate_due_on,
        dose=filing.dose,
        duration_years=filing.duration_years,
        vaccine_type=filing.vaccine_type,
        vaccine_expires_on=filing.vaccine_expires_on,
        product=filing.product,
        manufacturer=filing.manufacturer,
        lot=filing.lot,
        rabies_tag=filing.rabies_tag,
        veterinarian=filing.veterinarian or None,
        weight=filing.weight,
    )


def _shown(filing: ClinicFiling) -> frozenset[CertificateField]:
    stated = {field for column, field in SHOWN.items() if getattr(filing, column)}
    return ALWAYS_SHOWN | stated


def _accepted_of_the_same_day(session: Session, animal: Animal, filing: ClinicFiling) -> Vaccination | None:
    same = select(Vaccination).where(
        Vaccination.animal_id == animal.id,
        Vaccination.state == CertificateState.ACCEPTED,
        Vaccination.given_on == filing.given_on,
    )
    return session.scalars(same.order_by(Vaccination.created_at.desc()).limit(1)).first()


def _clinic_took_back(session: Session, vaccination: Vaccination) -> bool:
    """Also after an officer let it stand: what the clinic says instead is for an officer to compare with it."""
    taken_back = exists(ClinicFiling.id).where(ClinicFiling.vaccination_id == vaccination.id, IS_WITHDRAWN)
    return bool(session.scalar(select(taken_back)))


def _a_newer_one_waits(session: Session, animal: Animal, filing: ClinicFiling) -> bool:
    """A clinic that sends what it gave years ago must not take the place of what the keeper has just sent."""
    newer = select(Vaccination.id).where(
        Vaccination.animal_id == animal.id,
        Vaccination.state == CertificateState.SUBMITTED,
        Vaccination.given_on > filing.given_on,
    )
    return session.scalar(newer.limit(1)) is not None
