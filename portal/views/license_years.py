"""License years as a person chooses among them: each with its first and last day, and what it costs to be late."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from portal.forms.fields import choice
from portal.ordinance.fees import Fee
from portal.ordinance.license_years import LicenseYear, years_open
from portal.services.animals.dogs_kept import AnimalKept
from portal.services.licensing.renew_licenses import LIVE, late_fee_for
from portal.views.words import day
from portal.views.work import gateways, reading


@dataclass(frozen=True)
class Late:
    """What comes on top for one dog in one year (90.18)."""

    animal: AnimalKept
    year: LicenseYear
    fee: Fee


def open_years() -> tuple[LicenseYear, ...]:
    """The years that may be applied for today (90.04(B)(5))."""
    policy = gateways().city.license
    return years_open(gateways().clock.today(), policy.year_start, renewal_window_days=policy.renewal_window_days)


def year_choice(year: LicenseYear) -> Any:
    """A year to choose: its name, and its days."""
    return choice(str(year.number), year.label, f"{day(year.starts_on)} to {day(year.ends_on)}")


def years_wanted(animal: AnimalKept, years: tuple[LicenseYear, ...]) -> list[LicenseYear]:
    """The open years this dog has no license for and has not applied for."""
    have = {kept.year for kept in animal.licenses if kept.state in LIVE}
    return [year for year in years if year.number not in have]


def years_lacked(animals: list[AnimalKept], years: tuple[LicenseYear, ...]) -> list[LicenseYear]:
    """The years that at least one of these dogs lacks."""
    return [year for year in years if any(year in years_wanted(animal, years) for animal in animals)]


def late_fees(animals: list[AnimalKept], years: tuple[LicenseYear, ...], *, person_id: UUID | None) -> list[Late]:
    """For each of these dogs, whose owner pays for them, and each of the years that it lacks: what would be charged."""
    parts, session = gateways(), reading()
    found = []
    for animal in animals:
        for year in years_wanted(animal, years):
            fee = late_fee_for(
                session,
                animal.id,
                born_on=animal.birth_date,
                person_id=person_id,
                year=year,
                city=parts.city,
                clock=parts.clock,
            )
            if fee:
                found.append(Late(animal, year, fee))
    return found
