"""Issue a license once it is paid for and the dog is proved vaccinated (90.04(B)(3), (B)(5))."""

from collections.abc import Iterable
from datetime import date
from uuid import UUID

from sqlalchemy import ColumnElement, and_, exists, or_, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.license_years import LicenseYear, valid_from
from portal.schema.animals import Animal, AnimalState
from portal.schema.licenses import License, LicenseBasis, LicenseCounter, LicenseState, Tag, WaiverState
from portal.schema.orders import Order, OrderLine, OrderState, Payment, PaymentState
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import SYSTEM, record_event

MONEY_IS_HERE = (PaymentState.PAID, PaymentState.PARTLY_REFUNDED)

_PAID = exists().where(
    OrderLine.license_id == License.id,
    OrderLine.order_id == Order.id,
    Order.state == OrderState.PAID,
    Payment.order_id == Order.id,
    Payment.receipt_number.is_not(None),
    Payment.state.in_(MONEY_IS_HERE),
)
# Paid for, and not in dispute; or its waiver confirmed, and then nothing is due (90.04(C)). One that was declined
# needs the fee itself: the order it was applied for with charged nothing.
_SETTLED = or_(
    and_(License.basis == LicenseBasis.FEE, _PAID),
    License.waiver_state == WaiverState.CONFIRMED,
    and_(License.waiver_state == WaiverState.DECLINED, _PAID.where(OrderLine.amount_cents > 0)),
)


def counts(on: date) -> ColumnElement[bool]:
    """An accepted vaccination counts while the ordinance's three years run; an accepted letter has no date.

    Not one that a person has to look at again: its clinic took it back, or its printed date passed (look_again).
    """
    runs = or_(Vaccination.ordinance_until.is_(None), Vaccination.ordinance_until >= on)
    return and_(Vaccination.state == CertificateState.ACCEPTED, Vaccination.needs_review.is_(False), runs)


def issue_ready(session: Session, license_ids: Iterable[UUID], *, clock: Clock) -> list[License]:
    """Issue those of the licenses that are paid and whose certificate is accepted; twice issues once.

    Called after either happens. The license rows are locked before anything is asked, all at once and in one order,
    so that a payment and an officer's decision at the same moment never miss each other and never lock each other out.
    """
    rows = select(License).where(License.id.in_(list(license_ids))).order_by(License.year, License.id)
    locked = session.scalars(rows.with_for_update(), execution_options={"populate_existing": True}).all()
    return [license_ for license_ in locked if _issue(session, license_, clock=clock)]


def _issue(session: Session, license_: License, *, clock: Clock) -> bool:
    if license_.state is not LicenseState.APPLIED or not _is_settled(session, license_):
        return False
    if session.get_one(Animal, license_.animal_id).state is not AnimalState.KEPT:
        return False
    vaccination_id = _accepted_vaccination(session, license_.animal_id, on=clock.today())
    if vaccination_id is None:
        return False
    license_.number = _next_number(session, license_.year)
    license_.state = LicenseState.ISSUED
    license_.vaccination_id = vaccination_id
    license_.issued_at = clock.now()
    year = LicenseYear(license_.year, license_.valid_from, license_.valid_until)
    license_.valid_from = valid_from(year, issued_on=clock.today())
    tag = Tag(license_id=license_.id, year=license_.year, number=license_.number, delivery=license_.delivery)
    session.add(tag)
    session.flush()
    record_event(session, "license.issued", license_, actor=SYSTEM, year=license_.year, number=license_.number)
    record_event(session, "tag.to_send", tag, actor=SYSTEM)
    _tell_keepers(session, license_, clock=clock)
    return True


def licenses_waiting(session: Session, animal_id: UUID) -> list[UUID]:
    """The animal's licenses that are applied for and not issued."""
    waiting = select(License.id).where(License.animal_id == animal_id, License.state == LicenseState.APPLIED)
    return list(session.scalars(waiting.order_by(License.year)))


def licenses_ready(session: Session, *, on: date, after: UUID | None = None, limit: int = 100) -> list[UUID]:
    """Licenses that nothing holds back any more, whoever wrote the last row they waited for; those after `after`."""
    vaccinated = exists().where(Vaccination.animal_id == License.animal_id, counts(on))
    is_kept = exists().where(Animal.id == License.animal_id, Animal.state == AnimalState.KEPT)
    ready = select(License.id).where(License.state == LicenseState.APPLIED, is_kept, _SETTLED, vaccinated)
    if after is not None:
        last = select(License.created_at, License.id).where(License.id == after)
        ready = ready.where(tuple_(License.created_at, License.id) > last.scalar_subquery())
    return list(session.scalars(ready.order_by(License.created_at, License.id).limit(limit)))


def _is_settled(session: Session, license_: License) -> bool:
    return bool(session.scalar(select(_SETTLED).where(License.id == license_.id)))


def withdraw_unissued(session: Session, license_ids: Iterable[UUID], *, actor: str) -> None:
    """What was paid back before it was issued is not applied for any more, so that it can be applied for anew."""
    rows = select(License).where(License.id.in_(list(license_ids)), License.state == LicenseState.APPLIED)
    for license_ in session.scalars(rows.order_by(License.year, License.id).with_for_update()):
        license_.state = LicenseState.WITHDRAWN
        record_event(session, "license.withdrawn", license_, actor=actor)
    session.flush()


def _accepted_vaccination(session: Session, animal_id: UUID, *, on: date) -> UUID | None:
    newest = (
        select(Vaccination.id)
        .where(Vaccination.animal_id == animal_id, counts(on))
        .order_by(Vaccination.given_on.desc().nulls_last(), Vaccination.created_at.desc())
        .limit(1)
    )
    return session.scalar(newest)


def _next_number(session: Session, year: int) -> int:
    """The next number of the year. The counter's row is locked until the commit, so no number is given twice."""
    counted = insert(LicenseCounter).values(year=year, last_number=1)
    counted = counted.on_conflict_do_update(
        index_elements=[LicenseCounter.year], set_={"last_number": LicenseCounter.last_number + 1}
    )
    return session.scalars(counted.returning(LicenseCounter.last_number)).one()


def _tell_keepers(session: Session, license_: License, *, clock: Clock) -> None:
    context = {
        "year": license_.year,
        "number": license_.number,
        "valid_until": license_.valid_until.isoformat(),
        "delivery": license_.delivery.value,
    }
    animal = session.get_one(Animal, license_.animal_id)
    tell_keepers(session, animal, template="license_issued", context=context, clock=clock)
