"""The poster of a missing pet, as anybody can print it."""

import io

import pytest
from pypdf import PdfReader

from portal.gateways.storage.store import new_key
from portal.schema.notices import Holding, NoticeKind, NoticeState, Temperament
from tests.support.documents import corners, saved
from tests.support.notices import notice

POSTER = "/lost/4K7PQ-XRM2T/poster.pdf"


@pytest.fixture
def picture(files):
    keys = new_key("notices"), new_key("notices")
    for key in keys:
        files.put(key, io.BytesIO(saved(corners(), "JPEG")))
    return dict(zip(("photo_key", "thumbnail_key"), keys, strict=True))


def words(pdf: bytes) -> str:
    (page,) = PdfReader(io.BytesIO(pdf)).pages
    return " ".join(page.extract_text().split())


def test_anybody_prints_what_the_notice_says_and_writes_by_its_address(visitor, database, picture):
    notice(database, temperament=Temperament.MAY_BITE, what_to_do="Shake a bag of treats", **picture)
    answer = visitor.client.get(POSTER)
    assert answer.mimetype == "application/pdf"
    said = words(answer.data)
    for told in (
        "LOST DOG",
        "Pepper",
        "gray and white",
        "a red collar",
        "13th Street and Idaho Avenue",
        "November 29, 2026, about 9:30 p.m.",
        "No se acerque",
        "Shake a bag of treats",
        "/lost/4K7PQ-XRM2T",
    ):
        assert told in said
    assert saved(corners(), "JPEG")[200:-2] in answer.data
    assert visitor.client.get(POSTER, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_a_poster_has_no_phone_but_the_one_that_was_chosen(visitor, database):
    notice(database, "A")
    notice(database, "B", shown_phone="(320) 555-0142")
    assert "Phone" not in words(visitor.client.get("/lost/A/poster.pdf").data)
    assert "(320) 555-0142" in words(visitor.client.get("/lost/B/poster.pdf").data)


def test_a_picture_that_is_gone_leaves_a_poster_of_words(visitor, database):
    notice(database, photo_key=new_key("notices"), thumbnail_key=new_key("notices"))
    assert "Pepper" in words(visitor.client.get(POSTER).data)


def test_who_scans_the_poster_of_one_that_is_home_reads_so(visitor, database):
    notice(database, state=NoticeState.HOME)
    visitor.visit(POSTER)
    assert visitor.h1 == "Pepper is home"


def test_what_nobody_may_see_has_no_poster(visitor, database):
    notice(database, "A", state=NoticeState.WITHDRAWN)
    notice(database, "B", kind=NoticeKind.FOUND, holding=Holding.SIGHTED)
    for reference in ("A", "B", "C"):
        visitor.visit(f"/lost/{reference}/poster.pdf", status=404)


def test_printing_changes_nothing(visitor, database):
    notice(database)
    before = database.content()
    visitor.client.get(POSTER)
    assert database.content() == before
