"""Checking a code: however it was typed, on whatever day."""

from datetime import date

import pytest
from sqlalchemy.orm import Session

from portal.schema.animals import Sex
from portal.services.licensing.check_proof import Proof, check_proof, read_proof_code

PEPPER = {"name": "Pepper", "breed": "Labrador", "color": "black", "sex": Sex.FEMALE, "is_altered": True}


def proof(*, is_revoked=False, is_kept=True) -> Proof:
    return Proof(2027, 148, date(2027, 1, 1), date(2027, 12, 31), is_revoked, is_kept, **PEPPER)


@pytest.mark.parametrize(
    ("shown", "on", "expected"),
    [
        pytest.param(proof(), "2026-12-31", False, id="90.04(B)(5) the day before it begins"),
        pytest.param(proof(), "2027-01-01", True, id="90.04(B)(5) its first day"),
        pytest.param(proof(), "2027-12-31", True, id="90.04(B)(5) its last day"),
        pytest.param(proof(), "2028-01-01", False, id="90.04(B)(5) the day after"),
        pytest.param(proof(is_revoked=True), "2027-06-01", False, id="revoked"),
        pytest.param(proof(is_kept=False), "2027-06-01", False, id="the dog died or left"),
    ],
)
def test_whether_a_license_is_in_force(shown, on, expected):
    assert shown.is_in_force(date.fromisoformat(on)) is expected


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("7KM2-9XPR-4TQD-H3WN", "7KM2-9XPR-4TQD-H3WN"),
        ("7km29xpr4tqdh3wn", "7KM2-9XPR-4TQD-H3WN"),
        (" 7KM2 9XPR 4TQD H3WN. ", "7KM2-9XPR-4TQD-H3WN"),
        ("OIL2-9XPR-4TQD-H3WN", "0112-9XPR-4TQD-H3WN"),
        ("7KM2-9XPR-4TQD-H3W", None),
        ("7KM2-9XPR-4TQD-H3WNX", None),
        ("", None),
        ("\x00" * 16, None),
    ],
)
def test_a_code_is_read_however_it_was_typed(typed, read):
    assert read_proof_code(typed) == read


@pytest.mark.parametrize(("state", "is_found"), [("applied", False), ("withdrawn", False), ("revoked", True)])
def test_only_a_license_that_was_issued_has_a_proof(gateways, registrations, database, state, is_found):
    registrations.licensed("Pepper")
    code = database.value("SELECT proof_code FROM animal_control.license")
    with Session(gateways.engine) as session:
        assert check_proof(session, code=code).number == 1
        database.run("UPDATE animal_control.license SET state = :state", state=state)
    with Session(gateways.engine) as session:
        found = check_proof(session, code=code)
    assert (found is not None) is is_found
    assert found is None or found.is_revoked
