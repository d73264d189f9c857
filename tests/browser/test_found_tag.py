"""A finder in the street and the dog's people at home, each with a phone in one hand."""

from tests.browser.conftest import EMAIL
from tests.support.documents import corners, saved

SMALL = {"viewport": {"width": 360, "height": 740}}


def test_a_found_dog_is_home_without_any_script(open_screen, registrations, tmp_path):
    registrations.licensed("Pepper")
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(saved(corners(640, 480), "JPEG"))
    finder = open_screen(script=False, **SMALL).visit("/")
    finder.follow("Found a dog with a tag?", leads_to="Found a dog with a tag?")
    finder.answer(number="0001").press("Write to its people", leads_to="Write to the people of tag 1")
    finder.answer(message="She is fine, at the swings.", place="Northside park", taken_in="now", photo=photo)
    finder.press("Tell the dog’s people", leads_to="Pepper’s people are being told")
    keeper = open_screen(email=EMAIL, then="/dogs", script=False, **SMALL).visit("/dogs")
    keeper.follow("Pepper", leads_to="Pepper")
    keeper.follow("Messages from finders", leads_to="Messages from people who found Pepper")
    keeper.use(keeper.page.locator("main .links a").first)
    keeper.arrive("Somebody wrote about Pepper").answer(message="On my way!")
    keeper.press("Send to the finder", leads_to="Somebody wrote about Pepper")
    finder.follow("Look for answers", leads_to="Pepper’s people are being told")
    finder.page.get_by_text("On my way!").first.wait_for()
    keeper.press("Pepper is home", leads_to="Somebody wrote about Pepper")
    finder.visit("/tags/talk").arrive("This talk about Pepper has ended")


def test_each_page_of_it_and_its_mistakes(open_screen, gallery, registrations, tmp_path):
    registrations.licensed("Pepper")
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(saved(corners(640, 480), "JPEG"))
    finder = open_screen().visit("/tags")
    gallery.look(finder, "tags")
    gallery.look_at_mistakes(finder, "tags", button="Write to its people")
    finder.answer(number="0001").press("Write to its people", leads_to="Write to the people of tag 1")
    gallery.look(finder, "tag")
    gallery.look_at_mistakes(finder, "tag", button="Tell the dog’s people")
    finder.answer(number="2026-1", message="She is fine.", place="Northside park", taken_in="now", photo=photo)
    finder.press("Tell the dog’s people", leads_to="Pepper’s people are being told")
    gallery.look(finder, "tag-talk")
    gallery.look_at_mistakes(finder, "tag-talk", button="Send")
    keeper = open_screen(email=EMAIL, then="/dogs").visit("/dogs").follow("Pepper", leads_to="Pepper")
    keeper.follow("Messages from finders", leads_to="Messages from people who found Pepper")
    gallery.look(keeper, "dog-found")
    keeper.use(keeper.page.locator("main .links a").first)
    gallery.look(keeper.arrive("Somebody wrote about Pepper"), "dog-found-talk")
    gallery.look_at_mistakes(keeper, "dog-found-talk", button="Send to the finder")
    keeper.press("Pepper is home").page.get_by_text("This talk has ended").first.wait_for()
    gallery.look(keeper, "dog-found-ended")
    gallery.look(finder.visit("/tags/talk").arrive("This talk about Pepper has ended"), "tag-talk-ended")
    over = open_screen()
    with over.complaining("Failed to load resource: "):
        gallery.look(over.visit("/tags/talk/wrong").arrive("This link does not open anything now"), "tag-talk-over")
