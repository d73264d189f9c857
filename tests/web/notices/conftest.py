"""People who miss a pet or found one, and answer page after page."""

import pytest

from tests.support.documents import corners, saved

PEPPER = {"name": "Pepper", "species": "dog", "color": "gray and white", "wears": "a red collar"}
CORNER = {"place": "13th Street and Idaho Avenue", "clock": "9:30 AM"}


def photo():
    return saved(corners(640, 480), "JPEG"), "image.jpg"


@pytest.fixture
def miss(resident):
    """Somebody files a notice of a missing pet, up to the check; `filed` up to the end."""

    def miss(*, by=resident, **more):
        said = {"pet": PEPPER, "where": CORNER, "more": {}} | more
        by.visit("/lost/new").submit(button="Start")
        by.submit(said["pet"], button="Continue")
        by.submit(button="Go on without a photo")
        by.submit(said["where"], button="Continue")
        return by.submit(said["more"], button="Continue")

    return miss


@pytest.fixture
def missed(miss):
    """The same, shown to everybody; the reference."""

    def missed(**more):
        person = miss(**more).submit(button="Show it to everybody")
        return person.path.rpartition("/")[2]

    return missed


@pytest.fixture
def find(visitor):
    """Somebody files a notice of a found animal, up to the check."""

    def find(*, by=visitor, **more):
        said = {
            "where": {"place": "Northside park", "holding": "sighted"},
            "pet": {"color": "brown"},
            "more": {},
        } | more
        by.visit("/found/new").submit(button="Start with a photo")
        by.submit(button="Go on without a photo")
        for step in ("where", "pet", "more"):
            by.submit(said[step], button="Continue")
        return by

    return find


@pytest.fixture
def found(find):
    """The same, shown to everybody; the reference."""

    def found(**more):
        person = find(**more).submit(button="Show it to everybody")
        return person.path.rpartition("/")[2]

    return found
