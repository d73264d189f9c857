"""A certificate as practice software states it and reads it back (90.04(D)(2), Minn. R. 1721.0540)."""

import re
import unicodedata
from datetime import date
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from portal.forms.text import one_line
from portal.ordinance.certificates import Dose, VaccineType
from portal.schema.animals import Sex, Species
from portal.services.clinics.file_for_clinic import ORDINANCE_FIELDS, STATEMENT
from portal.services.clinics.filings_of_clinic import Told

LONGEST = 400
MOST_A_PAGE = 100
VACCINE_TYPES = [one.value for one in VaccineType if one is not VaccineType.UNKNOWN]
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
YEARS = range(1990, 2101)
STRING = fields.String()
EXAMPLE = {
    "owner_name": "Pat Olson",
    "owner_address": "1310 Idaho Ave, Benson, MN 56215",
    "owner_phone": "(320) 555-0101",
    "animal_name": "Pepper",
    "species": "dog",
    "sex": "female",
    "description": "Labrador mix, black",
    "weight": "62 lb",
    "microchip": "985112000000000",
    "rabies_tag": "26-0412",
    "given_on": "2026-06-12",
    "due_on": "2029-06-12",
    "dose": "booster",
    "vaccine_type": "inactivated",
    "product": "Imrab 3",
    "lot": "18231A",
    "duration_years": 3,
    "veterinarian": "Ann Lee, DVM",
    "veterinarian_license": "MN 12345",
    "attested_name": "Ann Lee, DVM",
}


class Line(fields.String):
    """One line of text that can be printed and stored."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> str:
        text: str = super()._deserialize(value, *args, **more)
        if any(one not in "\t\n\r" and unicodedata.category(one) in {"Cc", "Cs"} for one in text):
            raise ValidationError("Leave out the characters that cannot be printed")
        return one_line(text)


class Day(fields.Date):
    """A day of the calendar, written as 2026-06-12."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> date:
        if not isinstance(value, str) or not DAY.fullmatch(value):
            raise self.make_error("invalid", input=value, obj_type="date")
        day: date = super()._deserialize(value, *args, **more)
        if day.year not in YEARS:
            raise ValidationError("Enter the right year")
        return day


def _about(description: str) -> dict[str, str]:
    return {"description": description}


def _needed(name: str, description: str) -> Line:
    """One of the nine ordinance fields that is text."""
    sentence = ORDINANCE_FIELDS[name]
    return Line(
        required=True,
        validate=validate.Length(min=1, max=LONGEST, error=f"{sentence}, in {LONGEST} characters or fewer"),
        error_messages={"required": sentence, "null": sentence},
        metadata=_about(description),
    )


def _line(description: str) -> Line:
    return Line(allow_none=True, validate=validate.Length(max=LONGEST), metadata=_about(description))


def _day(description: str) -> Day:
    return Day(allow_none=True, metadata=_about(description))


class Stated(Schema):
    """A certificate to file. The required fields are those of the ordinance, and the species."""

    owner_name = _needed("owner_name", "Owner’s name.")
    owner_address = _needed("owner_address", "Owner’s address.")
    owner_phone = _line("Owner’s telephone number.")
    animal_name = _needed("animal_name", "Animal’s name.")
    species = fields.Enum(Species, by_value=STRING, required=True, metadata=_about("Dog or cat."))
    sex = fields.Enum(
        Sex,
        by_value=STRING,
        required=True,
        error_messages={"required": ORDINANCE_FIELDS["sex"]},
        metadata=_about("Female or male, spayed or neutered the same."),
    )
    description = _needed("description", "Breed, color and marks.")
    weight = _needed("weight", "Weight, or the size band of the common national form.")
    age = _line("Age as on the certificate.")
    microchip = _line("Microchip number.")
    rabies_tag = _line("Number of the rabies tag.")
    given_on = Day(
        required=True,
        error_messages={"required": ORDINANCE_FIELDS["given_on"]},
        metadata=_about("Date of the vaccination."),
    )
    due_on = _day("Next due date as printed; left out, it is counted from the dose and the years.")
    dose = fields.Enum(
        Dose, by_value=STRING, load_default=Dose.UNKNOWN, metadata=_about("Whether it was the first rabies shot.")
    )
    vaccine_type = fields.String(
        required=True,
        validate=validate.OneOf(VACCINE_TYPES, error=ORDINANCE_FIELDS["vaccine_type"]),
        error_messages={"required": ORDINANCE_FIELDS["vaccine_type"]},
        metadata=_about("Type of vaccine."),
    )
    product = _line("Name of the vaccine.")
    manufacturer = _line("Maker of the vaccine.")
    lot = _line("Serial or lot number.")
    vaccine_expires_on = _day("Date on the vial.")
    duration_years = fields.Integer(
        strict=True,
        allow_none=True,
        validate=validate.Range(min=1, max=10),
        metadata=_about("Years the vaccine lasts by its label."),
    )
    veterinarian = Line(
        validate=validate.Length(max=LONGEST), metadata=_about("Veterinarian; left out, it is who signs.")
    )
    veterinarian_license = _line("The veterinarian’s license number.")
    attested_name = _needed("attested_name", f"Name typed as signature. {STATEMENT}")


class Filed(Schema):
    """A certificate as we have it. Its state tells where it stands with us, and nothing about any owner."""

    id = fields.UUID(required=True)
    reference = fields.String(required=True, metadata=_about("What to quote on the phone."))
    state = fields.Enum(Told, by_value=STRING, required=True)
    reason = fields.String(required=True, allow_none=True, metadata=_about("Why it was sent back or withdrawn."))
    received_at = fields.AwareDateTime(required=True)
    has_file = fields.Boolean(required=True, metadata=_about("Whether the paper came as a file too."))
    owner_name = fields.String(required=True)
    owner_address = fields.String(required=True)
    owner_phone = fields.String(required=True, allow_none=True)
    animal_name = fields.String(required=True)
    species = fields.Enum(Species, by_value=STRING, required=True)
    sex = fields.Enum(Sex, by_value=STRING, required=True, allow_none=True)
    description = fields.String(required=True)
    weight = fields.String(required=True, allow_none=True)
    age = fields.String(required=True, allow_none=True)
    microchip = fields.String(required=True, allow_none=True, metadata=_about("Blanks and dashes removed."))
    rabies_tag = fields.String(required=True, allow_none=True)
    given_on = fields.Date(required=True, allow_none=True)
    due_on = fields.Date(required=True, allow_none=True)
    dose = fields.Enum(Dose, by_value=STRING, required=True)
    vaccine_type = fields.Enum(VaccineType, by_value=STRING, required=True)
    product = fields.String(required=True, allow_none=True)
    manufacturer = fields.String(required=True, allow_none=True)
    lot = fields.String(required=True, allow_none=True)
    vaccine_expires_on = fields.Date(required=True, allow_none=True)
    duration_years = fields.Integer(required=True, allow_none=True)
    veterinarian = fields.String(required=True)
    veterinarian_license = fields.String(required=True, allow_none=True)
    attested_name = fields.String(required=True, allow_none=True)


class Listed(Schema):
    """Your clinic’s certificates, newest first."""

    certificates = fields.List(fields.Nested(Filed), required=True)
    next_after = fields.UUID(
        required=True, allow_none=True, metadata=_about("Send this as `after` for the next page; null on the last.")
    )


class Paging(Schema):
    """Which part of the list."""

    limit = fields.Integer(load_default=50, validate=validate.Range(min=1, max=MOST_A_PAGE))
    after = fields.UUID(metadata=_about("The `next_after` of the page before."))


class Sent(Schema):
    """Headers of a filing."""

    key = fields.String(
        required=True,
        data_key="Idempotency-Key",
        validate=validate.Regexp(r"^[!-~]{1,200}$", error="Send 1 to 200 visible ASCII characters"),
        metadata={
            "description": "Your own key for this certificate. The same key and body again is the same certificate.",
            "example": "visit-48211-rabies",
        },
    )


class FieldTold(Schema):
    """What is wrong with one field."""

    field = fields.String(required=True)
    detail = fields.String(required=True)


class Problem(Schema):
    """Problem details (RFC 9457)."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    errors = fields.List(fields.Nested(FieldTold))
    reference = fields.String(metadata=_about("To quote when the fault is ours."))
