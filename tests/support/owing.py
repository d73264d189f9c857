"""People who owe the city for licenses: rows as an application leaves them, without the questions before it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from uuid import UUID, uuid4

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from portal.city import load_city
from portal.composition import city_file
from portal.gateways.clock import Clock
from portal.ordinance.certificates import Dose, Evidence, VaccineType
from portal.schema.accounts import Account
from portal.schema.animals import Animal, Keeper, KeeperRole, Sex, Species
from portal.schema.licenses import Delivery, License, LicenseBasis, LicenseState
from portal.schema.orders import LineKind, Order, Payment
from portal.schema.outbox import OutgoingMessage
from portal.schema.people import Person, PersonKind, Premises, PremisesKind
from portal.schema.vaccinations import CertificateSource, CertificateState, Vaccination
from portal.services.certificates.decide_certificate import accept_certificate
from portal.services.orders.open_order import Charge, open_order
from portal.services.payments.pay_at_counter import take_counter_payment
from portal.services.secrets import spoken_code

CITY = load_city(city_file("benson"))
OFFICER = "officer@benson.example"
RESOLUTION = "Resolution 2026-14"


@dataclass(frozen=True)
class Owed:
    """What one person owes, by its keys."""

    person_id: UUID
    account_id: UUID
    email: str
    order_id: UUID
    license_ids: tuple[UUID, ...]
    vaccination_ids: tuple[UUID, ...]


@contextmanager
def committed(engine: Engine) -> Iterator[Session]:
    """One transaction, as at the edge of a request."""
    with Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


def owe(
    engine: Engine,
    *names: str,
    clock: Clock,
    cents: int = 1000,
    year: int = 2027,
    accepted: bool = False,
    with_certificate: bool = True,
) -> Owed:
    """Someone applied for a license for each dog named (Pepper alone when none is), with its certificate sent in."""
    with committed(engine) as session:
        person, account = _person(session)
        dogs = [_dog(session, name, person, clock=clock) for name in names or ("Pepper",)]
        licenses = [_license(session, dog, year=year) for dog in dogs]
        vaccinations = [_vaccination(session, dog, on=clock.today()) for dog in dogs] if with_certificate else []
        charges = [
            Charge(LineKind.LICENSE, f"Dog license {year}: {dog.name}", cents, RESOLUTION, license_.id)
            for dog, license_ in zip(dogs, licenses, strict=True)
        ]
        order = open_order(session, person=person, charges=charges, actor="test", clock=clock)
        for vaccination in vaccinations if accepted else ():
            accept_certificate(session, vaccination_id=vaccination.id, officer=OFFICER, city=CITY, clock=clock)
        return Owed(
            person.id,
            account.id,
            account.email,
            order.id,
            tuple(license_.id for license_ in licenses),
            tuple(vaccination.id for vaccination in vaccinations),
        )


def accept_all(engine: Engine, owed: Owed, *, clock: Clock) -> None:
    """The officer accepts each certificate."""
    for vaccination_id in owed.vaccination_ids:
        with committed(engine) as session:
            accept_certificate(session, vaccination_id=vaccination_id, officer=OFFICER, city=CITY, clock=clock)


def take_at_counter(engine: Engine, owed: Owed, *, clock: Clock) -> None:
    """Staff take the whole amount."""
    with committed(engine) as session:
        reference = session.get_one(Order, owed.order_id).reference
        take_counter_payment(session, reference=reference, officer="desk@benson.example", clock=clock)


def order_state(engine: Engine, order_id: UUID) -> str:
    with Session(engine) as session:
        return session.get_one(Order, order_id).state.value


def payment_states(engine: Engine, order_id: UUID) -> list[str]:
    """The states of an order's payments, oldest first."""
    with Session(engine) as session:
        payments = select(Payment.state).where(Payment.order_id == order_id).order_by(Payment.created_at)
        return [state.value for state in session.scalars(payments)]


def license_numbers(engine: Engine, owed: Owed) -> list[int | None]:
    """The numbers of the licenses that are issued; None for each that is not."""
    with Session(engine) as session:
        licenses = [session.get_one(License, license_id) for license_id in owed.license_ids]
        return [license_.number if license_.state is LicenseState.ISSUED else None for license_ in licenses]


def letters(engine: Engine, owed: Owed, template: str) -> int:
    """How many letters of a kind were written to the person."""
    with Session(engine) as session:
        written = select(func.count()).where(
            OutgoingMessage.recipient == owed.email, OutgoingMessage.template == template
        )
        return session.scalars(written).one()


def _person(session: Session) -> tuple[Person, Account]:
    home = Premises(kind=PremisesKind.STREET, line1="1310 Idaho Ave", city="Benson", state="MN", postal_code="56215")
    session.add(home)
    session.flush()
    person = Person(kind=PersonKind.PERSON, name="Nguyễn O’Brien", phone="(320) 555-0100", home_premises_id=home.id)
    session.add(person)
    session.flush()
    email = f"{uuid4().hex}@example.com"
    account = Account(email=email, email_key=email, person_id=person.id)
    session.add(account)
    session.flush()
    return person, account


def _dog(session: Session, name: str, person: Person, *, clock: Clock) -> Animal:
    dog = Animal(
        species=Species.DOG,
        name=name,
        breed="Labrador",
        color="black",
        sex=Sex.FEMALE,
        premises_id=person.home_premises_id,
    )
    session.add(dog)
    session.flush()
    session.add(Keeper(animal_id=dog.id, person_id=person.id, role=KeeperRole.OWNER, since=clock.now()))
    session.flush()
    return dog


def _license(session: Session, dog: Animal, *, year: int) -> License:
    license_ = License(
        animal_id=dog.id,
        year=year,
        valid_from=date(year, 1, 1),
        valid_until=date(year, 12, 31),
        basis=LicenseBasis.FEE,
        delivery=Delivery.MAIL,
        proof_code=spoken_code(16),
    )
    session.add(license_)
    session.flush()
    return license_


def _vaccination(session: Session, dog: Animal, *, on: date) -> Vaccination:
    """Given last June; the clock may be the machine's."""
    given_on = date(on.year if on.month > 6 else on.year - 1, 6, 12)
    due_on = given_on.replace(year=given_on.year + 3)
    vaccination = Vaccination(
        animal_id=dog.id,
        source=CertificateSource.OWNER,
        evidence=Evidence.CERTIFICATE,
        given_on=given_on,
        certificate_due_on=due_on,
        ordinance_until=due_on,
        dose=Dose.BOOSTER,
        vaccine_type=VaccineType.INACTIVATED,
        needs_review=False,
        state=CertificateState.SUBMITTED,
    )
    session.add(vaccination)
    session.flush()
    return vaccination
