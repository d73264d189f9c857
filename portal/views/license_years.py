"""License years as a person chooses among them: each with its first and last day."""

from typing import Any

from portal.forms.fields import choice
from portal.ordinance.license_years import LicenseYear, years_open
from portal.views.words import day
from portal.views.work import gateways


def open_years() -> tuple[LicenseYear, ...]:
    """The years that may be applied for today (90.04(B)(5))."""
    policy = gateways().city.license
    return years_open(gateways().clock.today(), policy.year_start, renewal_window_days=policy.renewal_window_days)


def year_choice(year: LicenseYear) -> Any:
    """A year to choose: its name, and its days."""
    return choice(str(year.number), year.label, f"{day(year.starts_on)} to {day(year.ends_on)}")
