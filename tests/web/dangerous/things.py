"""What the addresses of a designated dog are about: a row with evidence, a link, a notice, a certificate, a seizure."""

from datetime import date
from uuid import uuid4

from portal.ordinance.dangerous import Requirement
from portal.schema.dangerous_notices import NoticeKind
from portal.services.dangerous.ask_for_evidence import ask_for_evidence
from portal.services.dangerous.seize_dog import Seized, seize_dog
from portal.services.dangerous.tell_dangerous_notice import NoticeTold, tell_dangerous_notice
from tests.support.dangerous import DangerousDogs
from tests.support.database import Database
from tests.support.registrations import OFFICER, Registered

CERTIFIED = """
    UPDATE animal_control.dangerous_registration
    SET state = 'certified', certified_at = now(), certified_by = 'officer', certificate_code = '7KM2-9XPR-4TQD-H3WN',
        certificate_until = ends_on
"""
MOVED = NoticeTold(
    key=uuid4(),
    kind=NoticeKind.MOVE,
    happens_on=date(2027, 2, 28),
    owner_name="Pat",
    owner_address="1310 Idaho Ave",
    new_address="902 Utah Ave",
    signed_name="Pat",
)
HELD = Seized(seized_on=date(2026, 11, 24), kept_at="City pound", contact_name="Dale", contact_phone="320-555-0101")


def things_of(dangerous: DangerousDogs, dog: Registered, database: Database) -> dict[str, object]:
    """By the names of the routes' arguments."""
    parts = dangerous.gateways
    entered = dangerous.designated(dog)
    evidence_id = dangerous.send(dog, Requirement.INSURANCE)
    row_id = dangerous.row(dog, Requirement.INSURANCE).stored.id
    whose = {"animal_id": dog.animal_id, "person_id": dog.person_id}
    link = dangerous.by_owner(
        lambda session: ask_for_evidence(
            session, requirement_id=row_id, addressee="Agent", email=None, clock=parts.clock, **whose
        )
    )
    told = dangerous.by_owner(
        lambda session: tell_dangerous_notice(session, MOVED, city=parts.city, clock=parts.clock, **whose)
    )
    dangerous.at_desk(seize_dog, HELD, designation_id=entered.designation.id, officer=OFFICER, city=parts.city)
    database.run(CERTIFIED)
    database.run("UPDATE animal_control.dangerous_notice SET affidavit_asked_at = now()")
    year = dangerous.seen(dog).year
    assert year is not None
    return {
        "requirement": "insurance",
        "evidence_id": evidence_id,
        "link_id": link.link_id,
        "token": link.token,
        "kind": "death",
        "notice_id": told.id,
        "registration_id": year.id,
    }
