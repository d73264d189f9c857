"""License years as a person chooses among them: each with its first and last day."""

from typing import Any

from portal.forms.fields import choice
from portal.ordinance.license_years import LicenseYear, years_open
from portal.services.animals.dogs_kept import AnimalKept
from portal.services.licensing.renew_licenses import LIVE
from portal.views.words import day
from portal.views.work import gateways


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
