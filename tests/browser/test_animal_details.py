"""Correcting what is on record of an animal, at a real browser: its keeper's pages and the desk's."""

from tests.browser.conftest import EMAIL
from tests.browser.test_every_page import BREED, LONG
from tests.support.registering import SAMPLES
from tests.support.registrations import LATER


def test_correcting_an_animal_and_each_of_its_mistakes(open_screen, gallery, registrations):
    registrations.dog(LONG, email=EMAIL, breed=BREED, color=LONG, certificate=LATER)
    screen = open_screen(email=EMAIL, then="/dogs").visit("/dogs").follow(LONG, leads_to=LONG)
    screen.follow(f"Correct what is on record of {LONG}", leads_to=f"Correct what is on record of {LONG}")
    gallery.look(screen, "dog-details")
    gallery.look_at_mistakes(screen, "dog-details", button="Save")
    screen.answer(animal_name="Pepper", breed="Mixed", color="black").press("Save", leads_to="Pepper")


def test_the_picture_of_an_animal(open_screen, gallery, registrations):
    kept = registrations.dog(LONG, email=EMAIL, certificate=LATER)
    screen = open_screen(email=EMAIL, then="/dogs").visit(f"/dogs/{kept.animal_id}")
    screen.follow(f"Add a picture of {LONG}", leads_to=f"A picture of {LONG}")
    gallery.look(screen, "dog-photo")
    gallery.look_at_mistakes(screen, "dog-photo", button="Send the picture")
    screen.answer(file=SAMPLES / "dog-photo.png").press("Send the picture", leads_to=LONG)
    gallery.look(screen, "dog-with-photo")
    screen.follow(f"Another picture of {LONG}, or none", leads_to=f"A picture of {LONG}")
    gallery.look(screen, "dog-photo-there")
    screen.press("Take the picture away", leads_to=LONG)


def test_the_desk_corrects_an_animal(open_desk, gallery, registrations):
    dog = registrations.dog(certificate=LATER)
    screen = open_desk().visit(f"/desk/dogs/{dog.animal_id}")
    screen.follow("Correct the record of Pepper", leads_to="Correct the record of Pepper")
    gallery.look(screen, "desk-correct-animal")
    screen.answer(color="brown").press("Correct it", leads_to="Pepper")
