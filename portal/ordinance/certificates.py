"""What a rabies certificate says, and what it ought to say: 90.04(D)(2) and Minn. R. 1721.0540 subp. 3."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from portal.ordinance.citation import Rule
from portal.ordinance.finding import Finding


class Evidence(StrEnum):
    """What kind of paper it is."""

    CERTIFICATE = "certificate"
    OWNER_GIVEN = "owner_given"
    MEDICAL_LETTER = "medical_letter"


class Dose(StrEnum):
    """Whether it was the animal's first rabies vaccination. Nobody has to know."""

    FIRST = "first"
    BOOSTER = "booster"
    UNKNOWN = "unknown"


class VaccineType(StrEnum):
    """The type of vaccine, one of the nine ordinance fields (90.04(D)(2)). Every type is accepted."""

    INACTIVATED = "inactivated"
    MODIFIED_LIVE = "modified_live"
    OTHER = "other"
    UNKNOWN = "unknown"


class CertificateField(StrEnum):
    """Everything a certificate may be asked to state; the values are words for a person."""

    VACCINATION_DATE = "the date of vaccination"
    OWNER_NAME = "the owner's name"
    OWNER_ADDRESS = "the owner's address"
    ANIMAL_NAME = "the animal's name"
    SEX = "its sex"
    DESCRIPTION = "its description"
    WEIGHT = "its weight or size"
    VACCINE_TYPE = "the type of vaccine"
    SIGNATURE = "the veterinarian's signature"
    OWNER_PHONE = "the owner's telephone number"
    BREED = "the breed"
    AGE = "the age"
    SPECIES = "the species"
    COLOR = "the color"
    VACCINE_NAME = "the vaccine's name"
    MANUFACTURER = "the vaccine's manufacturer"
    SERIAL_NUMBER = "the vaccine's serial number"
    VACCINE_EXPIRATION = "the vaccine's expiration date"
    DURATION = "the duration of immunity"
    RABIES_TAG = "the rabies tag number"
    VETERINARIAN_NAME = "the veterinarian's name"
    VETERINARIAN_ADDRESS = "the veterinarian's address"
    VETERINARIAN_LICENSE = "the veterinarian's license number"
    DUE_DATE = "the due date"


# 90.04(D)(2): the nine. A size band, as on the common national form, stands for the weight.
ORDINANCE_FIELDS = (
    CertificateField.VACCINATION_DATE,
    CertificateField.OWNER_NAME,
    CertificateField.OWNER_ADDRESS,
    CertificateField.ANIMAL_NAME,
    CertificateField.SEX,
    CertificateField.DESCRIPTION,
    CertificateField.WEIGHT,
    CertificateField.VACCINE_TYPE,
    CertificateField.SIGNATURE,
)
# Minn. R. 1721.0540 subp. 3: what state rules ask for beyond the nine.
STATE_FIELDS = tuple(field for field in CertificateField if field not in ORDINANCE_FIELDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What the paper says and what the person added. Nothing but the dates of the paper decides anything.

    `due_on` is the printed due date; `duration_years` the product's label; `vaccine_expires_on` the date on the vial.
    """

    given_on: date | None
    due_on: date | None = None
    duration_years: int | None = None
    dose: Dose = Dose.UNKNOWN
    evidence: Evidence = Evidence.CERTIFICATE
    vaccine_type: VaccineType = VaccineType.UNKNOWN
    vaccine_expires_on: date | None = None
    born_on: date | None = None
    is_birth_estimated: bool = False
    shown: frozenset[CertificateField] | None = None
    """The fields somebody saw on the paper; None while nobody has looked."""


def missing_fields(shown: Collection[CertificateField]) -> tuple[Finding, ...]:
    """90.04(D)(2) and Minn. R. 1721.0540: one warning for each set of fields that is not whole; never a refusal."""
    sets = ((Rule.CERTIFICATE, ORDINANCE_FIELDS), (Rule.STATE_CERTIFICATE, STATE_FIELDS))
    missing = ((rule, [field for field in fields if field not in shown]) for rule, fields in sets)
    return tuple(
        Finding(rule, f"The certificate does not show {_listed(fields)}", "certificate")
        for rule, fields in missing
        if fields
    )


def _listed(fields: list[CertificateField]) -> str:
    *first, last = (field.value for field in fields)
    return f"{', '.join(first)} and {last}" if first else last
