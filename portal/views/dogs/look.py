"""What the sentences about an animal depend on, and what a track is made of."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from portal.city import City
from portal.ordinance.days import office_day_after
from portal.ordinance.license_years import license_year
from portal.services.animals.dogs_kept import CertificateKept, LicenseKept
from portal.services.certificates.good_to import good_to

DONE, NOW, WAITING, PROBLEM = "done", "now", "waiting", "problem"


@dataclass(frozen=True)
class Link:
    """Where to go on. The address is worked out where it is shown: a list of dogs shows none of them."""

    address: Callable[[], str]
    label: str

    @property
    def href(self) -> str:
        return self.address()


@dataclass(frozen=True)
class Track:
    """One line of the four; a problem is something that only the keeper can put right."""

    label: str
    state: str
    detail: str = ""
    action: Link | None = None


@dataclass(frozen=True)
class Look:
    """Who looks, where and on which day: what the sentences depend on."""

    city: City
    on: date
    person_id: UUID | None

    def civil(self, instant: datetime) -> date:
        """The city's day of an instant."""
        return instant.astimezone(self.city.time_zone).date()

    def promised(self, since: datetime, days: int) -> date | None:
        """The day by which the city acts; None once that day has gone by."""
        by = office_day_after(self.civil(since), days, self.city.calendar)
        return by if by >= self.on else None

    def good_to(self, certificate: CertificateKept) -> date | None:
        """The last day on which an accepted certificate counts (90.04(D)(1))."""
        return good_to(certificate, accepted_at=certificate.decided_at or certificate.filed_at, city=self.city)

    def year_label(self, license_: LicenseKept) -> str:
        """2027, or 2026-2027 where license years begin in the middle of one."""
        return license_year(license_.year, self.city.license.year_start).label
