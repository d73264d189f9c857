"""Certificates that clinics file, as a clinic files them, and the worker that finds their animals."""

from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.gateways.database.connections import connect
from portal.ordinance.certificates import Dose, VaccineType
from portal.schema.animals import Sex, Species
from portal.schema.clinics import Clinic, ClinicFiling, ClinicState, FilingChannel
from portal.schema.roles import WORKER
from portal.services.clinics.file_for_clinic import file_for_clinic
from portal.services.clinics.filing_answers import FilingAnswers
from portal.services.clinics.match_filing import filings_to_match, match_filing
from tests.support.database import Database

PEPPER = {
    "owner_name": "Pat O’Brien",
    "owner_address": "1310 Idaho Ave, Benson, MN 56215",
    "animal_name": "Pepper",
    "species": Species.DOG,
    "sex": Sex.FEMALE,
    "description": "Labrador retriever, black",
    "weight": "62 lb",
    "given_on": date(2026, 10, 12),
    "due_on": date(2029, 10, 12),
    "dose": Dose.BOOSTER,
    "vaccine_type": VaccineType.INACTIVATED,
    "duration_years": 3,
    "veterinarian": "Karin Dahl, DVM",
    "attested_name": "Karin Dahl",
}


@dataclass
class Filings:
    """Clinics, what they file, and what the worker makes of it."""

    gateways: Gateways
    worker: Engine

    def clinic(self, name: str = "Prairie Vet Clinic", *, state: ClinicState = ClinicState.APPROVED) -> UUID:
        """A clinic the city decided about."""
        email = f"{name.split()[0].lower()}@clinic.example"
        clinic = Clinic(
            name=name,
            address="200 Atlantic Ave, Benson, MN 56215",
            phone="(320) 555-0150",
            email=email,
            email_key=email,
            state=state,
            decided_at=None if state is ClinicState.ASKED else self.gateways.clock.now(),
            decided_by=None if state is ClinicState.ASKED else "officer@benson.example",
        )
        with Session(self.gateways.engine) as session, session.begin():
            session.add(clinic)
            session.flush()
            return clinic.id

    def file(
        self,
        clinic_id: UUID,
        *,
        key: str | None = None,
        channel: FilingChannel = FilingChannel.PAGE,
        **changed: Any,
    ) -> UUID:
        """Pepper's certificate, filed on the clinic's page, but for what is `changed`."""
        answers: dict[str, Any] = {**PEPPER, **changed}
        with Session(self.gateways.engine) as session, session.begin():
            filing, _ = file_for_clinic(
                session,
                FilingAnswers(**answers),
                clinic_id=clinic_id,
                filed_by="front.desk@clinic.example",
                channel=channel,
                idempotency_key=key,
                city=self.gateways.city,
                clock=self.gateways.clock,
            )
            return filing.id

    def match(self) -> None:
        """What the worker does once it is woken."""
        with Session(self.worker) as session, session.begin():
            for turn in filings_to_match(session, clock=self.gateways.clock):
                filing = session.get_one(ClinicFiling, turn.filing_id)
                match_filing(session, filing, city=self.gateways.city, clock=self.gateways.clock)


@pytest.fixture(scope="session")
def matching_engine(shared_database: Database) -> Any:
    engine = connect(shared_database.url, role=WORKER, pool_size=2)
    yield engine
    engine.dispose()


@pytest.fixture
def filings(gateways: Gateways, matching_engine: Engine) -> Filings:
    """`filings.file(filings.clinic(), animal_name="Rex")`, then `filings.match()`."""
    return Filings(gateways, matching_engine)
