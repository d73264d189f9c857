"""What the portal read from a file, as the form that a clinic fills in shows it."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from portal.ordinance.certificates import Dose
from portal.ordinance.conflicts import PRODUCT_YEARS
from portal.schema.animals import Sex
from portal.schema.clinics import ClinicFiling
from portal.services.clinics.suggested_for_filing import suggested_for
from portal.views.work import reading

AS_READ = (
    "product",
    "manufacturer",
    "lot",
    "rabies_tag",
    "microchip",
    "veterinarian",
    "veterinarian_license",
    "animal_name",
    "owner_name",
    "owner_address",
    "weight",
)
DATES = ("given_on", "due_on", "vaccine_expires_on")


def read_data(filing: ClinicFiling) -> dict[str, Any]:
    """What was read, field by field; what can't be so is left out."""
    read = suggested_for(reading(), filing)
    data: dict[str, Any] = {name: read[name] for name in AS_READ if name in read}
    for name in DATES:
        if (day := _day(read.get(name, ""))) is not None:
            data[name] = day
    if read.get("duration_years") in {str(years) for years in PRODUCT_YEARS}:
        data["duration_years"] = read["duration_years"]
    for name, words in (("sex", Sex), ("dose", Dose)):
        if read.get(name) in set(words):
            data[name] = read[name]
    if description := _described(read):
        data["description"] = description
    return data


def _described(read: Mapping[str, str]) -> str:
    return ", ".join(read[name] for name in ("breed", "color") if name in read)


def _day(written: str) -> date | None:
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None
