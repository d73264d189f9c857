"""An officer demands a certificate: by which day it is to be shown, and what counts as showing it."""

from dataclasses import replace
from datetime import date, datetime
from uuid import uuid4

import pytest

from portal.services.certificates.add_certificate import Sender, add_certificate
from portal.services.certificates.demand_certificate import demand_certificate, show_to_officer
from portal.services.files.accept_upload import note_upload
from portal.services.refusal import NotTheirs, Refused
from tests.support.owing import committed
from tests.support.portal import CHICAGO
from tests.support.registrations import CERTIFICATE, LATER, OFFICER

FRIDAY = datetime(2026, 12, 18, 15, tzinfo=CHICAGO)


def at(day: int, hour: int = 12) -> datetime:
    return datetime(2026, 12, day, hour, tzinfo=CHICAGO)


@pytest.fixture
def demand(gateways, desk_engine):
    """An officer at the desk: `demand(kept)`, `demand(kept, on=...)`."""

    def demand(kept, *, on=None, city=gateways.city):
        with committed(desk_engine) as session:
            return demand_certificate(
                session, animal_id=kept.animal_id, officer=OFFICER, demanded_on=on, city=city, clock=gateways.clock
            )

    return demand


@pytest.fixture
def send(gateways, registrations, database):
    """The keeper sends a certificate whose file came at `uploaded_at`."""

    def send(kept, *, uploaded_at, city=gateways.city):
        with committed(gateways.engine) as session:
            upload_id = note_upload(session, registrations.stored(), account_id=kept.account_id).id
        database.run("UPDATE portal.upload SET created_at = :at WHERE id = :id", at=uploaded_at, id=upload_id)
        with committed(gateways.engine) as session:
            return add_certificate(
                session,
                sender=Sender(kept.person_id, kept.account_id),
                animal_id=kept.animal_id,
                answers=replace(CERTIFICATE, upload_id=upload_id),
                submission_key=uuid4(),
                city=city,
                clock=gateways.clock,
            )

    return send


def demands(database):
    return database.rows("SELECT * FROM animal_control.certificate_demand ORDER BY created_at")


def test_example_31_the_dates_of_a_demand(registrations, demand, database, clock, outbox):
    """Friday, December 18, 2026: raw December 25 is a holiday, so the 28th is the last day; shown is the 24th."""
    kept = registrations.dog("Rex", certificate=LATER)
    clock.move_to(FRIDAY)
    demand(kept)
    (row,) = demands(database)
    assert (row.raw_due_on, row.legal_last_day, row.show_by) == (
        date(2026, 12, 25),
        date(2026, 12, 28),
        date(2026, 12, 24),
    )
    (letter,) = outbox.letters(to="pat@example.com", template="certificate_demanded")
    assert letter.subject == "Show the rabies certificate of Rex by December 24, 2026"
    assert f"/dogs/{kept.animal_id}/certificate" in letter.text
    event = database.rows("SELECT kind, actor FROM animal_control.event ORDER BY id DESC LIMIT 1")[0]
    assert (event.kind, event.actor) == ("certificate.demanded", f"officer:{OFFICER}")


@pytest.mark.parametrize(
    ("uploaded_at", "filed_at", "is_late"),
    [
        pytest.param(at(19), at(19), False, id="90.04(D)(2) next day"),
        pytest.param(at(27, 18), at(27, 18), False, id="example 31 on the 27th"),
        pytest.param(at(27, 23), at(30), False, id="example 31 uploaded on the 27th, words typed on the 30th"),
        pytest.param(at(28, 23), at(29), False, id="645.15 the last hour of the last day"),
        pytest.param(at(30), at(30), True, id="example 31 on the 30th: accepted and marked"),
    ],
)
def test_it_is_shown_when_it_is_uploaded(registrations, demand, send, database, clock, uploaded_at, filed_at, is_late):
    kept = registrations.dog(certificate=LATER)
    clock.move_to(FRIDAY)
    demand(kept)
    clock.move_to(filed_at)
    vaccination_id = send(kept, uploaded_at=uploaded_at)
    (row,) = demands(database)
    assert (row.presented_at, row.is_late, row.vaccination_id) == (uploaded_at, is_late, vaccination_id)
    assert database.value("SELECT count(*) FROM animal_control.event WHERE kind = 'certificate.presented'") == 1


def test_a_file_from_before_the_demand_is_shown_when_it_is_sent(registrations, demand, send, database, clock):
    kept = registrations.dog(certificate=LATER)
    clock.move_to(FRIDAY)
    demand(kept)
    clock.move_to(at(21))
    send(kept, uploaded_at=at(1))
    assert demands(database)[0].presented_at == at(21)


def test_one_certificate_answers_every_open_demand_and_no_later_one(registrations, demand, send, database, clock):
    kept = registrations.dog(certificate=LATER)
    clock.move_to(FRIDAY)
    demand(kept, on=date(2026, 12, 2))
    demand(kept)
    clock.move_to(at(21))
    send(kept, uploaded_at=at(21))
    demand(kept)
    assert [row.is_late for row in demands(database)] == [True, False, None]


def test_where_the_city_wants_the_paper_an_upload_is_not_enough(
    registrations, demand, send, database, clock, gateways, desk_engine
):
    city = replace(gateways.city, policy=replace(gateways.city.policy, upload_counts_as_presented=False))
    kept = registrations.dog(certificate=LATER)
    clock.move_to(FRIDAY)
    made = demand(kept, city=city)
    send(kept, uploaded_at=FRIDAY, city=city)
    assert demands(database)[0].presented_at is None
    clock.move_to(at(30))
    with committed(desk_engine) as session:
        show_to_officer(session, demand_id=made.id, officer=OFFICER, shown_on=date(2026, 12, 28), clock=clock)
    assert demands(database)[0].is_late is False
    with pytest.raises(Refused, match="shown already"), committed(desk_engine) as session:
        show_to_officer(session, demand_id=made.id, officer=OFFICER, clock=clock)


def test_what_a_clinic_files_answers_a_demand(registrations, demand, filings, database, clock):
    kept = registrations.dog(certificate=LATER)
    clock.move_to(FRIDAY)
    demand(kept)
    filings.file(filings.clinic())
    filings.match()
    assert demands(database)[0].is_late is False


def test_nothing_is_demanded_of_a_dog_that_died_or_in_the_future(registrations, demand, database):
    kept = registrations.dog(certificate=LATER)
    with pytest.raises(Refused, match="in the future"):
        demand(kept, on=date(2027, 1, 1))
    database.run("UPDATE animal_control.animal SET state = 'died'")
    with pytest.raises(Refused, match="not kept here"):
        demand(kept)
    with pytest.raises(NotTheirs):
        demand(replace(kept, animal_id=uuid4()))
    assert demands(database) == []
