"""The boards of missing pets and found animals, on a phone and by keyboard."""

import io
from datetime import UTC, datetime, timedelta

from portal.gateways.storage.store import new_key
from portal.schema.notices import Holding, NoticeKind, NoticeSpecies, Size
from tests.support.documents import corners, saved
from tests.support.notices import notice

NOON = datetime(2026, 11, 30, 18, tzinfo=UTC)
NAMES = ("Pepper", "Paj Ntaub Nkauj Hnub", "Ñandú 🐶", "Sir Bartholomew Fluffington the Third of Pomme de Terre, Esq")
PLACES = ((45.316, -95.602), (45.322, -95.611), (45.3163, -95.6022), (44.98, -93.27))


def test_somebody_looks_through_the_boards(open_screen, gallery, database, files):
    for number, (name, place) in enumerate(zip(NAMES, PLACES, strict=True)):
        keys = new_key("notices"), new_key("notices")
        for key in keys:
            files.put(key, io.BytesIO(saved(corners(480, 360), "JPEG")))
        photo = {"photo_key": keys[0], "thumbnail_key": keys[1], "photo_width": 480, "photo_height": 360}
        notice(
            database,
            f"R-{number}",
            name=name,
            size=Size.LARGE if number else None,
            latitude=place[0],
            longitude=place[1],
            created_at=NOON - timedelta(hours=number),
            **(photo if number != 1 else {}),
        )
    for number in range(25):
        cat = {"kind": NoticeKind.FOUND, "holding": Holding.HELD, "species": NoticeSpecies.CAT}
        notice(database, f"F-{number}", created_at=NOON - timedelta(hours=number), **cat)
    screen = open_screen(keyboard=True).visit("/lost").arrive("Missing pets")
    gallery.look(screen, "board-lost")
    screen.use(screen.page.locator("summary"))
    screen.answer(size="large").press("Show these", leads_to="Missing pets")
    assert "size=large" in screen.path
    gallery.look(screen, "board-lost-some")
    screen.follow("Show all", leads_to="Missing pets")
    screen.follow("animals that were found", leads_to="Found animals")
    gallery.look(screen, "board-found")
    screen.follow("Older notices", leads_to="Found animals")
    gallery.look(screen, "board-found-older")
    screen.visit("/found?species=bird").page.get_by_text("Nothing here is like that").first.wait_for()
    gallery.look(screen, "board-found-none")
