"""What the database itself refuses about designated dogs, whoever asks: 90.13's rows, their evidence and decisions."""

from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError, ProgrammingError

from portal.gateways.database.connections import connect
from portal.schema.roles import DESK, ROLES
from tests.support.database import Database
from tests.support.registrations import Registered, Registrations

DESIGNATION = """
    INSERT INTO animal_control.dangerous_designation
        (id, reference, kind, animal_id, dog, grounds, noticed_on, designated_by)
    VALUES (:designation, 'DD-1', 'dangerous', :animal, 'A black dog', '["bit"]', '2026-11-12', 'officer')
"""
YEAR = """
    INSERT INTO animal_control.dangerous_registration (id, designation_id, animal_id, person_id, starts_on, ends_on)
    VALUES (gen_random_uuid(), :designation, :animal, :person, :starts_on, :ends_on)
"""
ROW = """
    INSERT INTO animal_control.dangerous_requirement (id, designation_id, kind)
    VALUES (:row, :designation, 'microchip')
"""
EVIDENCE = """
    INSERT INTO animal_control.requirement_evidence (requirement_id, number, source, sent_by)
    VALUES (:row, :number, 'owner', 'keeper')
"""
DECISION = """
    INSERT INTO animal_control.requirement_decision (requirement_id, evidence_number, outcome, decided_by)
    VALUES (:row, :number, 'accepted', 'officer')
"""


@pytest.fixture
def pepper(registrations: Registrations) -> Registered:
    return registrations.licensed("Pepper")


@pytest.fixture
def designation(database: Database, pepper: Registered) -> UUID:
    """Pepper is designated dangerous."""
    designation = uuid4()
    database.run(DESIGNATION, designation=designation, animal=pepper.animal_id)
    return designation


@pytest.fixture
def row(database: Database, designation: UUID) -> UUID:
    """The row of the microchip, with one piece of evidence sent."""
    row = uuid4()
    database.run(ROW, row=row, designation=designation)
    database.run(EVIDENCE, row=row, number=1)
    database.run("UPDATE animal_control.dangerous_requirement SET state = 'sent', evidence_number = 1")
    return row


def test_two_years_of_one_dog_never_overlap(database: Database, designation: UUID, pepper: Registered) -> None:
    """90.13(H)(11): whoever writes them."""
    whose = {"designation": designation, "animal": pepper.animal_id, "person": pepper.person_id}
    database.run(YEAR, **whose, starts_on="2026-12-01", ends_on="2027-11-30")
    with pytest.raises(IntegrityError, match="one_at_a_time"):
        database.run(YEAR, **whose, starts_on="2027-11-30", ends_on="2028-11-29")
    database.run(YEAR, **whose, starts_on="2027-12-01", ends_on="2028-11-30")
    database.run("UPDATE animal_control.dangerous_registration SET state = 'withdrawn' WHERE starts_on > '2027-01-01'")
    database.run(YEAR, **whose, starts_on="2028-01-01", ends_on="2028-12-31")


def test_a_decision_is_about_evidence_that_was_sent(database: Database, row: UUID) -> None:
    database.run(DECISION, row=row, number=1)
    with pytest.raises(IntegrityError, match="fk_requirement_decision_evidence"):
        database.run(DECISION, row=row, number=2)


def test_what_was_accepted_is_no_longer_so_once_something_newer_was_sent(database: Database, row: UUID) -> None:
    """The approval belongs to the very file that was looked at."""
    newer = "UPDATE animal_control.dangerous_requirement SET evidence_number = 2"
    database.run("UPDATE animal_control.dangerous_requirement SET state = 'accepted', decided_number = 1")
    with pytest.raises(IntegrityError, match="decided_about_its_newest_evidence"):
        database.run(newer)
    database.run(f"{newer}, state = 'sent'")


@pytest.mark.parametrize("table", ["requirement_evidence", "requirement_decision"])
@pytest.mark.parametrize("deed", ["UPDATE {0} SET created_at = now()", "DELETE FROM {0}", "TRUNCATE {0} CASCADE"])
def test_not_even_the_owner_changes_what_was_sent_or_decided(
    database: Database, row: UUID, table: str, deed: str
) -> None:
    database.run(DECISION, row=row, number=1)
    with pytest.raises(ProgrammingError, match="append-only"):
        database.run(deed.format(f"animal_control.{table}"))


def test_a_reason_is_given_for_what_is_sent_back(database: Database, row: UUID) -> None:
    with pytest.raises(IntegrityError, match="says_why"):
        database.run(DECISION.replace("accepted", "sent_back"), row=row, number=1)


CHANGES = {
    "evidence": "UPDATE animal_control.requirement_evidence SET measures = '{}' WHERE false",
    "a decision": "UPDATE animal_control.requirement_decision SET outcome = 'waived' WHERE false",
    "a designation": "UPDATE animal_control.dangerous_designation SET kind = 'dangerous' WHERE false",
    "a certificate": "UPDATE animal_control.dangerous_registration SET certified_at = now() WHERE false",
    "an end": "UPDATE animal_control.dangerous_designation SET state = 'rescinded' WHERE false",
    "a seizure": "UPDATE animal_control.seizure_security SET seized_on = now() WHERE false",
    "a hearing": "UPDATE animal_control.hearing_request SET held_on = now() WHERE false",
    "a notice": "UPDATE animal_control.dangerous_notice SET happens_on = now() WHERE false",
    "a review": "UPDATE animal_control.review_request SET outcome = 'rescinded' WHERE false",
    "what a review said": "UPDATE animal_control.review_request SET told = '' WHERE false",
}


def test_the_portal_decides_nothing_and_nobody_rewrites_what_an_owner_wrote(shared_database: Database) -> None:
    engines: dict[str, Engine] = {role: connect(shared_database.url, role=role, pool_size=1) for role in ROLES}
    allowed = {(role, what) for role, engine in engines.items() for what in CHANGES if _may(engine, CHANGES[what])}
    for engine in engines.values():
        engine.dispose()
    assert not [what for role, what in allowed if role != DESK]
    assert {what for role, what in allowed} == {
        "a designation",
        "a certificate",
        "an end",
        "a seizure",
        "a hearing",
        "a review",
    }


def _may(engine: Engine, statement: str) -> bool:
    with engine.connect() as connection:
        try:
            connection.execute(text(statement))
        except ProgrammingError:
            return False
    return True
