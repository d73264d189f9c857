"""An officer confirms that a dog's license is waived, or declines and the fee is due (90.04(C)).

The keeper's word is enough to claim it: nobody is asked for papers or a diagnosis. The dog is registered either way.
"""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.fees import license_fee
from portal.ordinance.finding import Refusal
from portal.ordinance.license_years import license_year
from portal.schema.animals import Animal, AnimalState
from portal.schema.licenses import License, LicenseState, WaiverState
from portal.schema.orders import LineKind, Order
from portal.schema.people import Person
from portal.services.licensing.issue_license import issue_ready
from portal.services.orders.open_order import Charge, open_order
from portal.services.owners.keepers_now import first_keeper
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.say_why import FOR_THE_KEEPER, said

RULE = "90.04(C)"
NOT_CLAIMED = "No waiver is claimed for this license"
ALREADY_DECIDED = "This waiver was decided already: it is {state}"
NOT_WAITING = "This license is {state} already"
NO_KEEPER = "Nobody keeps this dog now, so nobody can be asked for the fee"


def confirm_waiver(session: Session, *, license_id: UUID, officer: str, clock: Clock) -> License:
    """Nothing is due; the license issues at once if the certificate is accepted."""
    license_ = _undecided(session, license_id)
    license_.waiver_state = WaiverState.CONFIRMED
    session.flush()
    record_event(session, "waiver.confirmed", license_, actor=f"officer:{officer}")
    issue_ready(session, [license_.id], clock=clock)
    return license_


def decline_waiver(session: Session, *, license_id: UUID, officer: str, reason: str, city: City, clock: Clock) -> Order:
    """The fee is due: an order is opened for it, and the keepers are told why and where to pay."""
    why = said(reason, RULE, FOR_THE_KEEPER)
    license_ = _undecided(session, license_id)
    animal = session.get_one(Animal, license_.animal_id)
    if animal.state is not AnimalState.KEPT:
        raise Refused([Refusal(RULE, NO_KEEPER)])
    person = _payer(session, animal)
    license_.waiver_state = WaiverState.DECLINED
    session.flush()
    actor = f"officer:{officer}"
    record_event(session, "waiver.declined", license_, actor=actor)
    charges = [_charge(license_, animal, city=city, clock=clock)]
    order = open_order(session, person=person, charges=charges, actor=actor, clock=clock)
    context = {
        "reason": why,
        "total_cents": order.total_cents,
        "reference": order.reference,
        "path": f"/pay/{order.id}",
    }
    tell_keepers(session, animal, template="waiver_declined", context=context, clock=clock)
    return order


def waivers_waiting(session: Session, *, limit: int = 100) -> list[tuple[License, Animal]]:
    """The officer's queue, oldest first."""
    claimed = (
        select(License, Animal)
        .join(Animal, Animal.id == License.animal_id)
        .where(License.waiver_state == WaiverState.CLAIMED, License.state == LicenseState.APPLIED)
        .order_by(License.created_at)
        .limit(limit)
    )
    return [(license_, animal) for license_, animal in session.execute(claimed)]


def waiver_view(session: Session, license_id: UUID) -> tuple[License, Animal, Person | None]:
    """One license whose fee is said to be waived, its dog, and whoever has kept that longest."""
    license_ = session.get_one(License, license_id)
    animal = session.get_one(Animal, license_.animal_id)
    return license_, animal, first_keeper(session, animal.id)


def _undecided(session: Session, license_id: UUID) -> License:
    license_ = session.get(License, license_id, with_for_update=True)
    if license_ is None:
        raise NotTheirs("There is no such license")
    if license_.waiver_state is None:
        raise Refused([Refusal(RULE, NOT_CLAIMED)])
    if license_.waiver_state is not WaiverState.CLAIMED:
        raise Refused([Refusal(RULE, ALREADY_DECIDED.format(state=license_.waiver_state.value))])
    if license_.state is not LicenseState.APPLIED:
        raise Refused([Refusal(RULE, NOT_WAITING.format(state=license_.state.value))])
    return license_


def _payer(session: Session, animal: Animal) -> Person:
    """Whoever has kept it longest owes the fee (90.03 OWNER)."""
    person = first_keeper(session, animal.id)
    if person is None:
        raise Refused([Refusal(RULE, NO_KEEPER)])
    return person


def _charge(license_: License, animal: Animal, *, city: City, clock: Clock) -> Charge:
    fee = license_fee(city.fees, on=clock.today(), is_altered=animal.is_altered)
    year = license_year(license_.year, city.license.year_start)
    return Charge(
        kind=LineKind.LICENSE,
        license_id=license_.id,
        description=f"Dog license {year.label}: {animal.name}",
        amount_cents=fee.amount_cents,
        resolution=fee.resolution,
    )
