"""The page of a notice as everybody sees it."""

from io import BytesIO

import pytest
from PIL import Image

from portal.gateways.storage.store import new_key
from portal.schema.notices import Holding, NoticeKind, NoticeSpecies, NoticeState
from tests.support.documents import corners, saved
from tests.support.notices import notice

ADDRESS = "/lost/4K7PQ-XRM2T"


@pytest.fixture
def photo(files):
    """A picture in the file store, as a notice keeps it."""
    large, small = new_key("notices"), new_key("notices")
    files.put(large, BytesIO(saved(corners(640, 480), "JPEG")))
    files.put(small, BytesIO(saved(corners(320, 240), "JPEG")))
    return {"photo_key": large, "thumbnail_key": small, "photo_width": 640, "photo_height": 480}


def test_a_missing_pet_is_shown_with_what_its_people_said(visitor, database, photo):
    notice(database, what_to_do="Sit down and call her", **photo)
    visitor.visit(ADDRESS)
    assert visitor.h1 == "Pepper is missing"
    for said in (
        "November 29, 2026 at 9:30 p.m.",
        "13th Street and Idaho Avenue",
        "Sit down and call her",
        "a red collar",
    ):
        assert said in visitor.text
    visitor.visit(f"{ADDRESS}/photo.jpg")
    assert Image.open(BytesIO(visitor.answer.data)).size == (640, 480)
    assert visitor.answer.headers["Cache-Control"] == "no-cache"


def test_a_found_animal_says_where_it_is_and_no_more(visitor, database):
    notice(database, kind=NoticeKind.FOUND, holding=Holding.HELD, species=NoticeSpecies.CAT, color="black")
    visitor.visit("/found/4K7PQ-XRM2T")
    assert visitor.h1 == "Found: black cat"
    assert "Safe with the finder" in visitor.text


def test_a_pet_that_is_home_has_its_page_and_no_picture(visitor, database):
    notice(database, state=NoticeState.HOME)
    visitor.visit(ADDRESS)
    assert visitor.h1 == "Pepper is home"
    assert "Idaho" not in visitor.text
    visitor.visit(f"{ADDRESS}/photo.jpg", status=404)


def test_a_notice_that_is_not_shown_has_neither_page_nor_picture(visitor, database, photo):
    notice(database, state=NoticeState.TAKEN_DOWN, **photo)
    visitor.visit(ADDRESS, status=404)
    visitor.visit(f"{ADDRESS}/small.jpg", status=404)


@pytest.mark.parametrize(("kind", "next_step"), [("lost", "I found an animal"), ("found", "My pet is missing")])
def test_who_scans_an_old_poster_is_led_on(visitor, database, kind, next_step):
    """One that is over and one that never was can't be told apart."""
    notice(database, kind=NoticeKind(kind), state=NoticeState.EXPIRED)
    for reference in ("4K7PQ-XRM2T", "ZZZZZ-ZZZZZ"):
        visitor.visit(f"/{kind}/{reference}", status=404)
        assert visitor.h1 == "This notice is not shown"
        assert next_step in visitor.links


def test_opening_a_page_changes_nothing(visitor, database):
    """Previews, prefetching and crawlers are never taken for somebody who saw the pet."""
    notice(database)
    before = database.content()
    for agent in ("facebookexternalhit/1.1", "Twitterbot/1.0", "Mozilla/5.0"):
        visitor.client.get(ADDRESS, headers={"User-Agent": agent, "Sec-Purpose": "prefetch"})
        visitor.client.head(ADDRESS, headers={"User-Agent": agent})
    assert database.content() == before


@pytest.mark.parametrize("typed", ["4k7pqxrm2t", "4K7PQ%20XRM2T", "4k7pq-xrm2t"])
def test_an_address_typed_off_a_poster_is_found(visitor, database, typed):
    notice(database)
    assert visitor.visit(f"/lost/{typed}").path == ADDRESS
    assert visitor.h1 == "Pepper is missing"


@pytest.mark.parametrize("path", [ADDRESS.replace("4", "5"), "/lost/%22", "/lost/%00", "/notices/%00", "/desk/%00"])
def test_an_address_that_leads_nowhere_says_so(visitor, path):
    visitor.visit(path, status=404)


@pytest.mark.parametrize("page", ["seen", "wrong"])
def test_who_comes_to_tell_of_a_pet_that_is_home_reads_so(visitor, database, page):
    notice(database, state=NoticeState.HOME)
    assert visitor.visit(f"{ADDRESS}/{page}").path == ADDRESS
    assert visitor.h1 == "Pepper is home"
