"""Answers a resident of Benson would give while registering a dog, page by page."""

from datetime import date
from pathlib import Path
from typing import Any

from tests.support.documents import corners, saved
from tests.support.people import Person

SAMPLES = Path(__file__).parents[1] / "samples"
PHONE_PHOTO = SAMPLES / "certificate-photo-iphone.heic"
SMALL_PHOTO = (saved(corners(), "JPEG"), "certificate.jpg")  # is looked at in a third of the time

PEPPER = {
    "animal_name": "Pepper",
    "breed": "Labrador retriever",
    "color": "black",
    "sex": "female",
    "is_altered": "yes",
}
OWNER = {"owner_name": "Pat O’Brien", "phone": "(320) 555-0100 x12", "is_adult": "yes"}
HOME = {"line1": "1310 Idaho Ave"}
DETAILS = {
    "given_on": date(2025, 6, 12),
    "due_on": date(2028, 6, 12),
    "dose": "booster",
    "product": "Imrab 3",
    "duration_years": "3",
    "veterinarian": "Karin Dahl",
}


def answer_eligibility(person: Person, *, born_on: date = date(2024, 6, 1), situation: str = "resident_dog") -> Person:
    """From "which of these fits?" to what comes after "Continue"."""
    person.visit("/register").submit(situation=situation).submit(born_on=born_on)
    return person.submit()


def sign_in_with_the_code(person: Person, email: str) -> Person:
    """On the sign-in page: ask for a code, read it, type it."""
    person.submit(email=email)
    return person.submit(code=person.outbox.code(email))


def tell_owner_and_home(person: Person) -> Person:
    """Who owns it and where it lives."""
    return person.submit(OWNER).submit(HOME)


def tell_about(person: Person, *, year: str = "2026", **changed: Any) -> Person:
    """What the dog is like, its license year, and no picture."""
    person.submit({**PEPPER, **changed}).submit(license_year=year)
    return person.submit(button="Skip this")


def send_certificate(person: Person, *, file: Path | tuple[bytes, str] = SMALL_PHOTO, **details: Any) -> Person:
    """The photo, then what it says."""
    return person.submit(file=file).submit({**DETAILS, **details})


def finish(person: Person) -> Person:
    """No other animals, no other dogs, and everything is true."""
    return person.submit(another="no").submit(are_there="no").submit(is_true=True)


def register_a_dog(person: Person, **changed: Any) -> Person:
    """The whole journey of someone who is signed in, up to the page where they pay."""
    answer_eligibility(person)
    if person.path == "/register/owner":
        tell_owner_and_home(person)
    return finish(send_certificate(tell_about(person, **changed)))
