"""Two clinics, each with software that holds a token."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.orm import Session
from werkzeug.test import TestResponse

from portal.schema.clinic_access import ClinicToken
from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.clinics.tokens import make_token
from tests.support.filings import Filings

ADDRESS = "/api/v1/certificates"
PEPPER = {
    "owner_name": "Pat O’Brien",
    "owner_address": "1310 Idaho Ave, Benson, MN 56215",
    "owner_phone": "(320) 555-0101",
    "animal_name": "Pepper",
    "species": "dog",
    "sex": "female",
    "description": "Labrador retriever, black",
    "weight": "62 lb",
    "given_on": "2026-11-27",
    "dose": "booster",
    "vaccine_type": "inactivated",
    "duration_years": 3,
    "veterinarian": "Karin Dahl, DVM",
    "attested_name": "Karin Dahl",
}


@dataclass
class Software:
    """Practice software with its clinic's token."""

    client: FlaskClient
    clinic_id: UUID
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def ask(self, method: str, address: str = ADDRESS, *, status: int | None = None, **more: Any) -> TestResponse:
        """Send a request; every answer but a good one is a problem."""
        headers = self.headers | more.pop("headers", {})
        answer = self.client.open(address, method=method, headers=headers, **more)
        if status is not None:
            assert answer.status_code == status, answer.text
        if answer.status_code >= 400:
            assert answer.content_type == "application/problem+json"
            assert answer.json is not None
            assert answer.json["status"] == answer.status_code
        return answer

    def file(self, *, key: str = "visit-1", status: int = 201, **changed: Any) -> dict[str, Any]:
        """File Pepper's certificate, but for what is changed; a field set to ... is left out."""
        body = {name: value for name, value in {**PEPPER, **changed}.items() if value is not ...}
        answer = self.ask("POST", json=body, headers={"Idempotency-Key": key}, status=status)
        assert answer.json is not None
        return dict(answer.json)

    def put(self, filing_id: str, content: bytes, *, status: int | None = None, kind: str = "image/jpeg") -> Any:
        return self.ask("PUT", f"{ADDRESS}/{filing_id}/file", data=content, content_type=kind, status=status).json


def install(app: Flask, filings: Filings, name: str) -> Software:
    """An approved clinic whose software has a token."""
    clinic_id = filings.clinic(name)
    with Session(filings.gateways.engine) as session, session.begin():
        token = make_token(session, ClinicStaff(clinic_id, name, "karin@clinic.example"), name="Front desk software")
    return Software(app.test_client(use_cookies=False), clinic_id, token)


@pytest.fixture
def software(app: Flask, filings: Filings) -> Software:
    """That of Prairie Vet Clinic."""
    return install(app, filings, "Prairie Vet Clinic")


@pytest.fixture
def other_software(app: Flask, filings: Filings) -> Software:
    """That of another clinic."""
    return install(app, filings, "Other Vets")


@pytest.fixture
def token_row(filings: Filings, software: Software) -> Any:
    """What is kept of the token now."""

    def read() -> ClinicToken:
        with Session(filings.gateways.engine) as session:
            return session.query(ClinicToken).filter_by(clinic_id=software.clinic_id).one()

    return read
