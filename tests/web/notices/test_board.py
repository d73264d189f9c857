"""The boards of missing pets and found animals, for people, feed readers and software."""

import re
from datetime import UTC, date, datetime, timedelta
from xml.etree import ElementTree

import pytest

from portal.schema.notices import Holding, NoticeKind, NoticeSpecies, NoticeState, Size
from tests.support.notices import notice

ATOM = "{http://www.w3.org/2005/Atom}"
NOON = datetime(2026, 11, 30, 18, tzinfo=UTC)


@pytest.fixture
def three(database):
    """A dog and a cat that are missing, and a dog that came home."""
    notice(database, "PEPPE-00001", size=Size.LARGE, created_at=NOON)
    notice(database, "MITTE-00002", species=NoticeSpecies.CAT, name="Mittens", created_at=NOON - timedelta(hours=1))
    notice(database, "REXXX-00003", name="Rex", state=NoticeState.HOME)


def test_whoever_looks_sees_the_newest_first_and_none_that_is_home(visitor, three):
    visitor.visit("/lost")
    assert visitor.h1 == "Missing pets"
    assert visitor.text.index("Pepper is missing") < visitor.text.index("Mittens is missing")
    assert "Rex" not in visitor.text
    visitor.visit("/found")
    assert visitor.h1 == "Found animals"
    assert "There is no notice now." in visitor.text


def test_a_found_animal_is_listed_with_where_it_is(visitor, database):
    notice(database, kind=NoticeKind.FOUND, holding=Holding.HELD, species=NoticeSpecies.CAT)
    visitor.visit("/found")
    assert "Found: gray and white cat Safe with the finder. 13th Street and Idaho Avenue" in visitor.text


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ("species=cat", ["Mittens"]),
        ("size=large", ["Pepper"]),
        ("species=dog&size=small", []),
        ("within=7", ["Pepper", "Mittens"]),
        ("species=any&size=any&within=any", ["Pepper", "Mittens"]),
        ("after=nonsense", ["Pepper", "Mittens"]),
        ("after=2026-11-30~x", ["Pepper", "Mittens"]),
    ],
)
def test_the_list_shows_only_what_was_asked_for(visitor, three, wanted, shown):
    visitor.visit(f"/lost?{wanted}")
    assert [name for name in ("Pepper", "Mittens") if f"{name} is missing" in visitor.text] == shown


def test_an_old_one_is_not_among_those_of_the_last_days(visitor, database, gateways):
    long_ago = gateways.clock.today() - timedelta(days=8)
    notice(database, happened_on=long_ago, happened_at=None)
    visitor.visit("/lost?within=7")
    assert "Nothing here is like that." in visitor.text


def test_an_answer_that_was_never_offered_is_asked_for_again(visitor, three):
    visitor.visit("/lost?species=dragon", status=422)
    assert visitor.title.startswith("Error: ")
    visitor.visit("/lost.json?species=dragon", status=422)


def test_the_list_goes_on_over_pages_and_keeps_what_was_asked_for(visitor, database):
    for number in range(30):
        notice(database, f"R-{number}", name=f"Dog{number:02}", created_at=NOON - timedelta(minutes=number))
    visitor.visit("/lost?species=dog")
    assert "Dog00 is missing" in visitor.text
    assert "Dog24" not in visitor.text
    visitor.click("Older notices")
    assert "Dog24 is missing" in visitor.text
    assert "Dog23 is missing" not in visitor.text
    assert "Older notices" not in visitor.text
    visitor.click("The newest")
    assert "Dog00 is missing" in visitor.text


def test_the_map_has_the_numbers_of_the_list(visitor, database):
    notice(database, "A", latitude=45.31, longitude=-95.6, created_at=NOON)
    notice(database, "B", created_at=NOON - timedelta(hours=1))
    notice(database, "C", latitude=46.9, longitude=-96.8, created_at=NOON - timedelta(hours=2))
    visitor.visit("/lost")
    assert "Number 1 on the map" in visitor.text
    assert "Number 2 on the map" not in visitor.text
    assert "Not on the map, for being farther out: number 3." in visitor.text


def test_without_a_known_place_there_is_no_map(visitor, three):
    visitor.visit("/lost")
    assert "On the map" not in visitor.text


def test_a_feed_reader_gets_each_notice_under_its_address_and_is_told_when_nothing_changed(visitor, three):
    answer = visitor.client.get("/lost.atom")
    assert answer.mimetype == "application/atom+xml"
    feed = ElementTree.fromstring(answer.data)  # noqa: S314 - our own
    titles = [found.text for found in feed.iterfind(f"{ATOM}entry/{ATOM}title")]
    assert titles == ["Pepper is missing", "Mittens is missing"]
    (first, _) = feed.iterfind(f"{ATOM}entry/{ATOM}id")
    assert str(first.text).endswith("/lost/PEPPE-00001")
    assert visitor.client.get("/lost.atom", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_a_feed_stays_well_formed_whatever_was_typed(visitor, database):
    notice(database, name="<b>&amp; \x0b\x1f ]]> \ufffe", wears='"collar" <script>')
    feed = ElementTree.fromstring(visitor.client.get("/lost.atom").data)  # noqa: S314 - our own
    (title,) = feed.iterfind(f"{ATOM}entry/{ATOM}title")
    assert title.text == "<b>&amp;  ]]>  is missing"


def test_software_gets_the_list_page_by_page_without_a_phone(visitor, database):
    for number in range(30):
        notice(database, f"R-{number}", shown_phone="(320) 555-0142", created_at=NOON - timedelta(minutes=number))
    first = visitor.client.get("/lost.json?species=dog").json
    second = visitor.client.get(first["next"]).json
    assert [one["reference"] for one in first["notices"] + second["notices"]] == [f"R-{n}" for n in range(30)]
    assert second["next"] is None
    assert "0142" not in str(first)
    assert first["notices"][0]["title"] == "Pepper is missing"


def test_software_learns_the_block_and_not_the_door(visitor, database):
    notice(database, latitude=45.316789, longitude=-95.602345)
    (told,) = visitor.client.get("/lost.json").json["notices"]
    assert (told["latitude"], told["longitude"]) == (45.317, -95.602)


def test_the_map_too_shows_the_block_and_not_the_door(visitor, database):
    notice(database, latitude=45.316789, longitude=-95.602345)
    dot = re.search(r"translate\(.*?\)", visitor.visit("/lost").page.html)[0]
    for north, east in ((0.0002, 0), (-0.0002, 0.0001)):
        values = {"latitude": 45.316789 + north, "longitude": -95.602345 + east}
        database.run("UPDATE animal_control.pet_notice SET latitude = :latitude, longitude = :longitude", **values)
        assert dot in visitor.visit("/lost").page.html


def test_a_board_of_any_length_takes_one_query(visitor, database, watch):
    for number in range(20):
        notice(database, f"R-{number}")
    for address in ("/lost", "/lost.json", "/lost.atom"):
        with watch.counting() as statements:
            visitor.client.get(address)
        assert len(statements) == 1


def test_nothing_that_is_withheld_is_on_any_list(visitor, database):
    notice(database, flagged_for="phone in the text", kind=NoticeKind.FOUND, holding=Holding.HELD)
    for address in ("/found", "/found.json", "/found.atom"):
        assert b"phone in the text" not in visitor.client.get(address).data


def test_previews_prefetching_and_crawlers_change_nothing(visitor, database):
    notice(database)
    before = database.content()
    for address in ("/lost", "/lost.json", "/lost.atom", "/found", "/lost/4K7PQ-XRM2T", "/lost?species=dog&after=x~y"):
        for agent in ("facebookexternalhit/1.1", "Googlebot/2.1"):
            for method in ("GET", "HEAD"):
                visitor.client.open(
                    address, method=method, headers={"User-Agent": agent, "Sec-Purpose": "prefetch;prerender"}
                )
    assert database.content() == before


def test_a_link_that_is_shared_shows_the_pet_and_where_it_was(visitor, database):
    notice(database, photo_key="notices/aa/a", thumbnail_key="notices/aa/b", photo_width=640, photo_height=480)
    visitor.visit("/lost/4K7PQ-XRM2T")
    told = dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', visitor.answer.text))
    assert told["og:title"] == "Pepper is missing"
    assert told["og:description"].startswith("Last seen November 29, 2026 at 13th Street and Idaho Avenue.")
    assert told["og:image"].startswith("http")
    assert told["og:image"].endswith("/lost/4K7PQ-XRM2T/photo.jpg")
    assert told["og:image:width"] == "640"


def test_a_shared_link_of_one_that_is_home_shows_no_picture_and_no_place(visitor, database):
    notice(database, state=NoticeState.HOME, happened_on=date(2026, 11, 29))
    answer = visitor.client.get("/lost/4K7PQ-XRM2T").text
    assert "og:title" in answer
    assert "og:image" not in answer
    assert "Idaho" not in answer
