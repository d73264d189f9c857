"""What a receipt shows: who paid, for which licenses and tags, and how far each of them is (90.04(B)(4), (5))."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from portal.schema.animals import Animal
from portal.schema.licenses import Delivery, License, LicenseState, Tag
from portal.schema.orders import OrderLine
from portal.schema.people import Person
from portal.schema.tag_requests import TagRequest
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


@dataclass(frozen=True)
class TagPaidFor:
    """One duplicate tag of an order, as its keeper reads it."""

    animal: str
    year: int
    number: int | None
    issue: int | None
    """Which issue it is; None where it was called off."""
    delivery: Delivery
    is_out: bool


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


def tags_paid_for(session: Session, order_id: UUID) -> tuple[TagPaidFor, ...]:
    """The duplicate tags of an order whose owner was checked before (90.04(B)(5))."""
    wanted = (
        select(
            Animal.name,
            License.year,
            License.number,
            Tag.issue,
            TagRequest.delivery,
            Tag.sent_at.is_not(None).label("is_out"),
        )
        .join(License, License.animal_id == Animal.id)
        .join(TagRequest, TagRequest.license_id == License.id)
        .join(OrderLine, OrderLine.tag_request_id == TagRequest.id)
        .outerjoin(Tag, Tag.id == TagRequest.tag_id)
        .where(OrderLine.order_id == order_id)
        .order_by(Animal.name, License.year)
    )
    return tuple(TagPaidFor(*row) for row in session.execute(wanted))
