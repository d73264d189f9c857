"""Look at what a resident keeps, and where each license, certificate and tag stands.

Two queries however many animals there are, each with the person in it: anyone else's animals do not exist for them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, bindparam, exists, func, literal_column, select
from sqlalchemy.orm import Session, aliased

from portal.gateways.database.connections import rows
from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.clinics import CertificateDemand
from portal.schema.dangerous import DangerousDesignation
from portal.schema.impoundments import PUBLIC_BASES, Impoundment
from portal.schema.licenses import License, LicenseState, Tag, TagState
from portal.schema.orders import LineKind, Order, OrderLine, OrderState, Payment, PaymentState
from portal.schema.people import Person, Premises
from portal.schema.tag_requests import TagRequest, TagRequestState
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.animals.dogs_kept import AnimalKept, CertificateKept, LicenseKept, OrderKept, TagMade
from portal.services.orders.standing import UNSETTLED
from portal.services.refusal import NotTheirs

# Another keeper may live elsewhere: their address is theirs to share.
WHERE_IT_LIVES = "where it is kept"


@dataclass(frozen=True)
class OrderOwed:
    """An order that waits for the person's money, and the animals it is for."""

    order: OrderKept
    names: tuple[str, ...]


class As:
    """Columns beside each other that are read into a value, in the order of its fields, after `at` others."""

    def __init__(self, value: type[Any], *columns: Any, at: int) -> None:
        self.value, self.columns = value, columns
        self.at, self.end = at, at + len(columns)

    def of(self, row: Row[Any]) -> Any:
        """The value in a row; None where an outer join found no row."""
        return None if row[self.at] is None else self.value(*row[self.at : self.end])


def _written(states: Iterable[StrEnum]) -> list[ColumnElement[str]]:
    """States written out in the statement, so that the partial indexes over them are found."""
    return [literal_column(f"'{state.value}'") for state in states]


_MINE = and_(Keeper.person_id == bindparam("person_id"), Keeper.until.is_(None), Animal.state == AnimalState.KEPT)
_ONE = Animal.id == bindparam("animal_id")
_Attempt, _Settled, _Other = aliased(Payment), aliased(Payment), aliased(Payment)

_ANIMAL = As(
    AnimalKept,
    Animal.id,
    Animal.species,
    Animal.name,
    Animal.breed,
    Animal.color,
    Animal.sex,
    Animal.is_altered,
    Animal.born_on,
    Animal.estimated_age_months,
    Animal.age_estimated_on,
    Animal.photo_id,
    at=0,
)
_CERTIFICATE = As(
    CertificateKept,
    Vaccination.id,
    Vaccination.state,
    Vaccination.given_on,
    Vaccination.certificate_due_on,
    Vaccination.ordinance_until,
    Vaccination.science_due_on,
    Vaccination.dose,
    Vaccination.decision_reason,
    Vaccination.created_at,
    Vaccination.decided_at,
    at=_ANIMAL.end,
)
_LICENSE = As(
    LicenseKept,
    License.id,
    License.year,
    License.valid_from,
    License.valid_until,
    License.basis,
    License.waiver_state,
    License.number,
    License.state,
    License.delivery,
    License.proof_code,
    License.issued_at,
    at=1,
)
_TAG = As(TagMade, Tag.state, Tag.delivery, Tag.issue, Tag.sent_at, Tag.created_at, at=_LICENSE.end)
_ORDER = As(
    OrderKept,
    Order.id,
    Order.reference,
    Order.person_id,
    Order.state,
    Order.total_cents,
    Order.counter_chosen_at,
    Order.paid_at,
    OrderLine.amount_cents,
    _Attempt.state,
    _Settled.state,
    exists()
    .where(_Other.order_id == Order.id, _Other.state.in_(_written([PaymentState.MISMATCH])))
    .label("is_in_question"),
    at=_TAG.end,
)

_SHOW_BY = (
    select(func.min(CertificateDemand.show_by))
    .where(CertificateDemand.animal_id == Animal.id, CertificateDemand.presented_at.is_(None))
    .scalar_subquery()
    .label("show_by")
)

_IMPOUNDED_ON = (
    select(Impoundment.seized_on)
    .where(
        Impoundment.animal_id == Animal.id,
        Impoundment.left_on.is_(None),
        Impoundment.basis.in_(_written(PUBLIC_BASES)),
    )
    .scalar_subquery()
    .label("impounded_on")
)

_IS_DESIGNATED = exists().where(DangerousDesignation.animal_id == Animal.id).label("is_designated")

# The person's own order for a duplicate tag that is not made yet; somebody else's is theirs to pay.
_NEW_TAG_ORDER_ID = (
    select(Order.id)
    .join(OrderLine, OrderLine.order_id == Order.id)
    .join(TagRequest, TagRequest.id == OrderLine.tag_request_id)
    .where(
        TagRequest.license_id == License.id,
        TagRequest.state == TagRequestState.OPEN,
        Order.state == OrderState.OPEN,
        Order.person_id == bindparam("person_id"),
    )
    .limit(1)
    .correlate(License)
    .scalar_subquery()
    .label("new_tag_order_id")
)

ANIMALS = (
    select(
        *_ANIMAL.columns,
        *_CERTIFICATE.columns,
        Person.mailing_address,
        Premises.line1,
        Premises.unit,
        _SHOW_BY,
        _IMPOUNDED_ON,
        _IS_DESIGNATED,
    )
    .join(Keeper, Keeper.animal_id == Animal.id)
    .join(Person, Person.id == Keeper.person_id)
    .outerjoin(Premises, and_(Premises.id == Animal.premises_id, Premises.id == Person.home_premises_id))
    .outerjoin(Vaccination, and_(Vaccination.animal_id == Animal.id, Vaccination.state != CertificateState.REPLACED))
    .where(_MINE)
    .order_by(func.lower(Animal.name), Animal.id, Vaccination.created_at.desc(), Vaccination.id)
)
LICENSES = (
    select(License.animal_id, *_LICENSE.columns, *_TAG.columns, *_ORDER.columns, _NEW_TAG_ORDER_ID)
    .join(Keeper, Keeper.animal_id == License.animal_id)
    .join(Animal, Animal.id == License.animal_id)
    .outerjoin(Tag, and_(Tag.license_id == License.id, Tag.state.in_(_written([TagState.TO_SEND, TagState.SENT]))))
    .outerjoin(OrderLine, and_(OrderLine.license_id == License.id, OrderLine.kind == LineKind.LICENSE))
    .outerjoin(Order, and_(Order.id == OrderLine.order_id, Order.state != OrderState.CANCELED))
    .outerjoin(_Attempt, and_(_Attempt.order_id == Order.id, _Attempt.state.in_(_written(UNSETTLED))))
    .outerjoin(_Settled, and_(_Settled.order_id == Order.id, _Settled.receipt_number.is_not(None)))
    .where(_MINE, License.state.in_(_written([LicenseState.APPLIED, LicenseState.ISSUED])))
    .order_by(License.year.desc(), License.id, Order.created_at.desc().nulls_last())
)
ONE_ANIMAL, ITS_LICENSES = ANIMALS.where(_ONE), LICENSES.where(_ONE)


def animals_of(session: Session, *, person_id: UUID | None) -> list[AnimalKept]:
    """Everything the person keeps now, by name; nothing before their first registration."""
    if person_id is None:
        return []
    who = {"person_id": person_id}
    found = rows(session, ANIMALS, who)
    return _joined(found, rows(session, LICENSES, who) if found else [])


def animal_of(session: Session, *, person_id: UUID | None, animal_id: UUID) -> AnimalKept:
    """One animal the person keeps; raises NotTheirs."""
    who = {"person_id": person_id, "animal_id": animal_id}
    found = rows(session, ONE_ANIMAL, who)
    if not found:
        raise NotTheirs("No such animal")
    return _joined(found, rows(session, ITS_LICENSES, who))[0]


def orders_owed(animals: Iterable[AnimalKept], *, person_id: UUID | None) -> list[OrderOwed]:
    """The person's own orders that wait for money, each once, with the animals it is for."""
    owed: dict[UUID, OrderOwed] = {}
    for animal in animals:
        for order in (kept.order for kept in animal.licenses if kept.order):
            if order.is_owed_by(person_id):
                before = owed.get(order.id, OrderOwed(order, ()))
                owed[order.id] = OrderOwed(order, tuple(dict.fromkeys((*before.names, animal.name))))
    return list(owed.values())


def _joined(animals: Sequence[Row[Any]], licenses: Sequence[Row[Any]]) -> list[AnimalKept]:
    """The rows of the two queries put together: an animal has a row a certificate, a license a row an order."""
    kept_by: dict[UUID, list[LicenseKept]] = {}
    for _, same in groupby(licenses, key=itemgetter(_LICENSE.at)):
        newest = next(same)
        kept = replace(
            _LICENSE.of(newest),
            tag=_TAG.of(newest),
            order=_ORDER.of(newest),
            new_tag_order_id=newest.new_tag_order_id,
        )
        kept_by.setdefault(newest.animal_id, []).append(kept)
    found = []
    for animal_id, same in groupby(animals, key=itemgetter(_ANIMAL.at)):
        first, *others = same
        certificates = (_CERTIFICATE.of(row) for row in (first, *others))
        found.append(
            replace(
                _ANIMAL.of(first),
                certificates=tuple(kept for kept in certificates if kept),
                licenses=tuple(kept_by.get(animal_id, ())),
                show_by=first.show_by,
                impounded_on=first.impounded_on,
                is_designated=first.is_designated,
                mail_to=first.mailing_address or " ".join(filter(None, (first.line1, first.unit))) or WHERE_IT_LIVES,
            )
        )
    return found
