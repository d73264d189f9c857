"""To which day an accepted certificate is good: on every page and in every letter the same (90.04(D)(1))."""

from datetime import date, datetime
from typing import Protocol

from portal.city import City
from portal.ordinance.certificate_life import AcceptedDates, good_until
from portal.schema.vaccinations import CertificateState, Vaccination


class Dated(Protocol):
    """A certificate, as a row or as a page has read it."""

    @property
    def ordinance_until(self) -> date | None: ...
    @property
    def certificate_due_on(self) -> date | None: ...


def good_to(certificate: Dated, *, accepted_at: datetime, city: City) -> date | None:
    """The last day on which it counts, read with the city's gate."""
    dates = AcceptedDates(
        ordinance_until=certificate.ordinance_until,
        certificate_due=certificate.certificate_due_on,
        accepted_on=accepted_at.astimezone(city.time_zone).date(),
    )
    return good_until(dates, city.policy.vaccination_gate)


def vaccination_good_to(vaccination: Vaccination, city: City) -> date | None:
    """The same of a row; None while nobody has accepted it."""
    if vaccination.state is not CertificateState.ACCEPTED or vaccination.decided_at is None:
        return None
    return good_to(vaccination, accepted_at=vaccination.decided_at, city=city)
