"""The picture of a registered dog: sent later, replaced, taken away."""

import pytest

from tests.support.documents import corners, saved
from tests.support.registrations import LATER

FIRST, SECOND = ((saved(corners(width, 480), "JPEG"), "pepper.jpg") for width in (640, 720))
CHANGES = "SELECT actor, detail FROM animal_control.event WHERE kind = 'animal.changed' ORDER BY id"


@pytest.fixture
def pepper(registrations):
    """Pepper, registered without a picture."""
    return registrations.dog("Pepper", certificate=LATER)


@pytest.fixture
def show(resident, pepper):
    """Pat sends a picture of Pepper."""
    return lambda photo=FIRST: resident.visit(f"/dogs/{pepper.animal_id}/photo").submit(file=photo)


def pictures(page):
    return [picture.get("src") for picture in page.page.by_class("photo")]


def test_a_picture_is_sent_after_the_registration(resident, pepper, show, database):
    resident.visit(f"/dogs/{pepper.animal_id}")
    assert pictures(resident) == []
    resident.click("Add a picture of Pepper").submit(file=FIRST)
    assert resident.h1 == "Pepper"
    [shown] = pictures(resident)
    assert resident.client.get(shown, base_url=resident.origin).mimetype == "image/jpeg"
    [told] = database.rows(CHANGES)
    assert (told.actor, told.detail) == (f"keeper:{pepper.person_id}", {"changed": ["photo_id"]})


def test_another_takes_its_place_under_another_address(resident, pepper, show):
    """A browser keeps a picture for an hour: the new one would not be seen."""
    [before] = pictures(show())
    resident.click("Another picture of Pepper, or none").submit(file=SECOND)
    [after] = pictures(resident)
    assert before != after


def test_it_is_taken_away(resident, pepper, show):
    show()
    resident.click("Another picture of Pepper, or none").submit(button="Take the picture away")
    assert pictures(resident) == []
    assert "Add a picture of Pepper" in resident.links
    resident.visit(f"/dogs/{pepper.animal_id}/picture.jpg", status=404)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({}, "Choose a picture"),
        ({"file": (b"Dear city", "pepper.jpg")}, None),
    ],
    ids=["nothing chosen", "no picture"],
)
def test_what_is_no_picture_is_explained_and_changes_nothing(resident, pepper, show, sent, told, database):
    show()
    before = database.value("SELECT photo_id FROM animal_control.animal")
    resident.visit(f"/dogs/{pepper.animal_id}/photo").submit(**sent, status=422)
    assert len(resident.errors) == 1
    assert told is None or resident.errors == [told]
    assert database.value("SELECT photo_id FROM animal_control.animal") == before


def test_a_designated_dog_is_shown_by_the_city(resident, pepper, dangerous, database):
    resident.visit(f"/dogs/{pepper.animal_id}/photo")
    dangerous.designated(pepper)
    resident.submit(file=FIRST, status=422)
    assert "Pepper is a designated dog. To correct what the city holds of it, call" in resident.text
    assert database.value("SELECT photo_id FROM animal_control.animal") is None
    assert "Add a picture of Pepper" not in resident.visit(f"/dogs/{pepper.animal_id}").links
