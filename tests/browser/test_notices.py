"""A pet is missing and somebody found it, each with a phone in one hand; every page of it, and its mistakes."""

from datetime import date

import pytest

from tests.browser.conftest import EMAIL
from tests.support.documents import corners, saved

TODAY = date(2026, 11, 30)
SMALL = {"viewport": {"width": 320, "height": 640}}
PEPPER = {"name": "🐶 Nkauj Hnub", "color": "gray and white", "wears": "a red collar"}


@pytest.fixture
def photo(tmp_path):
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(saved(corners(640, 480), "JPEG"))
    return photo


def test_a_missing_pet_comes_home_without_any_script(open_screen, photo, registrations):
    registrations.account(EMAIL)
    owner = open_screen(email=EMAIL, then="/dogs", script=False, **SMALL).visit("/lost/new")
    owner.press("Start", leads_to="What does it look like?").answer(PEPPER)
    owner.press("Continue", leads_to="A photo").answer(photo=photo)
    owner.press("Send the photo", leads_to="Is this photo good?")
    owner.press("Turn left", leads_to="Is this photo good?")
    owner.press("Continue", leads_to="Where and when was it last seen?").answer(place="Northside park")
    owner.press("Continue", leads_to="If somebody sees it").press("Continue", leads_to="Who sees what")
    owner.press("Show it to everybody", leads_to="Your notice: 🐶 Nkauj Hnub")
    public = f"/lost/{owner.path.rpartition('/')[2]}"
    seer = open_screen(script=False, **SMALL).visit(public)
    seer.follow("I saw 🐶 Nkauj Hnub", leads_to="I saw 🐶 Nkauj Hnub")
    seer.answer(holding="held", place="By the river").press(
        "Tell its people", leads_to="🐶 Nkauj Hnub’s people are being told"
    )
    seer.page.get_by_text("Tell the police by").first.wait_for()
    owner.visit(owner.path).use(owner.page.locator("main .links a").first)
    owner.arrive("Somebody wrote about 🐶 Nkauj Hnub").answer(message="On my way!")
    owner.press("Send", leads_to="Somebody wrote about 🐶 Nkauj Hnub")
    seer.follow("Look for answers", leads_to="🐶 Nkauj Hnub’s people are being told")
    seer.page.get_by_text("On my way!").first.wait_for()
    owner.follow("Your notice", leads_to="Your notice: 🐶 Nkauj Hnub")
    owner.press("🐶 Nkauj Hnub is home!", leads_to="Your notice: 🐶 Nkauj Hnub")
    seer.visit(public).arrive("🐶 Nkauj Hnub is home")


def test_each_page_of_a_missing_pet_and_its_mistakes(open_screen, gallery, photo, registrations):
    registrations.licensed("Pepper")
    owner = open_screen(email=EMAIL, then="/dogs").visit("/lost/new")
    gallery.look(owner, "lost-new")
    gallery.look_at_mistakes(owner, "lost-new", button="Start")
    owner.answer(pet="another").press("Start", leads_to="What does it look like?")
    gallery.look(owner, "lost-pet")
    gallery.look_at_mistakes(owner, "lost-pet", button="Continue")
    owner.answer(PEPPER).press("Continue", leads_to="A photo")
    gallery.look(owner, "lost-photo")
    owner.answer(photo=photo).press("Send the photo", leads_to="Is this photo good?")
    gallery.look(owner, "lost-photo-cut")
    owner.press("Continue", leads_to="Where and when was it last seen?")
    gallery.look(owner, "lost-where")
    gallery.look_at_mistakes(owner, "lost-where", button="Continue")
    owner.answer(place="Northside park", on=TODAY).press("Continue", leads_to="If somebody sees it")
    gallery.look(owner, "lost-more")
    owner.answer(temperament="shy", what_to_do="Call 320-555-0142").press("Continue", leads_to="Who sees what")
    gallery.look(owner, "lost-check")
    owner.press("Show it to everybody", leads_to="Your notice: 🐶 Nkauj Hnub")
    gallery.look(owner, "lost-own")
    reference = owner.path.rpartition("/")[2]
    seer = open_screen().visit(f"/lost/{reference}")
    gallery.look(seer, "lost-shown")
    gallery.look(seer.visit(f"/lost/{reference}/wrong"), "lost-wrong")
    gallery.look_at_mistakes(seer, "lost-wrong", button="Tell the city")
    seer.answer(what="scam").press("Tell the city", leads_to="Thank you. The city looks at it")
    gallery.look(seer, "lost-complained")
    seer.visit(f"/lost/{reference}/seen")
    gallery.look(seer, "lost-seen")
    gallery.look_at_mistakes(seer, "lost-seen", button="Tell its people")
    seer.answer(holding="sighted", place="By the river", on=TODAY, message="She ran north.")
    seer.press("Tell its people", leads_to="🐶 Nkauj Hnub’s people are being told")
    gallery.look(seer, "lost-seen-talk")
    gallery.look(owner.visit(f"/notices/{reference}"), "lost-own-seen")
    owner.use(owner.page.locator("main .links a").first)
    gallery.look(owner.arrive("Somebody wrote about 🐶 Nkauj Hnub"), "lost-talk")
    gallery.look_at_mistakes(owner, "lost-talk", button="Send")
    owner.visit(f"/notices/{reference}").press("🐶 Nkauj Hnub is home!").page.get_by_text(
        "We are glad"
    ).first.wait_for()
    gallery.look(owner, "lost-own-home")
    gallery.look(owner.visit("/notices"), "notices")
    gallery.look(seer.visit(f"/lost/{reference}"), "lost-home")


def test_each_page_of_a_found_animal_and_its_mistakes(open_screen, gallery, photo):
    finder = open_screen().visit("/found/new")
    gallery.look(finder, "found-new")
    finder.press("Start with a photo", leads_to="A photo")
    gallery.look(finder, "found-photo")
    finder.answer(photo=photo).press("Send the photo", leads_to="Is this photo good?")
    finder.press("Continue", leads_to="Where and when did you find it?")
    gallery.look(finder, "found-where")
    gallery.look_at_mistakes(finder, "found-where", button="Continue")
    finder.answer(place="Northside park", holding="held", on=TODAY).press(
        "Continue", leads_to="What does it look like?"
    )
    gallery.look(finder, "found-pet")
    finder.answer(color="brown").press("Continue", leads_to="To find its people")
    gallery.look(finder, "found-more")
    finder.press("Continue", leads_to="Who sees what")
    gallery.look(finder, "found-check")
    finder.press("Show it to everybody", leads_to="Your notice: the found dog")
    gallery.look(finder, "found-own")
    reference = finder.path.rpartition("/")[2]
    owner = open_screen().visit(f"/found/{reference}")
    gallery.look(owner, "found-shown")
    owner.follow("This may be mine", leads_to="Write to the finder")
    gallery.look(owner, "found-write")
    gallery.look_at_mistakes(owner, "found-write", button="Send to the finder")
    owner.answer(message="She has a scar.").press("Send to the finder", leads_to="Your message is with the finder")
    gallery.look(owner, "found-write-talk")
