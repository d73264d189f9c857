"""Somebody corrects what clinics' certificates are found by: those that waited are compared again at once."""

from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from portal.schema.animals import Sex
from tests.support.registrations import HOME, LATER, OWNER
from tests.web.test_dogs_certificate import GOOD, PHOTO

CHIP, MISTYPED = "985112003456789", "985112003456788"


@pytest.fixture
def state(database):
    return lambda filing_id: database.value(
        "SELECT state FROM animal_control.clinic_filing WHERE id = :id", id=filing_id
    )


@pytest.fixture
def compared(filings, state):
    """A clinic filed Pepper's certificate, and the worker has looked for the animal; the filing and where it stands."""

    def compared(**changed):
        filing_id = filings.file(filings.clinic(), **changed)
        filings.match()
        return filing_id, state(filing_id)

    return compared


def test_a_certificate_waits_no_longer_once_the_microchip_is_right(resident, registrations, compared, filings, state):
    kept = registrations.dog(microchip=MISTYPED, certificate=LATER)
    filing_id, before = compared(owner_name="Lee Park", microchip=CHIP)
    resident.visit(f"/dogs/{kept.animal_id}/details").submit(microchip=CHIP)
    filings.match()
    assert (before, state(filing_id)) == ("waiting", "filed")


@pytest.mark.parametrize(
    ("typed", "corrected"),
    [
        ({"microchip": MISTYPED}, {"microchip": CHIP}),
        ({"sex": Sex.MALE}, {"sex": "female"}),
    ],
    ids=["its microchip was another", "it was male"],
)
def test_what_spoke_against_it_is_put_right(resident, registrations, compared, filings, state, typed, corrected):
    kept = registrations.dog(certificate=LATER, **typed)
    filing_id, before = compared(microchip=CHIP if "microchip" in typed else None)
    resident.visit(f"/dogs/{kept.animal_id}/details").submit(**corrected)
    filings.match()
    assert (before, state(filing_id)) == ("unsure", "filed")


def test_the_name_of_a_dog_is_put_right_at_the_desk(working, registrations, compared, filings, state):
    kept = registrations.dog("Peper", certificate=LATER)
    filing_id, before = compared()
    working().visit(f"/desk/dogs/{kept.animal_id}").click("Correct the record of Peper").submit(animal_name="Pepper")
    filings.match()
    assert (before, state(filing_id)) == ("waiting", "filed")


def test_the_name_of_an_owner_is_put_right(resident, registrations, compared, filings, state):
    registrations.dog(certificate=LATER, owner=replace(OWNER, name="Pat Bryan"))
    filing_id, before = compared()
    resident.visit("/me/details").submit(owner_name="Pat O’Brien")
    filings.match()
    assert (before, state(filing_id)) == ("waiting", "filed")


def test_an_owner_moves_to_where_the_clinic_says_they_live(resident, registrations, compared, filings, state):
    registrations.dog(certificate=LATER, home=replace(HOME, line1="20 Kansas Ave"))
    filing_id, before = compared()
    resident.visit("/me/address").submit(line1="1310 Idaho Ave")
    filings.match()
    assert (before, state(filing_id)) == ("unsure", "filed")


def test_a_certificate_tells_the_rabies_tag(resident, registrations, compared, filings, state):
    kept = registrations.dog(certificate=LATER)
    filing_id, before = compared(animal_name="Pep", rabies_tag="26-0412")
    resident.visit(f"/dogs/{kept.animal_id}/certificate").submit(file=PHOTO).submit({**GOOD, "rabies_tag": "26 0412"})
    filings.match()
    assert (before, state(filing_id)) == ("waiting", "filed")


def test_what_no_certificate_is_found_by_has_none_compared(resident, registrations, compared, database):
    kept = registrations.dog("Rex", certificate=LATER)
    compared()
    resident.visit(f"/dogs/{kept.animal_id}/details").submit(color="brown")
    assert database.value("SELECT looked_at FROM animal_control.clinic_filing")


def test_nobody_waits_for_a_certificate_that_is_being_compared(resident, registrations, compared, database):
    """The worker holds it, and asks next for the animal that whoever corrects it holds."""
    kept = registrations.dog("Rex", certificate=LATER)
    filing_id, _ = compared()
    with Session(database.engine) as session, session.begin():
        held = text("SELECT id FROM animal_control.clinic_filing WHERE id = :id FOR UPDATE")
        session.execute(held, {"id": filing_id})
        resident.visit(f"/dogs/{kept.animal_id}/details").submit(animal_name="Pepper")
    assert resident.h1 == "Pepper"
    assert database.value("SELECT looked_at FROM animal_control.clinic_filing"), "its turn comes within the hour"
