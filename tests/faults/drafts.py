"""Registrations in progress, as their keeper left them."""

from dataclasses import replace
from datetime import date
from uuid import UUID, uuid4

from sqlalchemy import Engine

from portal.gateways.clock import Clock
from portal.ordinance.license_years import years_open
from portal.ordinance.licensing import Situation
from portal.schema.accounts import Account
from portal.schema.animals import Sex
from portal.schema.people import PersonKind, PremisesKind
from portal.services.draft_answers import (
    AnimalAnswers,
    CertificateAnswers,
    HomeAnswers,
    OtherDogsAnswers,
    OwnerAnswers,
    Registration,
)
from portal.services.registering.keep_draft import keep, open_draft
from tests.faults.place import CITY
from tests.support.owing import committed

OWNER = OwnerAnswers(kind=PersonKind.PERSON, name="Mai-Lee O’Brien", phone="(320) 555-0100")
HOME = HomeAnswers(
    kind=PremisesKind.STREET, line1="123½ Main St", unit=None, city="Benson", state="MN", postal_code="56215"
)


def answered_draft(engine: Engine, *, clock: Clock, certificate: CertificateAnswers) -> tuple[UUID, str, UUID]:
    """Somebody has answered everything but the certificate; their account, their mailbox, their dog."""
    email = f"{uuid4().hex}@example.com"
    dog = _dog(clock.today())
    with committed(engine) as session:
        account = Account(email=email, email_key=email)
        session.add(account)
        session.flush()
        answered = Registration(
            owner=OWNER,
            home=replace(HOME, unit=f"Apt {email[:8]}"),
            animals=(replace(dog, certificate=certificate),),
            is_animal_list_whole=True,
            others=OtherDogsAnswers(count=0),
        )
        keep(session, open_draft(session, account_id=account.id), answered, clock=clock)
        return account.id, email, dog.id


def _dog(today: date) -> AnimalAnswers:
    year, *_ = years_open(today, CITY.license.year_start, renewal_window_days=CITY.license.renewal_window_days)
    return AnimalAnswers(
        id=uuid4(),
        situation=Situation.RESIDENT_DOG,
        born_on=today.replace(year=today.year - 2, day=1),
        name="Pepper",
        breed="Labrador",
        color="black",
        sex=Sex.FEMALE,
        is_altered=True,
        license_year=year.number,
        photo_is_asked=True,
    )
