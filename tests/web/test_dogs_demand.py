"""What a keeper sees of an officer's demand, and how sending the certificate answers it."""

from datetime import date, datetime

import pytest

from portal.services.certificates.demand_certificate import demand_certificate
from tests.support.documents import corners, saved
from tests.support.owing import committed
from tests.support.portal import CHICAGO
from tests.support.registrations import LATER, OFFICER

GOOD = {"given_on": date(2026, 6, 12), "due_on": date(2029, 6, 12), "dose": "booster", "duration_years": "3"}
PHOTO = (saved(corners(640, 480), "JPEG"), "image.jpg")
SENTENCE = "An officer asked for Rex’s certificateShow it by Thursday, December 24, 2026."


@pytest.fixture
def rex(registrations, gateways, clock):
    """A dog whose certificate was demanded on Friday, December 18, 2026 (example 31)."""
    kept = registrations.dog("Rex", certificate=LATER)
    clock.move_to(datetime(2026, 12, 18, 15, tzinfo=CHICAGO))
    with committed(gateways.engine) as session:
        demand_certificate(session, animal_id=kept.animal_id, officer=OFFICER, city=gateways.city, clock=clock)
    return kept


def test_the_list_and_the_dogs_page_say_by_when(resident, rex):
    assert SENTENCE in resident.visit("/dogs").text
    assert SENTENCE in resident.visit(f"/dogs/{rex.animal_id}").text
    assert "City Code § 90.04(D)(2)" in resident.text
    assert resident.click("Send Rex’s certificate").h1 == "Rex’s rabies certificate"
    assert SENTENCE in resident.text


def test_sending_it_answers_the_demand(resident, rex, database):
    resident.visit(f"/dogs/{rex.animal_id}/certificate").submit(file=PHOTO).submit(**GOOD)
    assert "An officer asked" not in resident.text
    assert "An officer asked" not in resident.visit("/dogs").text
    assert database.value("SELECT is_late FROM animal_control.certificate_demand") is False


def test_after_the_day_it_is_still_asked_for(resident, rex, clock):
    clock.move_to(datetime(2026, 12, 29, 9, tzinfo=CHICAGO))
    text = resident.visit("/dogs").text
    assert "It was to be shown by Thursday, December 24, 2026. Send it all the same." in text


def test_whoever_has_shown_it_before_is_not_told_to_wait_for_the_next_shot(resident, registrations, gateways, clock):
    kept = registrations.dog("Pepper")
    registrations.accept(kept)
    page = f"/dogs/{kept.animal_id}/certificate"
    assert "Send the new one once Pepper is vaccinated again" in resident.visit(page).text
    with committed(gateways.engine) as session:
        demand_certificate(session, animal_id=kept.animal_id, officer=OFFICER, city=gateways.city, clock=clock)
    assert "If there is no newer one, send the same again." in resident.visit(page).text
    assert "Send the new one once" not in resident.text


def test_nobody_else_sees_it(another_resident, rex):
    assert "An officer asked" not in another_resident.visit("/dogs").text
