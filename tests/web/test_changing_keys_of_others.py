"""Keys that others hold, software of clinics and of Open311: the new one beside the old one, then the old one goes."""

import pytest
from sqlalchemy.orm import Session

from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.clinics.tokens import make_token, revoke_token, tokens_of
from portal.services.reports.open311_keys import add_key, revoke_key
from tests.api.conftest import Software, install
from tests.open311.client import GeoReport, Refusal

CLINIC = "Prairie Vet Clinic"
BARKING = {"service_code": "barking", "address_string": "1312 Idaho Ave", "description": "It barks all night"}


@pytest.fixture
def old(app, filings) -> Software:
    """A clinic's software, with the token it has had for long."""
    return install(app, filings, CLINIC)


@pytest.fixture
def staff(old) -> ClinicStaff:
    return ClinicStaff(old.clinic_id, CLINIC, "karin@clinic.example")


@pytest.fixture
def new(app, filings, old, staff) -> Software:
    """The same software at another desk, which has the new token already."""
    with Session(filings.gateways.engine) as session, session.begin():
        token = make_token(session, staff, name="Front desk software, 2027")
    return Software(app.test_client(use_cookies=False), old.clinic_id, token)


@pytest.fixture
def take_back(filings, staff, clock):
    """The clinic takes back its token of this name."""

    def take_back(name):
        with Session(filings.gateways.engine) as session, session.begin():
            (token,) = [one for one in tokens_of(session, clinic_id=staff.clinic_id) if one.name == name]
            revoke_token(session, staff, token_id=token.id, clock=clock)

    return take_back


def test_a_clinic_changes_its_token_and_nothing_is_refused_or_filed_twice(old, new, take_back, database):
    first = old.file(key="visit-1")
    second = new.file(key="visit-2", animal_name="Biscuit")
    old.file(key="visit-3", animal_name="Waffles")
    again = new.file(key="visit-1", status=200)
    assert again["id"] == first["id"], "a try with the old token, repeated with the new one, is the same visit"

    take_back("Front desk software")
    assert new.file(key="visit-3", animal_name="Waffles", status=200)["id"]
    assert new.file(key="visit-4", animal_name="Moose")["id"]
    seen = new.ask("GET", status=200).json
    assert len(seen["certificates"]) == 4, "what came with the old one is the clinic's still"
    assert second["id"] in {one["id"] for one in seen["certificates"]}
    assert "Bearer" in old.ask("GET", status=401).headers["WWW-Authenticate"]
    assert database.value("SELECT count(*) FROM animal_control.clinic_filing") == 4


def test_software_of_others_changes_its_key_for_open311(app, reporting, database):
    with reporting.desk() as session:
        old = add_key(session, name="Pothole app", officer="amy@benson.example")
        new = add_key(session, name="Pothole app 2027", officer="amy@benson.example")
    software = GeoReport(app.test_client(use_cookies=False), "json")
    sent = [software.send(**BARKING, api_key=key)["service_request_id"] for key in (old, new, old)]

    with reporting.desk() as session:
        revoke_key(session, name="Pothole app", clock=reporting.clock)
    sent.append(software.send(**BARKING, api_key=new)["service_request_id"])
    assert [software.request(one)["status"] for one in sent] == ["open"] * 4
    with pytest.raises(Refusal) as refusal:
        software.send(**BARKING, api_key=old)
    assert refusal.value.status == 403
    assert database.value("SELECT count(*) FROM animal_control.report") == 4
