"""Photos, sounds and films of a report: taken if they can be, told if not, and stripped of place and camera (V1)."""

from io import BytesIO

import pytest
from PIL import Image
from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

from portal.services.reports.answers import MOST_FILES
from portal.services.reports.draft import DRAFT_LASTS
from tests.support.documents import corners, saved
from tests.support.reporting import NEXT_DOOR
from tests.web.test_found_tag import photo_with_a_place

FILM = (b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 2_000, "Rex at night.mp4")
SOUND = (b"OggS" + b"\x00" * 2_000, "bark.ogg")
TWO_GB = 2_000_000_000


@pytest.fixture
def reporter(visitor):
    """Somebody who is asked for photos."""
    visitor.visit("/reports/new/other").submit(button="Start").submit(place=NEXT_DOOR, button="Continue")
    visitor.submit(is_when="now", button="Continue").submit(animal="A brown dog", button="Continue")
    return visitor.submit(narrative="It was there", button="Continue")


def send(person):
    person.submit(button="Continue").submit(is_named="no", button="Continue").submit(button="Continue")
    return person.submit(signed=True, button="Send the report")


def stored_files(database):
    return database.rows("SELECT * FROM animal_control.report_file ORDER BY original_name")


def test_a_photo_loses_its_place_and_a_film_stays_as_it_came(reporter, database, gateways):
    """V1."""
    reporter.submit(file=[photo_with_a_place(), FILM], button="Add these and more")
    assert "image.jpg" in reporter.text
    assert "Rex at night.mp4" in reporter.text
    reporter.submit(file=SOUND, button="Add these and more")
    send(reporter)
    files = {row["original_name"]: row for row in stored_files(database)}
    assert {name: row["kind"] for name, row in files.items()} == {
        "image.jpg": "photo",
        "Rex at night.mp4": "video",
        "bark.ogg": "sound",
    }
    for key in (files["image.jpg"]["key"], files["image.jpg"]["thumbnail_key"]):
        content = gateways.storage.open(key).read()
        assert not Image.open(BytesIO(content)).getexif()
        assert b"Robins phone" not in content
    assert gateways.storage.open(files["Rex at night.mp4"]["key"]).read() == FILM[0]


def test_the_small_picture_is_for_this_browser_and_kept_nowhere(reporter, arrive):
    reporter.submit(file=photo_with_a_place(), button="Add these and more")
    address = next(image.attrib["src"] for image in reporter.page.document.iter("img"))
    answer = reporter.client.get(address)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert not Image.open(BytesIO(answer.data)).getexif()
    assert arrive().client.get(address).status_code == 404


def test_what_was_added_can_be_taken_out_again(reporter, database):
    reporter.submit(file=[photo_with_a_place(), SOUND], button="Add these and more")
    reporter.submit(button="Remove bark.ogg")
    assert "bark.ogg" not in reporter.text
    send(reporter)
    assert [row["original_name"] for row in stored_files(database)] == ["image.jpg"]


def test_a_file_that_cannot_be_read_takes_no_other_with_it(reporter):
    reporter.submit(file=[photo_with_a_place(), (b"#!/bin/sh", "run.sh")], button="Continue", status=422)
    assert len(reporter.errors) == 1
    assert "image.jpg" in reporter.text


def test_a_film_over_the_limit_of_a_file_is_told(reporter, gateways):
    most = gateways.city.uploads.max_file_bytes
    film = FileStorage(BytesIO(FILM[0] + b"\x00" * most), "long.mp4", "file")
    [token] = reporter.page.values["csrf_token"][:1]
    boundary, body = encode_multipart({"csrf_token": token, "file": film})
    answer = reporter.client.post(
        reporter.path,
        input_stream=BytesIO(body),
        content_type=f"multipart/form-data; boundary={boundary}",
        content_length=len(body),
    )
    assert answer.status_code == 422
    assert "long.mp4 is larger than 15 MB. Send a shorter piece of it, or tell us that you have it" in answer.text


def test_what_is_refused_is_told_with_all_that_is_taken(reporter):
    reporter.submit(file=(b"not really", "letter.docx"), button="Continue", status=422)
    assert reporter.errors[0].startswith("This file is not a photo, a sound, a film or a PDF")
    assert "Photos, sound, video or a PDF" in reporter.text


def test_a_film_of_two_gigabytes_is_cut_off_and_answered(reporter):
    """It is refused by what it says of itself, before anybody reads it."""
    answer = reporter.client.post(
        reporter.path,
        content_type="multipart/form-data; boundary=x",
        input_stream=BytesIO(b"--x"),
        environ_overrides={"CONTENT_LENGTH": str(TWO_GB)},
    )
    assert answer.status_code == 413
    assert "20 MB" in answer.text
    assert reporter.visit(reporter.path).h1 == "Photos, sound or video"


# The files of a form with too many parts are left to the garbage collector by the library that reads it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_thousand_photos_are_told_how_many_there_may_be(reporter):
    many = [(saved(corners(8, 8), "PNG"), f"{number}.png") for number in range(MOST_FILES + 1)]
    reporter.submit(file=many, button="Continue", status=422)
    assert reporter.errors == ["Send 20 files or fewer. More can be added later"]
    assert reporter.client.post(
        reporter.path, data={"csrf_token": "x", "file": [(BytesIO(b"x"), f"{n}.jpg") for n in range(1_000)]}
    ).status_code in {413, 422}


def test_files_of_a_draft_are_forgotten_with_it(reporter, clock):
    reporter.submit(file=photo_with_a_place(), button="Add these and more")
    clock.move_to(clock.now() + DRAFT_LASTS)
    assert reporter.visit("/reports/new/other/files").path == "/reports/new/other"
