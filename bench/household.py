"""One household that uses the portal, registered by the services; and many more, copied from it as sets of rows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID, uuid4

from sqlalchemy import Table, create_engine, func, select, text
from sqlalchemy.orm import Session

from portal.city import load_city
from portal.composition import city_file
from portal.demo import add_sample_data
from portal.demo.households import SampleDog, SampleHousehold
from portal.gateways.clock import SystemClock
from portal.ordinance.licensing import Situation
from portal.schema.accounts import Account, SignIn
from portal.schema.animals import Animal, Keeper, Sex
from portal.schema.drafts import Draft
from portal.schema.licenses import License, Tag
from portal.schema.orders import Order, OrderLine, Payment
from portal.schema.people import Person, Premises
from portal.schema.vaccinations import Vaccination
from portal.services.draft_answers import AnimalAnswers, Registration, from_json
from portal.services.registering.keep_draft import keep, open_draft
from portal.services.secrets import new_token, token_hash
from portal.settings import Settings

DOGS = (
    SampleDog(name="Pepper", breed="Labrador", color="black", sex=Sex.FEMALE, age_months=50, vaccinated_days_ago=210),
    SampleDog(name="Max", breed="beagle", color="tricolor", sex=Sex.MALE, age_months=80, vaccinated_days_ago=400),
    SampleDog(
        name="Luna",
        breed="husky",
        color="gray and white",
        sex=Sex.FEMALE,
        age_months=20,
        vaccinated_days_ago=12,
        is_certificate_waiting=True,
    ),
)
SAMPLE = SampleHousehold(
    name="Pat Larson", email="pat@example.com", phone="(320) 555-0142", line1="1200 Atlantic Avenue", dogs=DOGS
)

COPIED = (
    *(Premises, Person, Account, SignIn, Draft),
    *(Animal, Keeper, Vaccination, License, Tag, Order, OrderLine, Payment),
)
NUMBERED = {License.__table__.c.number, Tag.__table__.c.number}
# With one for all, each would be shown the letters of all.
MAILBOXES = {Account.__table__.c.email, Account.__table__.c.email_key, Person.__table__.c.email}


@dataclass(frozen=True)
class Household:
    """What is needed to come back as its person."""

    token: str
    draft_animal_id: UUID
    animal_id: UUID
    proof_code: str


def move_in(settings: Settings, database_url: str) -> Household:
    """Register, pay and decide for one household of three dogs, and let its person begin with a fourth."""
    add_sample_data(settings, database_url, households=(SAMPLE,))
    city = load_city(city_file(settings.city))
    clock, token = SystemClock(city.time_zone), new_token()
    engine = create_engine(database_url)
    with Session(engine) as session, session.begin():
        account = session.scalars(select(Account)).one()
        ends = clock.now() + timedelta(days=1)
        session.add(SignIn(account_id=account.id, token_hash=token_hash(token), expires_at=ends))
        fourth = AnimalAnswers(
            id=uuid4(),
            situation=Situation.RESIDENT_DOG,
            age_months=9,
            age_estimated_on=clock.today(),
            name="Biscuit",
            breed="golden retriever",
            color="gold",
            sex=Sex.FEMALE,
            is_altered=True,
        )
        begun = _answered_before(session, account)
        keep(session, open_draft(session, account_id=account.id), replace(begun, animals=(fourth,)), clock=clock)
        issued = select(License.animal_id, License.proof_code).where(License.number.is_not(None)).limit(1)
        animal_id, proof_code = session.execute(issued).one().tuple()
    engine.dispose()
    return Household(token, fourth.id, animal_id, proof_code)


def _answered_before(session: Session, account: Account) -> Registration:
    sent = select(Draft.answers).where(Draft.account_id == account.id, Draft.submitted_at.is_not(None))
    earlier: Registration = from_json(session.scalars(sent).one())
    return replace(earlier, is_animal_list_whole=False)


def add_neighbors(database_url: str, count: int) -> None:
    """Copy the one household as often as asked: every table in one statement, keys derived from the first ones."""
    engine = create_engine(database_url)
    with engine.begin() as connection:
        for table in (model.__table__ for model in COPIED):
            columns = dict(_copied(table))
            into = f"INSERT INTO {table.fullname} ({', '.join(columns)})"
            source = f"FROM {table.fullname} AS first, generate_series(1, :count) AS n"
            connection.execute(text(f"{into} SELECT {', '.join(columns.values())} {source}"), {"count": count})
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM (ANALYZE)"))
    engine.dispose()


def _copied(table: Table) -> Iterator[tuple[str, str]]:
    """Each column, and the expression that copies it: what has to differ does, everything else is the same."""
    ours = {model.__table__ for model in COPIED}
    for column in table.columns:
        name = f"first.{column.name}"
        if column.primary_key or any(key.column.table in ours for key in column.foreign_keys):
            yield column.name, f"md5({name}::text || '-' || n)::uuid"
        elif column in MAILBOXES:
            yield column.name, f"'n' || n || '.' || {name}"
        elif column.unique:
            yield column.name, f"{name} || '-' || n"
        elif column in NUMBERED:
            yield column.name, f"{name} + n * {len(DOGS)}"
        else:
            yield column.name, name


def dogs_in(database_url: str) -> int:
    """How many animals there are."""
    engine = create_engine(database_url)
    with engine.connect() as connection:
        found = connection.scalar(select(func.count()).select_from(Animal))
    engine.dispose()
    return int(found or 0)
