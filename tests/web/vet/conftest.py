"""Two clinics with a member each, at their browsers."""

from datetime import date
from uuid import UUID

import pytest
from sqlalchemy.orm import Session

from portal.schema.clinic_access import ClinicMember
from tests.support.filings import Filings
from tests.support.people import Arrival, Person

VET = "karin@clinic.example"
OTHER_VET = "ole@other.example"
# What a member of staff types; the rest stands there.
TYPED = {
    "owner_name": "Pat O’Brien",
    "owner_address": "1310 Idaho Ave, Benson, MN 56215",
    "animal_name": "Pepper",
    "sex": "female",
    "description": "Labrador retriever, black",
    "weight": "62 lb",
    "given_on": date(2026, 11, 27),
    "duration_years": "3",
    "dose": "booster",
    "veterinarian": "Karin Dahl, DVM",
    "attested_name": "Karin Dahl",
}


def join(filings: Filings, clinic_id: UUID, email: str) -> None:
    """Make a mailbox a member."""
    with Session(filings.gateways.engine) as session, session.begin():
        session.add(ClinicMember(clinic_id=clinic_id, email=email, email_key=email.lower(), added_by="test"))


@pytest.fixture
def clinic_id(filings: Filings) -> UUID:
    return filings.clinic()


@pytest.fixture
def other_clinic_id(filings: Filings) -> UUID:
    return filings.clinic("Other Vets")


@pytest.fixture
def vet(filings: Filings, clinic_id: UUID, arrive: Arrival) -> Person:
    """Signed in for Prairie Vet Clinic."""
    join(filings, clinic_id, VET)
    return arrive(VET).sign_in(then="/vet")


@pytest.fixture
def other_vet(filings: Filings, other_clinic_id: UUID, arrive: Arrival) -> Person:
    """Signed in for another clinic."""
    join(filings, other_clinic_id, OTHER_VET)
    return arrive(OTHER_VET).sign_in(then="/vet")
