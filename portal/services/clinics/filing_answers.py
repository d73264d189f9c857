"""A rabies certificate as a clinic states it: the nine ordinance fields and the state's (90.04(D)(2))."""

import hashlib
import json
from dataclasses import dataclass, fields
from datetime import date
from uuid import UUID

from portal.ordinance.certificates import Certificate, Dose, VaccineType
from portal.schema.animals import Sex, Species
from portal.schema.clinics import ClinicFiling

SIGNED_APART = ("attested_name", "document_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class FilingAnswers:
    """What stands on one certificate. Empty is None, or an empty text where the column takes no None."""

    owner_name: str = ""
    owner_address: str = ""
    owner_phone: str | None = None
    animal_name: str = ""
    species: Species = Species.DOG
    sex: Sex | None = None
    description: str = ""
    """Breed, color and marks."""
    weight: str | None = None
    """A weight, or the size band of the common national form."""
    age: str | None = None
    microchip: str | None = None
    rabies_tag: str | None = None
    given_on: date | None = None
    due_on: date | None = None
    dose: Dose = Dose.UNKNOWN
    vaccine_type: VaccineType = VaccineType.UNKNOWN
    product: str | None = None
    manufacturer: str | None = None
    lot: str | None = None
    vaccine_expires_on: date | None = None
    duration_years: int | None = None
    veterinarian: str = ""
    veterinarian_license: str | None = None
    attested_name: str | None = None
    """The name typed as signature."""
    document_id: UUID | None = None

    def certificate(self) -> Certificate:
        """The same as the ordinance reads it."""
        return Certificate(
            given_on=self.given_on,
            due_on=self.due_on,
            duration_years=self.duration_years,
            dose=self.dose,
            vaccine_type=self.vaccine_type,
            vaccine_expires_on=self.vaccine_expires_on,
        )

    def content_key(self) -> str:
        """The same for the same certificate, whoever signs it: what makes a row that is sent twice one filing."""
        stated = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in SIGNED_APART}
        text = json.dumps(stated, default=str, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def answers_of(filing: ClinicFiling) -> FilingAnswers:
    """A stored filing as answers again."""
    return FilingAnswers(
        owner_name=filing.owner_name,
        owner_address=filing.owner_address,
        owner_phone=filing.owner_phone,
        animal_name=filing.animal_name,
        species=filing.species,
        sex=filing.sex,
        description=filing.description,
        weight=filing.weight,
        age=filing.age,
        microchip=filing.microchip,
        rabies_tag=filing.rabies_tag,
        given_on=filing.given_on,
        due_on=filing.certificate_due_on,
        dose=filing.dose,
        vaccine_type=filing.vaccine_type,
        product=filing.product,
        manufacturer=filing.manufacturer,
        lot=filing.lot,
        vaccine_expires_on=filing.vaccine_expires_on,
        duration_years=filing.duration_years,
        veterinarian=filing.veterinarian,
        veterinarian_license=filing.veterinarian_license,
        attested_name=filing.attested_name,
        document_id=filing.document_id,
    )
