"""Several photos of one certificate, chosen together on a phone."""

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.support.documents import corners, saved
from tests.support.registrations import LATER

CHOSEN = re.compile(r"2 pages are chosen\. They were \d+ kB and are now \d+ kB\.")


def test_photos_chosen_together_are_made_smaller_and_sent_as_pages(
    open_screen, registrations, database, tmp_path: Path
):
    rex = registrations.dog("Rex", certificate=LATER)
    photos = [tmp_path / "front.jpg", tmp_path / "back.jpg"]
    for photo, size in zip(photos, [(2600, 1950), (1950, 2600)], strict=True):
        photo.write_bytes(saved(corners(*size), "JPEG", quality=95))
    screen = open_screen(email=rex.email, then="/dogs").visit(f"/dogs/{rex.animal_id}/certificate")
    screen.control("file").set_input_files(photos)
    expect(screen.page.locator("[data-chosen]")).to_have_text(CHOSEN)
    screen.press("Send this certificate", leads_to="What does Rex’s certificate say?")
    (row,) = database.rows("SELECT pages, size_bytes FROM portal.upload")
    assert [(page["width"], page["height"]) for page in row.pages] == [(2048, 1536), (1536, 2048)]
    assert row.size_bytes < sum(photo.stat().st_size for photo in photos)
