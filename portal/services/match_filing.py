"""Look for the animal that a clinic's filing is about (90.04(D)(2))."""

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.clinics import ClinicFiling, FilingState


def match_filing(session: Session, filing: ClinicFiling, *, city: City, clock: Clock) -> FilingState:
    """Where the filing stands after looking; without an animal it waits for one."""
    return filing.state
