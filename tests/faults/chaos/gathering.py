"""Who is there before the trouble begins, and what they hold: keys, tokens and tags."""

from collections import Counter

from sqlalchemy.orm import Session

from portal.schema.clinics import Clinic, ClinicState
from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.clinics.tokens import make_token
from portal.services.reports.open311_keys import add_key
from tests.faults.chaos.deeds import People
from tests.faults.chaos.tally import Tally
from tests.faults.people import Officer
from tests.faults.place import Place
from tests.faults.truth import Truth
from tests.support.owing import owe, take_at_counter

TAG = "SELECT year || '-' || number AS tag FROM animal_control.tag WHERE license_id = :license"
TAGS = 5
MOST_COPIES = 5


class Copies(Counter[str]):
    """How often one letter may come once more: whoever dies before noting that it is out sends it again, the same."""

    def __missing__(self, _key: str) -> int:
        return MOST_COPIES


def gather(place: Place, tally: Tally, truth: Truth, officer: Officer | None) -> People:
    """A clinic with software, software that reports, and dogs that wear tags."""
    engine, clock = place.database.engine, place.clock
    with Session(engine) as session, session.begin():
        key = add_key(session, name="Chaos", officer="test")
        clinic = Clinic(
            name="Prairie Vet",
            address="200 Atlantic Ave",
            phone="(320) 555-0150",
            email="vet@clinic.example",
            email_key="vet@clinic.example",
            state=ClinicState.APPROVED,
            decided_at=clock.now(),
            decided_by="test",
        )
        session.add(clinic)
        session.flush()
        token = make_token(session, ClinicStaff(clinic.id, clinic.name, clinic.email), name="Chaos")
    tags = []
    for _ in range(TAGS):
        owed = owe(engine, clock=clock, accepted=True)
        take_at_counter(engine, owed, clock=clock)
        tags.append(str(place.database.value(TAG, license=owed.license_ids[0])))
    return People(place, tally, truth, officer, key, token, tags)
