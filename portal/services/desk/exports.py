"""What the desk takes away as files: licenses, animals, fees, and the records of the pound (90.04(B)(7), 90.07(E)).

Rows are read in batches along the key, so a file of a million of them needs no more memory than one of ten thousand.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import Select, and_, func, select, true
from sqlalchemy.orm import Session

from portal.city import City
from portal.schema.animals import Animal, Keeper
from portal.schema.impoundments import Impoundment
from portal.schema.licenses import License
from portal.schema.orders import Order, OrderLine, Payment
from portal.schema.people import Person, Premises
from portal.schema.staff import StaffRole
from portal.services.record_event import record_event_about
from portal.services.staff.sign_in import StaffMember

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
ANIMAL_COLUMNS = (
    *(Animal.name, Animal.species, Animal.breed, Animal.color, Animal.sex),
    *(Animal.is_altered, Animal.born_on, Animal.microchip),
)
STAY_COLUMNS = (
    *(Impoundment.seized_on, Impoundment.place, Impoundment.species, Impoundment.breed, Impoundment.sex),
    *(Impoundment.age_text, Impoundment.color, Impoundment.size, Impoundment.marks, Impoundment.microchip),
    *(Impoundment.tag_text, Impoundment.basis, Impoundment.owner_told_on, Impoundment.owner_told_how),
    *(Impoundment.left_on, Impoundment.outcome),
)
# Where it stands among the columns of a license.
ISSUED_AT = 7
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
    owners = _owners()
    wanted = (
        select(
            *(License.year, License.number, License.state, License.valid_from, License.valid_until),
            *(License.basis, License.waiver_state, License.issued_at, *ANIMAL_COLUMNS, *_where(owners)),
        )
        .join(Animal, Animal.id == License.animal_id)
        .join(Premises, Premises.id == Animal.premises_id)
        .join(owners, true())
        .where(License.year == year)
    )
    for row in _in_batches(session, wanted, License.id):
        yield (*row[:ISSUED_AT], _local(row[ISSUED_AT], city), *row[ISSUED_AT + 1 :])


def _animals(session: Session, year: int, city: City) -> Rows:
    """Every animal that was registered by the end of the year, whatever became of it."""
    _, ends = within(year, city)
    owners = _owners()
    wanted = (
        select(*ANIMAL_COLUMNS, Animal.state, *_where(owners))
        .join(Premises, Premises.id == Animal.premises_id)
        .join(owners, true())
        .where(Animal.created_at < ends)
    )
    yield from _in_batches(session, wanted, Animal.id)


def _fees(session: Session, year: int, city: City) -> Rows:
    """One row for each fee that was paid in the year; their sum is what was received."""
    begins, ends = within(year, city)
    wanted = (
        select(
            *(Payment.receipt_number, Payment.paid_at, Payment.method, Payment.state, Person.name, OrderLine.kind),
            *(OrderLine.description, OrderLine.amount_cents, OrderLine.resolution, OrderLine.ledger_code),
            *(Order.total_cents, Payment.refunded_cents, Payment.taken_by),
        )
        .select_from(OrderLine)
        .join(Order, Order.id == OrderLine.order_id)
        .join(Payment, and_(Payment.order_id == Order.id, Payment.receipt_number.is_not(None)))
        .join(Person, Person.id == Order.person_id)
        .where(Payment.paid_at >= begins, Payment.paid_at < ends)
    )
    for row in _in_batches(session, wanted, OrderLine.id):
        number, paid_at, *about, cents, resolution, account, total_cents, refunded_cents, taken_by = row
        paid = (number, _local(paid_at, city), *about)
        yield (*paid, dollars(cents), resolution, account, dollars(total_cents), dollars(refunded_cents), taken_by)


def _impoundments(session: Session, year: int, city: City) -> Rows:
    """90.07(E): description, place and date of the seizure. Whom an animal came from is not among them (346.47)."""
    of_year = and_(Impoundment.seized_on >= date(year, 1, 1), Impoundment.seized_on < date(year + 1, 1, 1))
    yield from _in_batches(session, select(*STAY_COLUMNS).where(of_year), Impoundment.id)


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
        for row in found:
            yield tuple(row)[:-1]
        after = found[-1][-1] if found else None
        if len(found) < BATCH:
            return


def _owners() -> Any:
    """Names, phones and mailboxes of those who keep the animal now; one row, empty where nobody does."""
    return (
        select(
            func.aggregate_strings(Person.name, "; ").label("names"),
            func.aggregate_strings(Person.phone, "; ").label("phones"),
            func.aggregate_strings(Person.email, "; ").label("emails"),
            func.aggregate_strings(Person.mailing_address, "; ").label("mailing"),
        )
        .join(Keeper, Keeper.person_id == Person.id)
        .where(Keeper.animal_id == Animal.id, Keeper.until.is_(None))
        .correlate(Animal)
        .lateral("owners")
    )


def _where(owners: Any) -> tuple[Any, ...]:
    said, home = owners.c, Premises
    where = (home.line1, home.unit, home.city, home.state, home.postal_code)
    return said.names, said.phones, said.emails, *where, said.mailing


def _local(moment: datetime | None, city: City) -> datetime | None:
    return moment.astimezone(city.time_zone) if moment else None
