"""The disk is full, or the store is away: people are told kindly, keep what they entered, and go on afterwards."""

import pytest

from tests.support.documents import corners, saved
from tests.support.registrations import LATER
from tests.support.reporting import NEXT_DOOR

PHOTO = (saved(corners(640, 480), "JPEG"), "image.jpg")
KIND = "We can’t keep files at the moment"


@pytest.fixture
def reporter(visitor):
    """Somebody who is asked for photos."""
    visitor.visit("/reports/new/other").submit(button="Start").submit(place=NEXT_DOOR, button="Continue")
    visitor.submit(is_when="now", button="Continue").submit(animal="A brown dog", button="Continue")
    return visitor.submit(narrative="It was there", button="Continue")


def test_a_certificate_waits_until_there_is_room(resident, registrations, files, database):
    kept = registrations.dog("Pepper", certificate=LATER)
    files.is_full = True
    resident.visit(f"/dogs/{kept.animal_id}/certificate").submit(file=PHOTO, status=422)
    assert KIND in resident.page.errors[0]
    assert not files.files
    assert "portal.upload" not in database.counts()
    files.is_full = False
    assert resident.submit(file=PHOTO).h1 == "What does Pepper’s certificate say?"


def test_a_report_keeps_its_words_and_takes_the_photo_later(reporter, files):
    files.is_full = True
    reporter.submit(file=[PHOTO], button="Add these and more", status=422)
    assert KIND in reporter.page.errors[0]
    files.is_full = False
    reporter.submit(file=[PHOTO], button="Add these and more")
    assert "image.jpg" in reporter.text


def test_a_picture_that_cannot_be_fetched_now_is_not_said_to_be_gone(reporter, files):
    """503, so that nobody sends it again; 404 is for what is not there."""
    reporter.submit(file=[PHOTO], button="Add these and more")
    picture = next(image.attrib["src"] for image in reporter.page.document.iter("img"))
    files.is_away = True
    reporter.visit(picture, status=503)
    assert reporter.answer.headers["Retry-After"] == "30"
    files.is_away = False
    reporter.visit(picture)
