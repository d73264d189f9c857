"""Many PDFs and photos at once, and filling in what they say."""

from io import BytesIO
from pathlib import Path

import pytest
from werkzeug.datastructures import MultiDict

from tests.support.documents import corners, saved
from tests.web.vet.conftest import TYPED

SAMPLES = Path(__file__).parent.parent.parent / "samples"
PHOTO = saved(corners(640, 480), "JPEG")
OTHER = saved(corners(480, 640), "JPEG")


def send(vet, *files, status=200):
    """The plain form with several files chosen."""
    vet.visit("/vet/files")
    sent = [("csrf_token", vet.page.values["csrf_token"][0])]
    sent += [("files", (BytesIO(content), name)) for content, name in files]
    answer = vet.client.post(
        "/vet/files", data=MultiDict(sent), base_url=vet.origin, content_type="multipart/form-data"
    )
    answer.request.environ["wsgi.input"].close()  # a large form lies in a file of the test client's
    assert answer.status_code == status, answer.text
    return answer.text


def count(database) -> int:
    return database.counts().get("animal_control.clinic_filing", 0)


def test_each_file_becomes_a_filing_to_fill_in(vet, database):
    """U4: two of one name stay two."""
    html = send(vet, (PHOTO, "image.jpg"), (OTHER, "image.jpg"))
    assert html.count('data-received="yes"') == 2
    assert count(database) == 2
    assert vet.visit("/vet").text.count("2 wait to be filled in") == 1
    assert vet.visit("/vet/certificates?state=to_fill_in").text.count("To fill in") >= 2


@pytest.mark.parametrize("name", ["empty.jpg", "truncated.jpg", "bomb-40000x40000.png", "script.svg", "html-named.pdf"])
def test_a_file_that_cannot_be_read_is_told_beside_its_name_and_holds_up_no_other(vet, database, name):
    """U6, U7, U8."""
    html = send(vet, ((SAMPLES / name).read_bytes(), name), (PHOTO, "good.jpg"))
    assert (html.count('data-received="no"'), html.count('data-received="yes"')) == (1, 1)
    assert count(database) == 1


def test_only_files_that_cannot_be_read_are_an_error_of_the_page(vet):
    html = send(vet, ((SAMPLES / "script.svg").read_bytes(), "script.svg"), status=422)
    assert "None of these could be received" in html
    assert 'data-received="no"' in html


def test_a_full_disk_is_told_beside_each_file(vet, files, database):
    files.is_full = True
    assert "We can’t keep files at the moment" in send(vet, (PHOTO, "image.jpg"), status=422)
    assert count(database) == 0


def test_no_file_is_asked_for(vet):
    assert vet.visit("/vet/files").submit(status=422).errors == ["Choose one or more photos or PDFs"]


def test_the_same_file_again_is_the_same_filing(vet, database):
    send(vet, (PHOTO, "image.jpg"))
    assert "We have this file already" in send(vet, (PHOTO, "copy of image.jpg"))
    assert (count(database), database.counts()["animal_control.document"]) == (1, 1)


def test_the_same_file_of_another_clinic_is_another_filing_and_tells_nothing(vet, other_vet, database):
    send(vet, (PHOTO, "image.jpg"))
    assert "We have this file already" not in send(other_vet, (PHOTO, "image.jpg"))
    assert count(database) == 2


def test_a_names_file_is_only_text(vet):
    """U4."""
    html = send(vet, (PHOTO, "<b>фото😆</b>.jpg"))
    assert "&lt;b&gt;фото😆&lt;/b&gt;.jpg" in html


def test_one_after_the_other_is_filled_in_beside_its_picture(vet, database):
    send(vet, (PHOTO, "a.jpg"), (OTHER, "b.jpg"))
    page = vet.visit("/vet/certificates?state=to_fill_in")
    page.visit(next(href for href in page.links.values() if "/certificates/" in href)).click("Fill it in")
    first = page.path
    picture = next(href for href in page.links.values() if href.endswith("/1.jpg"))
    assert vet.client.get(picture, base_url=vet.origin).data.startswith(b"\xff\xd8\xff")
    assert page.page.values["given_on-day"] == [""]
    page.submit(TYPED)
    assert page.h1 == "What does this certificate say?"
    assert page.path != first
    page.submit(TYPED)
    assert page.h1 == "What you have sent"
    states = {row.state for row in database.rows("SELECT state FROM animal_control.clinic_filing")}
    assert states == {"waiting"}


def test_what_was_filled_in_by_a_colleague_meanwhile_is_told(vet, database):
    send(vet, (PHOTO, "a.jpg"))
    filing_id = database.value("SELECT id FROM animal_control.clinic_filing")
    page = vet.visit(f"/vet/certificates/{filing_id}/fill-in")
    database.run("UPDATE animal_control.clinic_filing SET state = 'waiting'")
    assert page.submit(TYPED, status=422).errors == ["Somebody at your clinic has filled this in meanwhile"]


def test_what_was_read_from_the_file_stands_in_the_boxes(vet, database):
    send(vet, (PHOTO, "a.jpg"))
    filing_id = database.value("SELECT id FROM animal_control.clinic_filing")
    database.run("DELETE FROM portal.reading")
    database.run(
        "INSERT INTO portal.reading (upload_id, state, fields) SELECT id, 'done', "
        """'{"given_on": {"value": "2026-06-12", "sure": 0.9}, "animal_name": {"value": "Pepper", "sure": 1},"""
        """ "due_on": {"value": "nonsense", "sure": 1}, "sex": {"value": "female", "sure": 1}}' FROM portal.upload"""
    )
    values = vet.visit(f"/vet/certificates/{filing_id}/fill-in").page.values
    assert (values["animal_name"], values["given_on-day"], values["sex"]) == (["Pepper"], ["12"], ["female"])
    assert values["due_on-day"] == [""]


def test_a_stored_file_that_is_gone_breaks_no_page(vet, files, database):
    """U6."""
    send(vet, (PHOTO, "a.jpg"))
    filing_id = database.value("SELECT id FROM animal_control.clinic_filing")
    files.files.clear()
    vet.visit(f"/vet/certificates/{filing_id}")
    vet.visit(f"/vet/certificates/{filing_id}/1.jpg", status=404)
