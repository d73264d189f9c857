"""Registering a dog as a resident does it on a phone, page by page."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from tests.support.registering import DETAILS, HOME, OWNER, PEPPER, PHONE_PHOTO
from tests.support.screens import Screen

LAPSED = {**DETAILS, "given_on": date(2024, 6, 12), "due_on": date(2025, 6, 12)}  # three years are not over

Look = Callable[[Screen, str], object]


def no_look(_screen: Screen, _name: str) -> None:
    """Just go on."""


def ask_eligibility(screen: Screen, look: Look = no_look) -> Screen:
    """From the first page to the sign-in."""
    screen.visit("/").arrive("What do you need to do?")
    look(screen, "home")
    screen.follow("Register a dog", leads_to="Register a dog")
    look(screen, "register")
    screen.answer(situation="resident_dog").press("Continue", leads_to="How old is it?")
    look(screen, "age")
    screen.answer(born_on=date(2024, 6, 1)).press("Continue", leads_to="Yes, it needs a license")
    look(screen, "answer")
    return screen.press("Continue", leads_to=re.compile("mail address"))


def sign_in(screen: Screen, email: str, *, leads_to: str, look: Look = no_look) -> Screen:
    """With the code of the message."""
    look(screen, "sign-in")
    screen.answer(email=email).press("Send me a code", leads_to="Type the code we sent you")
    look(screen, "sign-in-code")
    return screen.answer(code=screen.outbox.code(email)).press("Sign in", leads_to=leads_to)


def tell_owner_and_home(screen: Screen, look: Look = no_look) -> Screen:
    look(screen, "owner")
    screen.answer(OWNER).press("Continue", leads_to="Where does the dog live?")
    look(screen, "home-of-the-dog")
    return screen.answer(HOME).press("Continue", leads_to="What is your dog like?")


def tell_about(screen: Screen, look: Look = no_look, **changed: Any) -> Screen:
    """What it is like, its year, no picture."""
    about = {**PEPPER, **changed}
    name = about["animal_name"]
    look(screen, "about")
    screen.answer(about).press("Continue", leads_to=f"{name}’s license")
    look(screen, "license-year")
    screen.answer(license_year="2026").press("Continue", leads_to=f"A picture of {name}")
    look(screen, "picture")
    return screen.press("Skip this", leads_to=f"{name}’s rabies certificate")


def send_certificate(screen: Screen, look: Look = no_look) -> Screen:
    look(screen, "certificate")
    screen.answer(file=PHONE_PHOTO).press("Send the certificate", leads_to=re.compile("certificate say"))
    look(screen, "certificate-details")
    return screen.answer(DETAILS).press("Continue", leads_to="Who you are registering")


def finish(screen: Screen, look: Look = no_look) -> Screen:
    """Nothing more, and everything is true."""
    look(screen, "animals")
    screen.answer(another="no").press("Continue", leads_to="Other dogs at this address")
    look(screen, "other-dogs")
    screen.answer(are_there="no").press("Continue", leads_to="Check your answers")
    look(screen, "check")
    return screen.answer(is_true=True).press("Send and pay", leads_to="Pay $10.00")
