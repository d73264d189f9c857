"""Look at what a resident keeps, and where each license, certificate and tag stands.

Two queries however many animals there are, each with the person in it: anyone else's animals do not exist for them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, bindparam, exists, func, literal_column, select
from sqlalchemy.orm import Bundle, Session, aliased

from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.licenses import License, LicenseState, Tag, TagState
from portal.schema.orders import LineKind, Order, OrderLine, OrderState, Payment, PaymentState
from portal.schema.people import Person, Premises
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.dogs_kept import AnimalKept, CertificateKept, LicenseKept, OrderKept, TagMade
from portal.services.orders import UNSETTLED
from portal.services.refusal import NotTheirs


@dataclass(frozen=True)
class OrderOwed:
    """An order that waits for the person's money, and the animals it is for."""

    order: OrderKept
    names: tuple[str, ...]


class As(Bundle[Any]):
    """Columns that are read into a value, in the order of its fields; None where an outer join found no row."""

    def __init__(self, value: type[Any], *columns: Any) -> None:
        super().__init__(value.__name__, *columns)
        self.value = value

    def create_row_processor(
        self, query: Any, procs: Sequence[Callable[[Row[Any]], Any]], labels: Sequence[str]
    ) -> Callable[[Row[Any]], Any]:
        """Make the value of one row."""

        def read(row: Row[Any]) -> Any:
            first, *others = procs
            key = first(row)
            return None if key is None else self.value(key, *(column(row) for column in others))

        return read


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
)
_TAG = As(TagMade, Tag.state, Tag.delivery, Tag.issue, Tag.sent_at, Tag.created_at)
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
    exists().where(_Other.order_id == Order.id, _Other.state == PaymentState.MISMATCH).label("is_in_question"),
)

ANIMALS = (
    select(_ANIMAL, _CERTIFICATE, Person.mailing_address, Premises.line1, Premises.unit)
    .join(Keeper, Keeper.animal_id == Animal.id)
    .join(Person, Person.id == Keeper.person_id)
    .join(Premises, Premises.id == Animal.premises_id)
    .outerjoin(Vaccination, and_(Vaccination.animal_id == Animal.id, Vaccination.state != CertificateState.REPLACED))
    .where(_MINE)
    .order_by(func.lower(Animal.name), Animal.id, Vaccination.created_at.desc(), Vaccination.id)
)
LICENSES = (
    select(License.animal_id, _LICENSE, _TAG, _ORDER)
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
    rows = session.execute(ANIMALS, who).all()
    return _joined(rows, session.execute(LICENSES, who).all() if rows else [])


def animal_of(session: Session, *, person_id: UUID | None, animal_id: UUID) -> AnimalKept:
    """One animal the person keeps; raises NotTheirs."""
    who = {"person_id": person_id, "animal_id": animal_id}
    rows = session.execute(ONE_ANIMAL, who).all()
    if not rows:
        raise NotTheirs("No such animal")
    return _joined(rows, session.execute(ITS_LICENSES, who).all())[0]


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
    for _, same in groupby(licenses, key=lambda row: row.LicenseKept.id):
        newest = next(same)
        kept = replace(newest.LicenseKept, tag=newest.TagMade, order=newest.OrderKept)
        kept_by.setdefault(newest.animal_id, []).append(kept)
    found = []
    for animal, same in groupby(animals, key=attrgetter("AnimalKept")):
        rows = list(same)
        found.append(
            replace(
                animal,
                certificates=tuple(row.CertificateKept for row in rows if row.CertificateKept),
                licenses=tuple(kept_by.get(animal.id, ())),
                mail_to=rows[0].mailing_address or " ".join(filter(None, (rows[0].line1, rows[0].unit))),
            )
        )
    return found
