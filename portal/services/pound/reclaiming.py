"""What taking an animal home from the pound asks today (90.07(C))."""

from dataclasses import dataclass
from datetime import date

from portal.city import City
from portal.ordinance.fees import NoFeesInForce
from portal.ordinance.impounding import Charge, hold, license_charge, reclaim_charges


@dataclass(frozen=True)
class Reclaiming:
    """The days and the money. What the pound's hours or a resolution do not tell is left out."""

    kept_through: date | None
    is_past: bool
    """The last day of the hold has gone by; whoever asks is told to call."""
    release: Charge | None = None
    keep: Charge | None = None
    license: Charge | None = None

    @property
    def total_cents(self) -> int:
        """Release and keep, so far."""
        return sum(charge.amount_cents for charge in (self.release, self.keep) if charge)

    @property
    def total_with_license_cents(self) -> int:
        """The same for a dog that has no license."""
        return self.total_cents + (self.license.amount_cents if self.license else 0)


def reclaiming(
    seized_on: date, *, needs_license: bool, is_altered: bool | None = None, city: City, on: date
) -> Reclaiming:
    """What it asks of whoever comes today. `needs_license`: a dog that has none, or of which nobody knows."""
    kept_through = _kept_through(seized_on, city)
    is_past = kept_through is not None and kept_through < on
    try:
        release, keep = reclaim_charges(city.fees, seized_on=seized_on, on=on)
        license_ = license_charge(city.fees, on=on, is_altered=is_altered) if needs_license else None
    except NoFeesInForce:
        return Reclaiming(kept_through, is_past)
    return Reclaiming(kept_through, is_past, release, keep, license_)


def _kept_through(seized_on: date, city: City) -> date | None:
    try:
        return hold(seized_on, hours=city.pound.hours, calendar=city.calendar).last_day
    except ValueError:  # a city whose pound is never open long enough tells by telephone
        return None
