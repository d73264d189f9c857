"""What a certificate of registration says, for its keeper to print (90.13(H)(1))."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.ordinance.dangerous import Requirement
from portal.ordinance.license_years import license_year
from portal.schema.animals import Animal, Keeper
from portal.schema.dangerous import DangerousRegistration, RegistrationState
from portal.schema.dangerous_requirements import DangerousRequirement, RequirementEvidence
from portal.schema.licenses import License, LicenseState
from portal.schema.people import Person, Premises
from portal.services.certificates.ask_vet import about
from portal.services.refusal import NotTheirs


@dataclass(frozen=True, kw_only=True)
class RegistrationShown:
    """The words of a certificate."""

    name: str
    looks: str
    microchip: str
    license_label: str
    owner: str
    kept_at: str
    starts_on: date
    until: date
    issued_on: date
    code: str


def registration_shown(
    session: Session, *, person_id: UUID | None, animal_id: UUID, registration_id: UUID, city: City
) -> RegistrationShown:
    """The certificate of one of the person's dogs; raises NotTheirs where none is issued."""
    wanted = (
        select(DangerousRegistration, Animal, Person, Premises)
        .join(Animal, Animal.id == DangerousRegistration.animal_id)
        .join(Keeper, Keeper.animal_id == Animal.id)
        .join(Person, Person.id == Keeper.person_id)
        # Another keeper may live elsewhere: their address is theirs to share.
        .outerjoin(Premises, and_(Premises.id == Animal.premises_id, Premises.id == Person.home_premises_id))
        .where(
            DangerousRegistration.id == registration_id,
            DangerousRegistration.state == RegistrationState.CERTIFIED,
            Animal.id == animal_id,
            Keeper.person_id == person_id,
            Keeper.until.is_(None),
        )
    )
    found = session.execute(wanted).first()
    if found is None:
        raise NotTheirs("No such certificate")
    year, animal, person, premises = found
    if not (year.certificate_until and year.certified_at and year.certificate_code):
        raise ValueError("A year that is certified has its certificate")
    return RegistrationShown(
        name=animal.name,
        looks=", ".join(part for part in (about(animal), animal.sex.value) if part),
        microchip=_microchip(session, year.id) or animal.microchip or "",
        license_label=_license_label(session, animal.id, city),
        owner=person.name,
        kept_at=_address(premises) if premises else "",
        starts_on=year.starts_on,
        until=year.certificate_until,
        issued_on=year.certified_at.astimezone(city.time_zone).date(),
        code=year.certificate_code,
    )


def _microchip(session: Session, registration_id: UUID) -> str:
    wanted = (
        select(RequirementEvidence.measures)
        .join(DangerousRequirement, DangerousRequirement.id == RequirementEvidence.requirement_id)
        .where(
            DangerousRequirement.registration_id == registration_id,
            DangerousRequirement.kind == Requirement.MICROCHIP,
            RequirementEvidence.number == DangerousRequirement.decided_number,
        )
    )
    measures = session.scalar(wanted) or {}
    return " ".join(part for part in (measures.get("maker"), measures.get("number")) if part)


def _license_label(session: Session, animal_id: UUID, city: City) -> str:
    wanted = (
        select(License.year, License.number)
        .where(License.animal_id == animal_id, License.state == LicenseState.ISSUED)
        .order_by(License.year.desc())
        .limit(1)
    )
    found = session.execute(wanted).first()
    return f"{license_year(found.year, city.license.year_start).label}, number {found.number}" if found else ""


def _address(premises: Premises) -> str:
    parts = (
        premises.line1,
        premises.unit,
        premises.city,
        f"{premises.state or ''} {premises.postal_code or ''}".strip(),
    )
    return ", ".join(part for part in parts if part)
