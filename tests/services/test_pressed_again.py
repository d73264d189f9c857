"""Somebody presses the button again while the first press is still being written: it is done once, and both are told.

Without script nothing holds the second press back (R1).
"""

import time
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from portal.ordinance.dangerous import Designated, Ground
from portal.schema.clinics import CertificateDemand
from portal.schema.dangerous import DangerousDesignation
from portal.schema.dangerous_notices import HearingRequest
from portal.schema.impoundments import Impoundment
from portal.services.certificates.demand_certificate import demand_certificate
from portal.services.dangerous.designate_dog import IS_ENTERED, NoticeGiven, designate_dog
from portal.services.dangerous.request_hearing import HearingAsked, request_hearing
from portal.services.pound.impound import Intake, take_in
from portal.services.refusal import Refused
from tests.support.owing import committed
from tests.support.registrations import OFFICER

WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


@pytest.fixture
def pressed_twice(database):
    """The same form comes again while what came of it is not committed: what each press gave, or its refusal."""

    def pressed_twice(engine, deed):
        def again():
            with committed(engine) as session:
                return deed(session)

        with ThreadPoolExecutor(1) as second, committed(engine) as session:
            first = deed(session)
            waits = second.submit(again)
            until = time.monotonic() + 60
            while not database.value(WAITS):
                assert time.monotonic() < until, "the second press waits for nothing"
                time.sleep(0.01)
        return first, waits.result(60)

    return pressed_twice


def test_a_hearing_asked_for_by_two_presses_is_one_request_with_one_receipt(
    pressed_twice, registrations, gateways, database, outbox
):
    pat = registrations.dog("Pepper")
    asked = HearingAsked(
        key=uuid4(),
        kind=Designated.DANGEROUS,
        dog="Pepper",
        name="Pat O’Brien",
        signed_name="Pat O’Brien",
        email="pat@example.com",
    )
    who = {"designation": None, "person_id": pat.person_id, "city": gateways.city, "clock": gateways.clock}
    first, second = pressed_twice(gateways.engine, lambda session: request_hearing(session, asked, **who).reference)
    assert first == second
    assert len(database.all(HearingRequest)) == len(outbox.letters(template="hearing_received")) == 1


def test_an_animal_that_an_officer_takes_in_by_two_presses_came_once(
    pressed_twice, registrations, desk_engine, clock, database
):
    pepper = registrations.dog("Pepper")
    intake = Intake(
        species="dog", place="212 Elm Street", seized_on=clock.today(), animal_id=pepper.animal_id, key=uuid4()
    )
    first, second = pressed_twice(
        desk_engine, lambda session: take_in(session, intake, officer=OFFICER, clock=clock).id
    )
    assert first == second
    assert len(database.all(Impoundment)) == 1


def test_a_certificate_that_an_officer_demands_by_two_presses_is_demanded_once(
    pressed_twice, registrations, gateways, desk_engine, database, outbox
):
    pepper, key = registrations.dog("Pepper"), uuid4()
    what = {"animal_id": pepper.animal_id, "officer": OFFICER, "city": gateways.city, "clock": gateways.clock}
    first, second = pressed_twice(desk_engine, lambda session: demand_certificate(session, key=key, **what).id)
    assert first == second
    assert len(database.all(CertificateDemand)) == len(outbox.letters(template="certificate_demanded")) == 1


def test_a_dog_that_an_officer_designates_by_two_presses_is_designated_once_and_the_second_is_told(
    pressed_twice, desk_engine, gateways, database
):
    given = NoticeGiven(
        kind=Designated.DANGEROUS,
        grounds=(Ground.HARMED_PERSON,),
        dog="Black Labrador",
        noticed_on=gateways.clock.today(),
        key=uuid4(),
    )
    how = {"officer": OFFICER, "city": gateways.city, "clock": gateways.clock}
    with pytest.raises(Refused, match=IS_ENTERED):
        pressed_twice(desk_engine, lambda session: designate_dog(session, given, **how).code)
    assert len(database.all(DangerousDesignation)) == 1
