"""Reporting on a phone at night, with script and without: every page, its mistakes, and what it leaves behind."""

import re

import pytest

from tests.support.documents import corners, saved

PLACE = "1312 Idaho Ave"
SMALL = {"viewport": {"width": 360, "height": 740}}


def no_look(_screen, _name, **_how):
    """Just go on."""


def report_barking(screen, photo, look=no_look, *, named=True):
    """From the home page to the reference."""
    screen.visit("/").follow("Report a problem with an animal", leads_to="What happened?")
    look(screen, "report")
    screen.follow("Barking", leads_to="Barking")
    look(screen, "report-kind")
    screen.press("Start", leads_to=re.compile("Where is it"))
    look(screen, "report-where", mistakes="Continue")
    screen.answer(place=PLACE).press("Continue", leads_to="When did it happen?")
    look(screen, "report-when", mistakes="Continue")
    screen.answer(is_when="unsure", words="Most nights").press("Continue", leads_to="When did you hear it?")
    screen.answer({"day-month": "November", "day-day": "29", "day-year": "2026"}, began="23:30", ended="23:42")
    screen.press("Add this and another", leads_to="When did you hear it?")
    screen.page.get_by_text("The log shows one interval").first.wait_for()
    look(screen, "report-log")
    screen.press("Continue", leads_to="More about it")
    look(screen, "report-details")
    screen.answer(heard_from="My bedroom").press("Continue", leads_to="The animal")
    look(screen, "report-animal")
    screen.answer(animal="A brown dog").press("Continue", leads_to=re.compile("What happened"))
    look(screen, "report-words")
    screen.answer(narrative="It barks.\n" * 3 + "x" * 90).press("Continue", leads_to="Photos, sound or video")
    screen.answer(file=photo).press("Add these and more", leads_to="Photos, sound or video")
    screen.page.get_by_text("Added so far").first.wait_for()
    look(screen, "report-files")
    screen.press("Continue", leads_to="With or without your name")
    look(screen, "report-who", mistakes="Continue")
    if named:
        screen.answer(is_named="yes").press("Continue", leads_to="Who you are")
        look(screen, "report-name", mistakes="Continue")
        screen.answer(name="Robin Moe", phone="320-555-0177", asks_not_public=True)
        screen.press("Continue", leads_to="Who sees what")
        look(screen, "report-check", mistakes="Send the report")
        screen.answer(signed="Robin Moe")
    else:
        screen.answer(is_named="no").press("Continue", leads_to="Your private link")
        look(screen, "report-link")
        screen.press("Continue", leads_to="Who sees what")
        look(screen, "report-check-unnamed", mistakes="Send the report")
        screen.answer(signed=True)
    screen.press("Send the report", leads_to="Your report is sent")
    look(screen, "report-sent")
    return screen


@pytest.fixture
def photo(tmp_path):
    path = tmp_path / "photo.jpg"
    path.write_bytes(saved(corners(640, 480), "JPEG"))
    return path


@pytest.mark.parametrize("named", [True, False], ids=["with a name", "without"])
def test_every_page_of_a_report_and_its_mistakes(open_screen, gallery, photo, named):
    def look(screen, name, *, mistakes=None):
        gallery.look(screen, name)
        if mistakes:
            gallery.look_at_mistakes(screen, name, button=mistakes)

    report_barking(open_screen(**SMALL), photo, look, named=named)


def test_a_report_without_any_script(open_screen, photo):
    screen = report_barking(open_screen(script=False, **SMALL), photo, named=False)
    screen.page.go_back()
    screen.visit("/reports/new/barking/check").arrive("Your report is sent")


def test_a_bite_shows_the_emergency_first(open_screen, gallery):
    screen = open_screen(**SMALL).visit("/reports/new/bite").arrive("A bite or an attack")
    gallery.look(screen, "report-bite")
    screen.press("Start", leads_to=re.compile("Where is it"))
    screen.answer(place=PLACE).press("Continue", leads_to="When did it happen?")
    screen.answer(is_when="now").press("Continue", leads_to="More about it")
    gallery.look(screen, "report-bite-details")


def test_where_the_phone_is_comes_along_if_its_owner_says_so(open_screen):
    benson = {"latitude": 45.315, "longitude": -95.6}
    screen = open_screen(permissions=["geolocation"], geolocation=benson).visit("/reports/new/litter")
    screen.press("Start", leads_to=re.compile("Where is it")).press("Add where I am now")
    screen.page.get_by_text("Where you are now is added").first.wait_for()
    assert (screen.value("latitude"), screen.value("longitude")) == ("45.315", "-95.6")
    screen.answer(place=PLACE).press("Continue", leads_to="When did it happen?")


def test_a_phone_that_does_not_say_where_it_is_stops_nobody(open_screen):
    screen = open_screen(permissions=[]).visit("/reports/new/litter")
    screen.press("Start", leads_to=re.compile("Where is it")).press("Add where I am now")
    screen.page.get_by_text("What you type is enough").first.wait_for()
    screen.answer(place=PLACE).press("Continue", leads_to="When did it happen?")
