"""A dog, a person and an address as the desk looks at them: the facts, and all that happened, as far as the role may.

A clerk sees licenses, certificates, tags and payments; an officer sees demands, stays at the pound and designations
besides. Reports are never among them: they are asked for apart, with a reason (`readings.py`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from portal.schema.accounts import Account
from portal.schema.animals import Animal, Keeper
from portal.schema.clinics import CertificateDemand
from portal.schema.dangerous import DangerousDesignation
from portal.schema.departures import Departure
from portal.schema.impoundments import Impoundment
from portal.schema.licenses import License, Tag
from portal.schema.orders import Order, OrderLine, Payment
from portal.schema.people import HouseholdStatement, Person, Premises
from portal.schema.vaccinations import Vaccination
from portal.services.desk.history import Entry, history_of
from portal.services.refusal import NotTheirs

MOST = 100


@dataclass(frozen=True)
class Keeping:
    """Somebody keeps an animal, or did."""

    keeper: Keeper
    person: Person


@dataclass(frozen=True)
class Kept:
    """An animal that somebody keeps, or did."""

    keeper: Keeper
    animal: Animal


@dataclass(frozen=True)
class Licensed:
    """A license with its tags, the newest first, and the order it was charged in."""

    license: License
    tags: tuple[Tag, ...]
    order: Order | None


@dataclass(frozen=True)
class OrderRecord:
    """What somebody owed, what for, and every attempt to pay it, the newest first."""

    order: Order
    lines: tuple[OrderLine, ...]
    payments: tuple[Payment, ...]


@dataclass(frozen=True)
class DogRecord:
    """One animal with everything about it."""

    animal: Animal
    home: Premises
    keepings: tuple[Keeping, ...]
    licenses: tuple[Licensed, ...]
    certificates: tuple[Vaccination, ...]
    departures: tuple[Departure, ...]
    demands: tuple[CertificateDemand, ...]
    stays: tuple[Impoundment, ...]
    designations: tuple[DangerousDesignation, ...]
    history: tuple[Entry, ...]

    @property
    def keepers(self) -> tuple[Person, ...]:
        """Whoever keeps it now."""
        return tuple(one.person for one in self.keepings if one.keeper.until is None)

    @property
    def only_keeper(self) -> Person | None:
        """Whoever keeps it now, where there is one alone."""
        keepers = self.keepers
        return keepers[0] if len(keepers) == 1 else None

    @property
    def gone(self) -> Departure | None:
        """What was told of it and not taken back."""
        return next((one for one in self.departures if one.undone_at is None), None)

    @property
    def stay(self) -> Impoundment | None:
        """Where it is at the pound now."""
        return next((one for one in self.stays if one.left_on is None), None)


@dataclass(frozen=True)
class PersonRecord:
    """One person with everything about them."""

    person: Person
    account: str | None
    """The mailbox they sign in with; None for whoever was entered at the counter."""
    account_id: UUID | None
    home: Premises | None
    kept: tuple[Kept, ...]
    orders: tuple[OrderRecord, ...]
    statements: tuple[HouseholdStatement, ...]
    history: tuple[Entry, ...]


@dataclass(frozen=True)
class PlaceRecord:
    """One address: who lives there, and which animals are kept there or were."""

    home: Premises
    people: tuple[Person, ...]
    animals: tuple[Animal, ...]
    statements: tuple[HouseholdStatement, ...]
    history: tuple[Entry, ...]


def dog_record(session: Session, animal_id: UUID, *, for_officer: bool) -> DogRecord:
    """One animal, whoever keeps it; raises NotTheirs."""
    found = session.execute(
        select(Animal, Premises).join(Premises, Premises.id == Animal.premises_id).where(Animal.id == animal_id)
    ).first()
    if found is None:
        raise NotTheirs("There is no such animal")
    animal, home = found
    licenses = tuple(_licenses(session, animal.id))
    certificates = _newest(session, Vaccination, Vaccination.animal_id == animal.id)
    departures = _newest(session, Departure, Departure.animal_id == animal.id)
    demands: tuple[CertificateDemand, ...] = ()
    stays: tuple[Impoundment, ...] = ()
    designations: tuple[DangerousDesignation, ...] = ()
    if for_officer:
        demands = _newest(session, CertificateDemand, CertificateDemand.animal_id == animal.id)
        stays = _newest(session, Impoundment, Impoundment.animal_id == animal.id)
        designations = _newest(session, DangerousDesignation, DangerousDesignation.animal_id == animal.id)
    rows = {
        "animal": [animal.id],
        "license": [one.license.id for one in licenses],
        "tag": [tag.id for one in licenses for tag in one.tags],
        "vaccination": _ids(certificates),
        "departure": _ids(departures),
        "fee_order": [one.order.id for one in licenses if one.order],
        "certificate_demand": _ids(demands),
        "impoundment": _ids(stays),
        "dangerous_designation": _ids(designations),
    }
    return DogRecord(
        animal=animal,
        home=home,
        keepings=tuple(_keepings(session, animal.id)),
        licenses=licenses,
        certificates=certificates,
        departures=departures,
        demands=demands,
        stays=stays,
        designations=designations,
        history=history_of(session, rows, for_officer=for_officer),
    )


def person_record(session: Session, person_id: UUID, *, for_officer: bool) -> PersonRecord:
    """One person; raises NotTheirs."""
    found = session.execute(
        select(Person, Premises, Account.email, Account.id)
        .outerjoin(Premises, Premises.id == Person.home_premises_id)
        .outerjoin(Account, Account.person_id == Person.id)
        .where(Person.id == person_id)
    ).first()
    if found is None:
        raise NotTheirs("There is no such person")
    person, home, account, account_id = found
    kept = (
        select(Keeper, Animal)
        .join(Animal, Animal.id == Keeper.animal_id)
        .where(Keeper.person_id == person.id)
        .order_by(Keeper.until.is_not(None), Keeper.since.desc(), Animal.name)
        .limit(MOST)
    )
    joined = session.scalars(select(Person.id).where(Person.joined_to_id == person.id))
    orders, animals = tuple(_orders(session, person.id)), tuple(Kept(*row) for row in session.execute(kept))
    rows = {
        "person": [person.id, *joined],
        "animal": [one.animal.id for one in animals],
        "fee_order": [one.order.id for one in orders],
        "payment": [payment.id for one in orders for payment in one.payments],
    }
    return PersonRecord(
        person=person,
        account=account,
        account_id=account_id,
        home=home,
        kept=animals,
        orders=orders,
        statements=_newest(session, HouseholdStatement, HouseholdStatement.person_id == person.id),
        history=history_of(session, rows, for_officer=for_officer),
    )


def place_record(session: Session, premises_id: UUID, *, for_officer: bool) -> PlaceRecord:
    """One address; raises NotTheirs."""
    home = session.get(Premises, premises_id)
    if home is None:
        raise NotTheirs("There is no such address")
    lives_here = (Person.home_premises_id == home.id, Person.joined_to_id.is_(None))
    people = select(Person).where(*lives_here).order_by(Person.name, Person.id).limit(MOST)
    animals = (
        select(Animal).where(Animal.premises_id == home.id).order_by(Animal.state != "kept", Animal.name).limit(MOST)
    )
    kept_here = tuple(session.scalars(animals))
    return PlaceRecord(
        home=home,
        people=tuple(session.scalars(people)),
        animals=kept_here,
        statements=_newest(session, HouseholdStatement, HouseholdStatement.premises_id == home.id),
        history=history_of(session, {"premises": [home.id], "animal": _ids(kept_here)}, for_officer=for_officer),
    )


def _keepings(session: Session, animal_id: UUID) -> Iterable[Keeping]:
    wanted = (
        select(Keeper, Person)
        .join(Person, Person.id == Keeper.person_id)
        .where(Keeper.animal_id == animal_id)
        .order_by(Keeper.until.is_not(None), Keeper.since, Keeper.id)
        .limit(MOST)
    )
    return (Keeping(*row) for row in session.execute(wanted))


def _licenses(session: Session, animal_id: UUID) -> Iterable[Licensed]:
    wanted = (
        select(License, Tag, Order)
        .outerjoin(Tag, Tag.license_id == License.id)
        .outerjoin(OrderLine, OrderLine.license_id == License.id)
        .outerjoin(Order, Order.id == OrderLine.order_id)
        .where(License.animal_id == animal_id)
        .order_by(License.year.desc(), License.created_at.desc(), Tag.issue.desc(), Order.created_at.desc())
        .limit(MOST)
    )
    found: dict[UUID, tuple[License, dict[UUID, Tag], Order | None]] = {}
    for license_, tag, order in session.execute(wanted):
        _, tags, _ = found.setdefault(license_.id, (license_, {}, order))
        if tag:
            tags[tag.id] = tag
    return (Licensed(license_, tuple(tags.values()), order) for license_, tags, order in found.values())


def _orders(session: Session, person_id: UUID) -> Iterable[OrderRecord]:
    orders = _newest(session, Order, Order.person_id == person_id)
    lines = select(OrderLine).where(OrderLine.order_id.in_(_ids(orders))).order_by(OrderLine.description, OrderLine.id)
    payments = select(Payment).where(Payment.order_id.in_(_ids(orders))).order_by(Payment.created_at.desc())
    lines_of: dict[UUID, list[OrderLine]] = {}
    payments_of: dict[UUID, list[Payment]] = {}
    for line in session.scalars(lines) if orders else ():
        lines_of.setdefault(line.order_id, []).append(line)
    for payment in session.scalars(payments) if orders else ():
        payments_of.setdefault(payment.order_id, []).append(payment)
    return (
        OrderRecord(order, tuple(lines_of.get(order.id, ())), tuple(payments_of.get(order.id, ()))) for order in orders
    )


def _newest(session: Session, model: Any, is_wanted: ColumnElement[bool]) -> tuple[Any, ...]:
    wanted = select(model).where(is_wanted).order_by(model.created_at.desc(), model.id).limit(MOST)
    return tuple(session.scalars(wanted))


def _ids(rows: Iterable[Any]) -> list[UUID]:
    return [row.id for row in rows]
