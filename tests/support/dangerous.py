"""Designated dogs, put there by the deeds that put them there in life: the officer's at the desk, the owner's here."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.gateways.clock import Clock
from portal.ordinance.dangerous import Designated, Ground, Requirement
from portal.ordinance.dangerous_measures import (
    Confined,
    Enclosure,
    Insurance,
    Landlord,
    Measures,
    Microchip,
    Note,
    Restraint,
    Signs,
    Sterilization,
)
from portal.schema.dangerous_requirements import Decision
from portal.schema.documents import DocumentKind
from portal.services.dangerous.certify_dangerous_dog import certify
from portal.services.dangerous.decide_requirement import Deciding, decide_requirement
from portal.services.dangerous.designate_dog import DesignationEntered, NoticeGiven, designate_dog
from portal.services.dangerous.dog import DangerousDog, dangerous_dog_of
from portal.services.dangerous.register_dangerous_dog import renew_year, send_year
from portal.services.dangerous.requirement_rows import RowView
from portal.services.dangerous.send_evidence import EvidenceSent, send_evidence
from portal.services.dangerous.year_fee import order_year
from portal.services.payments.pay_at_counter import take_counter_payment
from tests.support.registrations import OFFICER, Registered, Registrations

Answer = TypeVar("Answer")

POLICY = Insurance(
    company="Prairie Mutual",
    number="L-1",
    amount_cents=300_000_00,
    first_day=date(2026, 1, 1),
    last_day=date(2027, 6, 30),
    is_authorized_in_state=True,
)
MEETS: dict[Requirement, Measures] = {
    Requirement.ENCLOSURE: Enclosure(
        confined=Confined.PEN,
        exits_only_with_help=True,
        gives_shelter=True,
        floor_square_feet=Decimal(40),
        height_feet=Decimal(6),
        wire_gauge=9,
        opening_inches=Decimal(2),
        post_inches=Decimal("1.5"),
        has_concrete_floor=True,
        cover_is_whole=True,
        cover_gauge=9,
        cover_opening_inches=Decimal(2),
        gate_is_alike=True,
        gate_is_locked=True,
    ),
    Requirement.RESTRAINT: Restraint(
        has_muzzle=True, muzzle_is_harmless=True, leash_feet=Decimal(6), youngest_handler=34
    ),
    Requirement.SIGNS: Signs(at_front=True, at_rear=True, has_symbol=True),
    Requirement.INSURANCE: POLICY,
    Requirement.MICROCHIP: Microchip(maker="HomeAgain", number="985112001234567"),
    Requirement.LANDLORD: Landlord(rents=False),
    Requirement.STERILIZATION: Sterilization(done_on=date(2026, 3, 2), veterinarian="Dr. A. Lee"),
    Requirement.COUNTY: Note(told="The county asks for nothing"),
}
"""What meets every figure, for each row that its owner shows."""


@dataclass
class DangerousDogs:
    """Designates dogs, sends evidence and decides it, each as whoever does it in life."""

    gateways: Gateways
    registrations: Registrations
    desk: Engine

    def designated(
        self, dog: Registered | None, *, kind: Designated = Designated.DANGEROUS, **about: Any
    ) -> DesignationEntered:
        """Animal control gives notice, today unless `noticed_on` says otherwise; None for a dog it does not know."""
        ground = Ground.HARMED_PERSON if kind is Designated.DANGEROUS else Ground.BIT
        given = NoticeGiven(
            kind=kind,
            grounds=(ground,),
            dog="Black Labrador retriever, female",
            noticed_on=self.gateways.clock.today(),
            animal_id=dog.animal_id if dog else None,
        )
        return self.at_desk(designate_dog, replace(given, **about), officer=OFFICER, city=self.gateways.city)

    def seen(self, dog: Registered) -> DangerousDog:
        """What its owner sees."""
        with Session(self.gateways.engine) as session:
            return dangerous_dog_of(
                session,
                animal_id=dog.animal_id,
                person_id=dog.person_id,
                city=self.gateways.city,
                clock=self.gateways.clock,
            )

    def row(self, dog: Registered, requirement: Requirement) -> RowView:
        return self.seen(dog).row(requirement)

    def send(self, dog: Registered, requirement: Requirement, measures: Measures | None = None, **about: Any) -> UUID:
        """The owner sends evidence with a photo; its key."""
        sent = EvidenceSent(
            key=uuid4(),
            measures=measures or MEETS[requirement],
            file=self.registrations.stored(DocumentKind.EVIDENCE),
        )
        return self.by_owner(
            lambda session: (
                send_evidence(
                    session,
                    replace(sent, **about),
                    animal_id=dog.animal_id,
                    requirement_id=self.row(dog, requirement).stored.id,
                    person_id=dog.person_id,
                    city=self.gateways.city,
                    clock=self.gateways.clock,
                ).id
            )
        )

    def decide(
        self,
        dog: Registered,
        requirement: Requirement,
        outcome: Decision = Decision.ACCEPTED,
        *,
        reason: str | None = None,
        number: int | None = None,
    ) -> None:
        """An officer decides about the newest evidence, or about `number`."""
        stored = self.row(dog, requirement).stored
        looked_at = stored.evidence_number if number is None else number
        deciding = Deciding(requirement_id=stored.id, outcome=outcome, evidence_number=looked_at, reason=reason)
        self.at_desk(decide_requirement, deciding, officer=OFFICER)

    def settle(self, dog: Registered, *but: Requirement) -> None:
        """Everything is sent and accepted, the officer has done their own, and the fee is paid; all `but` these."""
        open_rows = {row.requirement: row.stored for row in self.seen(dog).open_rows if row.requirement not in but}
        mine, city, clock = (
            {"animal_id": dog.animal_id, "person_id": dog.person_id},
            self.gateways.city,
            self.gateways.clock,
        )
        shown = [row for requirement, row in open_rows.items() if requirement in MEETS]

        def send(session: Session) -> None:
            for row in shown:
                sent = EvidenceSent(
                    key=uuid4(), measures=MEETS[row.kind], file=self.registrations.stored(DocumentKind.EVIDENCE)
                )
                send_evidence(session, sent, requirement_id=row.id, city=city, clock=clock, **mine)

        def decide(session: Session, clock: Clock) -> None:
            for row in (
                open_rows[one] for one in (*MEETS, Requirement.TAG, Requirement.PHOTOGRAPH) if one in open_rows
            ):
                number = row.evidence_number + (row in shown)
                deciding = Deciding(requirement_id=row.id, outcome=Decision.ACCEPTED, evidence_number=number)
                decide_requirement(session, deciding, officer=OFFICER, clock=clock)

        self.by_owner(send)
        self.at_desk(decide)
        if Requirement.FEE in open_rows:
            self.pay(dog)

    def pay(self, dog: Registered) -> None:
        """The year's fee, at the counter."""
        reference = self.by_owner(
            lambda session: (
                order_year(
                    session,
                    animal_id=dog.animal_id,
                    person_id=dog.person_id,
                    city=self.gateways.city,
                    clock=self.gateways.clock,
                ).reference
            )
        )
        self.at_desk(take_counter_payment, reference=reference, officer=OFFICER)

    def certify(self, dog: Registered) -> None:
        """An officer issues the certificate of the year in work."""
        year = self.seen(dog).year
        assert year is not None, f"{dog.name} has no year"
        self.at_desk(certify, registration_id=year.id, officer=OFFICER, city=self.gateways.city)

    def renew(self, dog: Registered) -> None:
        """The owner begins the next year."""
        self.by_owner(
            lambda session: renew_year(
                session,
                animal_id=dog.animal_id,
                person_id=dog.person_id,
                city=self.gateways.city,
                clock=self.gateways.clock,
            )
        )

    def send_year(self, dog: Registered) -> None:
        """The owner says that it is ready to be looked at."""
        self.by_owner(
            lambda session: send_year(
                session,
                animal_id=dog.animal_id,
                person_id=dog.person_id,
                version=None,
                city=self.gateways.city,
                clock=self.gateways.clock,
            )
        )

    def at_desk(self, deed: Callable[..., Answer], *given: Any, **arguments: Any) -> Answer:
        """Call a service as the desk does, in the desk's own role."""
        with Session(self.desk, expire_on_commit=False) as session, session.begin():
            return deed(session, *given, clock=self.gateways.clock, **arguments)

    def by_owner(self, deed: Callable[[Session], Answer]) -> Answer:
        """Call a service as the web process does."""
        with Session(self.gateways.engine, expire_on_commit=False) as session, session.begin():
            return deed(session)


@pytest.fixture
def dangerous(gateways: Gateways, registrations: Registrations, desk_engine: Engine) -> DangerousDogs:
    """Puts designated dogs in place: `dangerous.designated(dog)`, `dangerous.settle(dog)`, `dangerous.certify(dog)`."""
    return DangerousDogs(gateways, registrations, desk_engine)
