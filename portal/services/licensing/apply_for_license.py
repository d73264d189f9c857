"""Apply for one dog's license for one year; what it costs is quoted with its resolution (90.04(B))."""

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.fees import license_fee
from portal.ordinance.license_years import license_year, valid_from
from portal.schema.animals import Animal
from portal.schema.licenses import Delivery, License, LicenseBasis, WaiverState
from portal.schema.orders import LineKind
from portal.services.orders.open_order import Charge
from portal.services.record_event import record_event
from portal.services.secrets import spoken_code

PROOF_LENGTH = 16


def apply_for_license(
    session: Session,
    animal: Animal,
    *,
    year: int,
    basis: LicenseBasis,
    delivery: Delivery,
    actor: str,
    city: City,
    clock: Clock,
) -> Charge:
    """Add the license as applied for; the charge for it, which is nothing under a waiver (90.04(C))."""
    chosen = license_year(year, city.license.year_start)
    license_ = License(
        animal_id=animal.id,
        year=chosen.number,
        valid_from=valid_from(chosen, issued_on=clock.today()),
        valid_until=chosen.ends_on,
        basis=basis,
        waiver_state=None if basis is LicenseBasis.FEE else WaiverState.CLAIMED,
        delivery=delivery,
        proof_code=spoken_code(PROOF_LENGTH),
    )
    session.add(license_)
    session.flush()
    record_event(session, "license.applied_for", license_, actor=actor, year=chosen.number, basis=basis.value)
    fee = license_fee(city.fees, on=clock.today(), is_altered=animal.is_altered)
    return Charge(
        kind=LineKind.LICENSE,
        license_id=license_.id,
        description=f"Dog license {chosen.label}: {animal.name}",
        amount_cents=fee.amount_cents if basis is LicenseBasis.FEE else 0,
        resolution=fee.resolution,
    )
