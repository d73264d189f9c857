"""The fee for a year of a dangerous dog's registration, beyond the license fee (90.13(H)(6))."""

from uuid import UUID

from sqlalchemy import ColumnElement, exists, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.days import spoken
from portal.ordinance.fees import dangerous_dog_fee
from portal.schema.orders import LineKind, Order, OrderLine, OrderState, Payment
from portal.schema.people import Person
from portal.services.dangerous.register_dangerous_dog import latest_year
from portal.services.licensing.issue_license import MONEY_IS_HERE
from portal.services.orders.open_order import Charge, open_order
from portal.services.owners.keepers_now import locked_animal
from portal.services.record_event import keeper
from portal.services.refusal import NotTheirs


def order_year(session: Session, *, animal_id: UUID, person_id: UUID | None, city: City, clock: Clock) -> Order:
    """The order for this year's fee, beyond the license fee (90.13(H)(6)); the one there is, open or paid."""
    animal = locked_animal(session, animal_id, person_id=person_id)
    year = latest_year(session, animal.id)
    if year is None:
        raise NotTheirs("There is no registration of this dog")
    if standing := order_of_year(session, year.id):
        return standing
    fee = dangerous_dog_fee(city.fees, on=clock.today())
    charge = Charge(
        kind=LineKind.DANGEROUS_DOG,
        dangerous_registration_id=year.id,
        description=f"Dangerous dog registration to {spoken(year.ends_on)}: {animal.name}",
        amount_cents=fee.amount_cents,
        resolution=fee.resolution,
    )
    person = session.get_one(Person, person_id)
    return open_order(session, person=person, charges=[charge], actor=keeper(person.id), clock=clock)


def order_of_year(session: Session, registration_id: UUID) -> Order | None:
    """The order that asks for the fee of a year and was neither canceled nor paid back."""
    wanted = (
        select(Order)
        .join(OrderLine, OrderLine.order_id == Order.id)
        .where(
            OrderLine.dangerous_registration_id == registration_id,
            Order.state.in_((OrderState.OPEN, OrderState.PAID)),
        )
        .order_by(Order.created_at.desc())
        .limit(1)
    )
    return session.scalar(wanted)


def fee_is_paid(registration_id: ColumnElement[UUID] | UUID) -> ColumnElement[bool]:
    """Whether the money for a year is here, and not in dispute."""
    return exists().where(
        OrderLine.dangerous_registration_id == registration_id,
        Order.id == OrderLine.order_id,
        Order.state == OrderState.PAID,
        Payment.order_id == Order.id,
        Payment.receipt_number.is_not(None),
        Payment.state.in_(MONEY_IS_HERE),
    )
