"""What a receipt shows: who paid, for which licenses, and how far each of them is (90.04(B)(4))."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from portal.schema.animals import Animal
from portal.schema.licenses import Delivery, License, LicenseState
from portal.schema.orders import OrderLine
from portal.schema.people import Person
from portal.schema.vaccinations import CertificateState, Vaccination

USABLE = (CertificateState.SUBMITTED, CertificateState.ACCEPTED)


@dataclass(frozen=True)
class LicensePaidFor:
    """One license of an order, as its keeper reads it."""

    animal_id: UUID
    animal: str
    year: int
    state: LicenseState
    number: int | None
    delivery: Delivery
    has_certificate: bool  # sent in or accepted; not one that was sent back

    @property
    def is_issued(self) -> bool:
        return self.state is LicenseState.ISSUED


def payer_of(session: Session, person_id: UUID) -> str:
    """The name on the receipt, as typed."""
    return session.scalars(select(Person.name).where(Person.id == person_id)).one()


def licenses_paid_for(session: Session, order_id: UUID) -> tuple[LicensePaidFor, ...]:
    """The licenses of an order whose owner was checked before, by the animal's name."""
    certificate = exists().where(Vaccination.animal_id == Animal.id, Vaccination.state.in_(USABLE))
    wanted = (
        select(
            Animal.id,
            Animal.name,
            License.year,
            License.state,
            License.number,
            License.delivery,
            certificate.label("has_certificate"),
        )
        .join(License, License.animal_id == Animal.id)
        .join(OrderLine, OrderLine.license_id == License.id)
        .where(OrderLine.order_id == order_id)
        .order_by(Animal.name, License.year)
    )
    return tuple(LicensePaidFor(*row) for row in session.execute(wanted))
