"""The pages about reminders, on a phone: stopped from a letter, opened from a letter, and chosen; and the letters."""

from portal.services.reminders.signed_links import Purpose, signed
from tests.browser.conftest import EMAIL
from tests.browser.looking import NARROW, WHAT_STICKS_OUT


def test_what_a_letter_leads_to_without_signing_in(open_screen, gallery, registrations, settings):
    account_id, key = registrations.account(EMAIL), settings.secret_keys[0]
    screen = open_screen().visit(f"/reminders/stop/{signed(account_id, Purpose.STOP, key=key)}")
    gallery.look(screen.arrive("Stop reminders?"), "reminders-stop")
    gallery.look(screen.press("Stop reminders", leads_to="Reminders are stopped"), "reminders-stopped")
    screen.press("Send me reminders again", leads_to="Stop reminders?")
    screen.visit(f"/reminders/open/{signed(account_id, Purpose.OPEN, key=key)}/dogs")
    gallery.look(screen.arrive("Go on from your reminder"), "reminders-open")
    gallery.look(screen.press("Send me the code", leads_to="Type the code we sent you"), "reminders-code")
    screen.answer(code=screen.outbox.code(EMAIL)).press("Sign in", leads_to="My dogs")


def test_choosing_reminders_and_texts(open_screen, gallery):
    screen = open_screen(email=EMAIL, then="/dogs").visit("/dogs").follow("Reminders", leads_to="Reminders")
    gallery.look(screen, "reminders")
    with screen.complaining("Failed to load resource"):
        screen.answer(wants_texts=True).press("Keep this").is_told("Enter the phone number that we may text")
        gallery.look(screen, "reminders-with-mistakes")
    screen.answer(phone="(320) 555-0142").press("Keep this")
    screen.page.get_by_text("What you chose is kept.").first.wait_for()
    gallery.look(screen, "reminders-kept")


def test_a_letter_about_a_long_name_is_no_wider_than_a_phone(open_screen, registrations, outbox):
    registrations.licensed("Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis")
    screen = open_screen(viewport=NARROW)
    for letter in outbox.letters(to=EMAIL):
        screen.page.set_content(letter.html)
        assert screen.page.evaluate(WHAT_STICKS_OUT) == [], letter.subject
