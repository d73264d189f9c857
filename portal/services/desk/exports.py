"""What the desk takes away as files: licenses, animals, fees, and the records of the pound (90.04(B)(7), 90.07(E)).

Rows are read in batches along the key, so a file of a million of them needs no more memory than one of ten.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.schema.animals import Animal, Keeper
from portal.schema.impoundments import Impoundment
from portal.schema.licenses import License
from portal.schema.orders import Order, OrderLine, Payment
from portal.schema.people import Person, Premises
from portal.schema.staff import StaffRole
from portal.services.record_event import record_event_about
from portal.services.staff_sign_in import StaffMember

BATCH = 5_000
Rows = Iterator[Sequence[object]]
OWNER_HEADS = (
    "owners",
    "phones",
    "e-mail addresses",
    "address",
    "unit",
    "city",
    "state",
    "ZIP code",
    "mailing address",
)
ANIMAL_HEADS = ("name", "species", "breed", "color", "sex", "altered", "born on", "microchip")


@dataclass(frozen=True)
class Export:
    """A file that can be asked for: its heads, and its rows for a year."""

    name: str
    heading: str
    role: StaffRole
    heads: tuple[str, ...]
    rows: Callable[[Session, int, City], Rows]


def note_export(session: Session, export: Export, *, year: int, member: StaffMember) -> None:
    """The feed tells who took which file."""
    record_event_about(
        session,
        "desk.exported",
        "staff",
        member.staff_id,
        actor=f"officer:{member.email}",
        file=export.name,
        year=year,
    )


def within(year: int, city: City) -> tuple[datetime, datetime]:
    """When a year begins and ends on the city's clock."""
    begins, ends = (datetime.combine(date(one, 1, 1), time(), city.time_zone) for one in (year, year + 1))
    return begins, ends


def dollars(cents: int) -> Decimal:
    """12.50, exactly"""
    return Decimal(cents) / 100 + Decimal("0.00")


def _licenses(session: Session, year: int, city: City) -> Rows:
    wanted = (
        select(License, Animal, Premises, *_owners())
        .join(Animal, Animal.id == License.animal_id)
        .join(Premises, Premises.id == Animal.premises_id)
        .where(License.year == year)
    )
    for license_, animal, home, *owners in _in_batches(session, wanted, License.id):
        waiver = license_.waiver_state
        issued_at = license_.issued_at.astimezone(city.time_zone) if license_.issued_at else None
        yield (
            *(license_.year, license_.number, license_.state, license_.valid_from, license_.valid_until),
            *(license_.basis, waiver, issued_at, *_looks(animal), *_where(owners, home)),
        )


def _animals(session: Session, year: int, city: City) -> Rows:
    """Every animal that was registered by the end of the year, whatever became of it."""
    _, ends = within(year, city)
    wanted = (
        select(Animal, Premises, *_owners())
        .join(Premises, Premises.id == Animal.premises_id)
        .where(Animal.created_at < ends)
    )
    for animal, home, *owners in _in_batches(session, wanted, Animal.id):
        yield (*_looks(animal), animal.state, *_where(owners, home))


def _fees(session: Session, year: int, city: City) -> Rows:
    """One row for each fee that was paid in the year; their sum is what was received."""
    begins, ends = within(year, city)
    wanted = (
        select(OrderLine, Order, Payment, Person.name)
        .join(Order, Order.id == OrderLine.order_id)
        .join(Payment, and_(Payment.order_id == Order.id, Payment.receipt_number.is_not(None)))
        .join(Person, Person.id == Order.person_id)
        .where(Payment.paid_at >= begins, Payment.paid_at < ends)
    )
    for line, order, payment, payer in _in_batches(session, wanted, OrderLine.id):
        paid_at = payment.paid_at.astimezone(city.time_zone)
        yield (
            *(payment.receipt_number, paid_at, payment.method, payment.state, payer, line.kind, line.description),
            *(dollars(line.amount_cents), line.resolution, line.ledger_code, dollars(order.total_cents)),
            *(dollars(payment.refunded_cents), payment.taken_by),
        )


def _impoundments(session: Session, year: int, city: City) -> Rows:
    """90.07(E): description, place and date of the seizure. Whom an animal came from is not among them (346.47)."""
    of_year = and_(Impoundment.seized_on >= date(year, 1, 1), Impoundment.seized_on < date(year + 1, 1, 1))
    for (stay,) in _in_batches(session, select(Impoundment).where(of_year), Impoundment.id):
        yield (
            *(stay.seized_on, stay.place, stay.species, stay.breed, stay.sex, stay.age_text, stay.color, stay.size),
            *(stay.marks, stay.microchip, stay.tag_text, stay.basis, stay.owner_told_on, stay.owner_told_how),
            *(stay.left_on, stay.outcome),
        )


LICENSES = Export(
    "licenses",
    "Licenses of a license year",
    StaffRole.CLERK,
    (
        *("license year", "number", "state", "valid from", "valid until", "basis", "waiver", "issued at"),
        *ANIMAL_HEADS,
        *OWNER_HEADS,
    ),
    _licenses,
)
ANIMALS = Export("animals", "Animals", StaffRole.CLERK, (*ANIMAL_HEADS, "what became of it", *OWNER_HEADS), _animals)
FEES = Export(
    "fees",
    "Fees paid in a year",
    StaffRole.CLERK,
    (
        *("receipt", "paid at", "how", "state", "payer", "fee", "for", "amount", "resolution", "account"),
        *("whole receipt", "given back of it", "taken by"),
    ),
    _fees,
)
IMPOUNDMENTS = Export(
    "impound-records",
    "Impound records of a year",
    StaffRole.OFFICER,
    (
        *("seized on", "seized at", "species", "breed", "sex", "approximate age", "color", "size", "marks"),
        *("microchip", "tag", "why", "owner told on", "owner told how", "left on", "outcome"),
    ),
    _impoundments,
)
EXPORTS = (LICENSES, ANIMALS, FEES, IMPOUNDMENTS)


def _in_batches(session: Session, wanted: Select[*tuple[Any, ...]], key: Any) -> Iterator[tuple[Any, ...]]:
    after: UUID | None = None
    while True:
        batch = wanted.add_columns(key).order_by(key).limit(BATCH)
        found = session.execute(batch if after is None else batch.where(key > after)).all()
        for *values, _ in found:
            yield tuple(values)
        session.expunge_all()
        after = found[-1][-1] if found else None
        if len(found) < BATCH:
            return


def _owners() -> Iterator[ColumnElement[str]]:
    """Names, phones and mailboxes of those who keep the animal now, the longest first."""
    now = and_(Keeper.animal_id == Animal.id, Keeper.until.is_(None), Keeper.person_id == Person.id)
    for column in (Person.name, Person.phone, Person.email, Person.mailing_address):
        listed = func.aggregate_strings(column, "; ")
        yield select(listed).where(now).correlate(Animal).scalar_subquery()


def _looks(animal: Animal) -> tuple[object, ...]:
    about = (animal.name, animal.species, animal.breed, animal.color, animal.sex)
    return (*about, animal.is_altered, animal.born_on, animal.microchip)


def _where(owners: Sequence[str | None], home: Premises) -> tuple[object, ...]:
    names, phones, emails, mailing = owners
    return names, phones, emails, home.line1, home.unit, home.city, home.state, home.postal_code, mailing
