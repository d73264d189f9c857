"""Filling an empty portal: each household signs up, sends its certificates and applies; an officer does the rest."""

from collections.abc import Sequence
from contextlib import ExitStack
from datetime import date, timedelta
from io import BytesIO
from uuid import UUID, uuid4

from sqlalchemy import exists, select, update
from sqlalchemy.orm import Session

from portal.composition import Gateways, compose
from portal.demo.households import HOUSEHOLDS, SampleDog, SampleHousehold
from portal.demo.notices import add_sample_notices
from portal.demo.paper import certificate_pdf
from portal.gateways.clock import Clock
from portal.ordinance.certificates import Dose, VaccineType
from portal.ordinance.dangerous import Designated
from portal.ordinance.days import add_months
from portal.ordinance.license_years import license_year_of
from portal.schema.accounts import Account
from portal.schema.animals import Animal, Keeper
from portal.schema.dangerous import NoticeDelivery
from portal.schema.documents import DocumentKind
from portal.schema.licenses import License, WaiverState
from portal.schema.orders import Order, OrderState
from portal.schema.outbox import OutgoingMessage
from portal.schema.people import PersonKind, PremisesKind
from portal.schema.roles import DESK, WEB, WORKER
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.certificates.decide_certificate import accept_certificate
from portal.services.dangerous.designate_dog import NoticeGiven, designate_dog
from portal.services.draft_answers import (
    AnimalAnswers,
    CertificateAnswers,
    HomeAnswers,
    OtherDogsAnswers,
    OwnerAnswers,
    Registration,
)
from portal.services.files.accept_upload import StoredUpload, note_upload, store_upload
from portal.services.licensing.decide_waiver import confirm_waiver
from portal.services.payments.pay_at_counter import take_counter_payment
from portal.services.registering.apply_for_licenses import apply_for_licenses
from portal.services.registering.keep_draft import keep, open_draft
from portal.services.signing_in.sign_in import email_key
from portal.settings import Settings

OFFICER = "sample.officer@example.com"
EMAILS = [household.email for household in HOUSEHOLDS]
LASTS_MONTHS = 36
DESIGNATED_DAYS_AGO = 5


class NotLocal(Exception):
    """Invented people have no place in a portal that others can reach."""


def add_sample_data(
    settings: Settings,
    database_url: str,
    *,
    households: Sequence[SampleHousehold] = HOUSEHOLDS,
    clock: Clock | None = None,
) -> bool:
    """Add the households that are missing; nothing, and False, once somebody real has signed in.

    By the machine's clock, if no other is given.
    """
    if not settings.is_local:
        raise NotLocal("Sample data is only for a local address")
    with ExitStack() as stack:
        web, desk, worker = (
            compose(settings, database_url=database_url, role=role, clock=clock) for role in (WEB, DESK, WORKER)
        )
        for gateways in (web, desk, worker):
            stack.callback(gateways.engine.dispose)
        if _is_in_use(web):
            return False
        for household in households:
            if not _is_there(web, household):
                person_id = _apply(web, household)
                _decide(desk, household, person_id=person_id)
                _designate(desk, household, person_id=person_id)
        add_sample_notices(web)
        _withhold_letters(worker)
    return True


def _is_in_use(gateways: Gateways) -> bool:
    with Session(gateways.engine) as session:
        return bool(session.scalar(select(exists().where(Account.email.not_in(EMAILS)))))


def _is_there(gateways: Gateways, household: SampleHousehold) -> bool:
    with Session(gateways.engine) as session:
        mine = exists().where(Account.email == household.email, Account.person_id.is_not(None))
        return bool(session.scalar(select(mine)))


def _apply(gateways: Gateways, household: SampleHousehold) -> UUID:
    """What the residents do; the person's key."""
    city, clock = gateways.city, gateways.clock
    files = [_store(gateways, household, dog, on=clock.today()) for dog in household.dogs]
    year = license_year_of(clock.today(), city.license.year_start).number
    with Session(gateways.engine) as session, session.begin():
        account = Account(email=household.email, email_key=email_key(household.email))
        session.add(account)
        session.flush()
        animals = tuple(
            _answers(dog, note_upload(session, stored, account_id=account.id).id, year=year, on=clock.today())
            for dog, stored in zip(household.dogs, files, strict=True)
        )
        registration = _registration(household, animals)
        keep(session, open_draft(session, account_id=account.id), registration, clock=clock)
        apply_for_licenses(session, registration, account_id=account.id, submission_key=uuid4(), city=city, clock=clock)
        if account.person_id is None:
            raise ValueError("Registering makes the person")
        return account.person_id


def _decide(gateways: Gateways, household: SampleHousehold, *, person_id: UUID) -> None:
    """What the officer does: take the money, confirm the waivers, accept all certificates but those that wait."""
    clock = gateways.clock
    waiting = [dog.name for dog in household.dogs if dog.is_certificate_waiting]
    kept = select(Keeper.animal_id).where(Keeper.person_id == person_id)
    with Session(gateways.engine) as session, session.begin():
        owed = select(Order.reference).where(Order.person_id == person_id, Order.state == OrderState.OPEN)
        for reference in session.scalars(owed).all():
            take_counter_payment(session, reference=reference, officer=OFFICER, clock=clock)
        claimed = select(License.id).where(License.animal_id.in_(kept), License.waiver_state == WaiverState.CLAIMED)
        for license_id in session.scalars(claimed).all():
            confirm_waiver(session, license_id=license_id, officer=OFFICER, clock=clock)
        sent = (
            select(Vaccination.id)
            .join(Animal, Animal.id == Vaccination.animal_id)
            .where(Animal.id.in_(kept), Animal.name.not_in(waiting), Vaccination.state == CertificateState.SUBMITTED)
        )
        for vaccination_id in session.scalars(sent).all():
            accept_certificate(session, vaccination_id=vaccination_id, officer=OFFICER, city=gateways.city, clock=clock)


def _designate(gateways: Gateways, household: SampleHousehold, *, person_id: UUID) -> None:
    """What animal control does: the notice was handed over the day after it was written."""
    noticed_on = gateways.clock.today() - timedelta(days=DESIGNATED_DAYS_AGO)
    for dog in household.dogs:
        if not dog.dangerous_for:
            continue
        with Session(gateways.engine) as session, session.begin():
            kept = select(Keeper.animal_id).where(Keeper.person_id == person_id)
            given = NoticeGiven(
                kind=Designated.DANGEROUS,
                grounds=dog.dangerous_for,
                dog=f"{dog.name}, a {dog.color} dog",
                noticed_on=noticed_on,
                received_on=noticed_on + timedelta(days=1),
                delivery=NoticeDelivery.HAND,
                animal_id=session.scalars(select(Animal.id).where(Animal.id.in_(kept), Animal.name == dog.name)).one(),
            )
            designate_dog(session, given, officer=OFFICER, city=gateways.city, clock=gateways.clock)


def _withhold_letters(gateways: Gateways) -> None:
    """Nobody reads these mailboxes: their letters count as sent and go nowhere."""
    letters = update(OutgoingMessage).where(OutgoingMessage.recipient.in_(EMAILS), OutgoingMessage.sent_at.is_(None))
    with Session(gateways.engine) as session, session.begin():
        session.execute(letters.values(sent_at=gateways.clock.now()))


def _store(gateways: Gateways, household: SampleHousehold, dog: SampleDog, *, on: date) -> StoredUpload:
    given_on = on - timedelta(days=dog.vaccinated_days_ago)
    lines = (
        f"Owner: {household.name}",
        f"Address: {household.line1}, Benson, MN 56215",
        f"Animal: {dog.name}, dog, {dog.breed}, {dog.color}, {dog.sex.value}",
        f"Date of vaccination: {given_on:%m/%d/%Y}",
        f"Next vaccination due: {add_months(given_on, LASTS_MONTHS):%m/%d/%Y}",
        "Vaccine: Sample Rabies 3 (killed virus), three years",
        "Veterinarian: Dr. A. Sample, Prairie Sample Clinic",
    )
    return store_upload(
        BytesIO(certificate_pdf(lines)),
        name=f"{dog.name} certificate.pdf",
        kind=DocumentKind.CERTIFICATE,
        storage=gateways.storage,
        largest_bytes=gateways.city.uploads.max_file_bytes,
    )


def _answers(dog: SampleDog, upload_id: UUID, *, year: int, on: date) -> AnimalAnswers:
    given_on = on - timedelta(days=dog.vaccinated_days_ago)
    return AnimalAnswers(
        id=uuid4(),
        situation=dog.situation,
        age_months=dog.age_months,
        age_estimated_on=on,
        name=dog.name,
        breed=dog.breed,
        color=dog.color,
        sex=dog.sex,
        is_altered=True,
        license_year=year,
        delivery=dog.delivery,
        photo_is_asked=True,
        certificate=CertificateAnswers(
            upload_id=upload_id,
            is_read=True,
            given_on=given_on,
            due_on=add_months(given_on, LASTS_MONTHS),
            dose=Dose.BOOSTER,
            duration_years=LASTS_MONTHS // 12,
            vaccine_type=VaccineType.INACTIVATED,
            product="Sample Rabies 3",
            veterinarian="Dr. A. Sample",
            clinic_name="Prairie Sample Clinic",
        ),
    )


def _registration(household: SampleHousehold, animals: tuple[AnimalAnswers, ...]) -> Registration:
    return Registration(
        owner=OwnerAnswers(kind=PersonKind.PERSON, name=household.name, phone=household.phone),
        home=HomeAnswers(
            kind=PremisesKind.STREET,
            line1=household.line1,
            unit=household.unit,
            city="Benson",
            state="MN",
            postal_code="56215",
        ),
        animals=animals,
        is_animal_list_whole=True,
        others=OtherDogsAnswers(count=0),
    )
