"""Dogs already registered, put there by the deeds that put them there in life."""

from dataclasses import dataclass, replace
from datetime import date
from io import BytesIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.gateways.database.connections import connect
from portal.gateways.storage.store import new_key
from portal.ordinance.certificates import Dose
from portal.ordinance.licensing import Situation
from portal.schema.accounts import Account
from portal.schema.animals import Animal, Keeper, Sex
from portal.schema.documents import DocumentKind
from portal.schema.licenses import License
from portal.schema.orders import Order
from portal.schema.people import PersonKind, PremisesKind
from portal.schema.roles import DESK
from portal.schema.vaccinations import Vaccination
from portal.services.certificates.decide_certificate import accept_certificate, send_certificate_back
from portal.services.draft_answers import (
    AnimalAnswers,
    CertificateAnswers,
    HomeAnswers,
    OtherDogsAnswers,
    OwnerAnswers,
    Registration,
)
from portal.services.files.accept_upload import FOLDERS, StoredUpload, note_upload
from portal.services.payments.pay_at_counter import take_counter_payment
from portal.services.registering.apply_for_licenses import apply_for_licenses
from portal.services.registering.keep_draft import keep, open_draft
from portal.services.signing_in.sign_in import SignInAsked, ask_to_sign_in, sign_in_with_link
from portal.settings import Settings
from tests.support.database import Database
from tests.support.documents import corners, saved
from tests.support.outbox import Outbox

OFFICER = "officer@benson.example"
OWNER = OwnerAnswers(kind=PersonKind.PERSON, name="Pat O’Brien", phone="(320) 555-0100 x12", phone_e164="+13205550100")
HOME = HomeAnswers(
    kind=PremisesKind.STREET, line1="1310 Idaho Ave", unit=None, city="Benson", state="MN", postal_code="56215"
)
CERTIFICATE = CertificateAnswers(
    is_read=True,
    given_on=date(2026, 6, 12),
    due_on=date(2029, 6, 12),
    dose=Dose.BOOSTER,
    duration_years=3,
    veterinarian="Dr. A. Lee",
)
LATER = CertificateAnswers(is_later=True)


@dataclass(frozen=True)
class Registered:
    """One dog of one registration, by its keys."""

    email: str
    account_id: UUID
    person_id: UUID
    animal_id: UUID
    name: str
    license_id: UUID | None
    vaccination_id: UUID | None
    order_id: UUID | None


@dataclass
class Registrations:
    """Registers dogs, takes payments, decides certificates, each as whoever does it in life."""

    gateways: Gateways
    outbox: Outbox
    settings: Settings
    desk: Engine

    def account(self, email: str) -> UUID:
        """The account of a mailbox, proved by its link if it is new."""
        with Session(self.gateways.engine) as session:
            if known := session.scalar(select(Account.id).where(Account.email_key == email.strip().lower())):
                return known
        clock = self.gateways.clock
        asked = SignInAsked(email=email, browser=uuid4().hex, next_path="/")
        key = self.settings.secret_keys[0]
        with Session(self.gateways.engine) as session, session.begin():
            ask_to_sign_in(session, asked, clock=clock, secret_key=key, base_url=self.settings.base_url)
        token = self.outbox.link(email.strip()).rpartition("/")[2]
        with Session(self.gateways.engine) as session, session.begin():
            sign_in_with_link(session, token=token, clock=clock)
        return self.account(email)

    def dog(
        self,
        name: str = "Pepper",
        *,
        email: str = "pat@example.com",
        certificate: CertificateAnswers = CERTIFICATE,
        owner: OwnerAnswers = OWNER,
        home: HomeAnswers = HOME,
        others: OtherDogsAnswers | None = None,
        **about: Any,
    ) -> Registered:
        """Register one dog, or whatever animal `about` describes (`situation=`, `license_year=`, `born_on=` ...)."""
        animal = self.animal(name, **{"certificate": certificate, **about})
        return self.dogs([animal], email=email, owner=owner, home=home, others=others)[0]

    def animal(self, name: str = "Pepper", **about: Any) -> AnimalAnswers:
        """The answers about one animal: a black Labrador, two years old, for the license year 2026."""
        usual = AnimalAnswers(
            id=uuid4(),
            situation=Situation.RESIDENT_DOG,
            born_on=date(2024, 6, 1),
            name=name,
            breed="Labrador retriever",
            color="black",
            sex=Sex.FEMALE,
            is_altered=True,
            license_year=2026,
            photo_is_asked=True,
            certificate=CERTIFICATE,
        )
        return replace(usual, **about)

    def dogs(
        self,
        animals: list[AnimalAnswers],
        *,
        email: str = "pat@example.com",
        owner: OwnerAnswers = OWNER,
        home: HomeAnswers = HOME,
        others: OtherDogsAnswers | None = None,
    ) -> list[Registered]:
        """Send one registration with all of these, and one order."""
        account_id, clock = self.account(email), self.gateways.clock
        with Session(self.gateways.engine) as session, session.begin():
            whole = Registration(
                owner=owner,
                home=home,
                animals=tuple(self._with_file(session, animal, account_id) for animal in animals),
                is_animal_list_whole=True,
                others=others or OtherDogsAnswers(count=0),
            )
            keep(session, open_draft(session, account_id=account_id), whole, clock=clock)
            order_id = apply_for_licenses(
                session,
                whole,
                account_id=account_id,
                submission_key=uuid4(),
                city=self.gateways.city,
                clock=clock,
            )
            return [_registered(session, email, account_id, animal, order_id) for animal in animals]

    def accept(self, registered: Registered) -> None:
        """An officer accepts the dog's certificate."""
        with Session(self.desk) as session, session.begin():
            city, clock = self.gateways.city, self.gateways.clock
            accept_certificate(session, vaccination_id=_filed(registered), officer=OFFICER, city=city, clock=clock)

    def send_back(self, registered: Registered, reason: str = "The date can’t be read. Please send it again.") -> None:
        """An officer sends the dog's certificate back."""
        with Session(self.desk) as session, session.begin():
            send_certificate_back(
                session,
                vaccination_id=_filed(registered),
                officer=OFFICER,
                reason=reason,
                clock=self.gateways.clock,
            )

    def pay(self, registered: Registered) -> None:
        """The whole order is paid at the counter."""
        with Session(self.desk) as session:
            reference = session.get_one(Order, registered.order_id).reference
        self.take(reference)

    def take(self, reference: str) -> None:
        """An order is paid at the counter, by its reference."""
        with Session(self.desk) as session, session.begin():
            take_counter_payment(session, reference=reference, officer=OFFICER, clock=self.gateways.clock)

    def licensed(self, name: str = "Pepper", **about: Any) -> Registered:
        """A dog with a license: its certificate accepted, its fee paid."""
        registered = self.dog(name, **about)
        self.accept(registered)
        if registered.order_id:
            self.pay(registered)
        return registered

    def _with_file(self, session: Session, animal: AnimalAnswers, account_id: UUID) -> AnimalAnswers:
        if animal.certificate.is_later or animal.certificate.upload_id:
            return animal
        upload = note_upload(session, self.stored(), account_id=account_id)
        return replace(animal, certificate=replace(animal.certificate, upload_id=upload.id))

    def stored(self, kind: DocumentKind = DocumentKind.CERTIFICATE) -> StoredUpload:
        """A picture of one page in the store, as the reader of files leaves it."""
        picture = saved(corners(64, 48), "JPEG")
        keys = [new_key(FOLDERS[kind]) for _ in range(2)]
        for key in keys:
            self.gateways.storage.put(key, BytesIO(picture))
        return StoredUpload(
            kind=kind,
            original_key=None,
            original_name="image.jpg",
            media_type="image/jpeg",
            size_bytes=len(picture),
            sha256="0" * 64,
            thumbnail_key=keys[0],
            pages=({"key": keys[1], "width": 64, "height": 48},),
        )


def _filed(registered: Registered) -> UUID:
    assert registered.vaccination_id is not None, f"{registered.name} has no certificate yet"
    return registered.vaccination_id


def _registered(
    session: Session, email: str, account_id: UUID, answers: AnimalAnswers, order_id: UUID | None
) -> Registered:
    account = session.get_one(Account, account_id)
    newest = (
        select(Animal)
        .join(Keeper, Keeper.animal_id == Animal.id)
        .where(Keeper.person_id == account.person_id, Animal.name == answers.name)
        .order_by(Animal.created_at.desc())
    )
    animal = session.scalars(newest).first()
    assert animal is not None
    assert account.person_id is not None
    license_id = session.scalar(select(License.id).where(License.animal_id == animal.id))
    vaccination_id = session.scalar(select(Vaccination.id).where(Vaccination.animal_id == animal.id))
    return Registered(
        email, account_id, account.person_id, animal.id, animal.name, license_id, vaccination_id, order_id
    )


@pytest.fixture(scope="session")
def desk_engine(shared_database: Database) -> Any:
    engine = connect(shared_database.url, role=DESK, pool_size=2)
    yield engine
    engine.dispose()


@pytest.fixture
def registrations(gateways: Gateways, outbox: Outbox, settings: Settings, desk_engine: Engine) -> Registrations:
    """Puts registered, paid, licensed dogs in place: `registrations.licensed("Pepper", email=...)`."""
    return Registrations(gateways, outbox, settings, desk_engine)
