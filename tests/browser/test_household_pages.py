"""The pages about who keeps a dog and about one's own record, looked at closely like every other."""

import re

from portal.schema.household import InvitationKind
from tests.browser.conftest import EMAIL
from tests.browser.test_every_page import BREED, DOG, LONG
from tests.support.household import GAVINS_HOME

OTHER = "gavin@example.com"


def test_the_pages_of_several_keepers(open_screen, gallery, registrations, household):
    kept = registrations.licensed(DOG, breed=BREED)
    household.invites(kept, f"{LONG}@example.com")
    screen = open_screen(email=EMAIL, then="/dogs").visit(f"/dogs/{kept.animal_id}/keepers")
    gallery.look(screen, "keepers-alone")
    gallery.look_at_mistakes(screen, "keepers", button="Send the invitation")
    path = household.invites(kept, OTHER)
    other = open_screen().visit(path)
    gallery.look(other.arrive(f"Do you keep {DOG} too?"), "invitation")
    other = open_screen(email=OTHER, then="/dogs").visit(path).arrive(f"Do you keep {DOG} too?")
    gallery.look(other, "invitation-accept")
    gallery.look_at_mistakes(other, "invitation-accept", button=f"Yes, I keep {DOG} too")
    gallery.look(open_screen(email="mai@example.com", then="/dogs").visit(path), "invitation-elsewhere")
    with other.complaining("Failed to load resource: the server responded with a status of 410"):
        gallery.look(other.visit("/invitations/wrong"), "invitation-over")
    household.joins(kept, OTHER)
    screen.visit(f"/dogs/{kept.animal_id}/keepers").answer(is_shared=True).press("Save", leads_to=re.compile("."))
    gallery.look(screen.visit(f"/dogs/{kept.animal_id}/keepers"), "keepers-two")
    gallery.look(other.visit(f"/dogs/{kept.animal_id}/keepers"), "keepers-shared")
    gallery.look(screen.visit(f"/dogs/{kept.animal_id}/leave"), "leave")


def test_the_pages_of_a_dog_given_away(open_screen, gallery, registrations, household):
    kept = registrations.licensed(DOG)
    household.gives_away(kept)
    screen = open_screen(email=EMAIL, then="/dogs").visit(f"/dogs/{kept.animal_id}/farewell")
    gallery.look(screen, "farewell-given-away")
    screen.follow("Invite the new owner", leads_to=f"{DOG}’s new owner")
    gallery.look(screen, "new-owner")
    gallery.look_at_mistakes(screen, "new-owner", button="Send the invitation")
    path = household.invites(kept, OTHER, kind=InvitationKind.NEW_OWNER)
    registrations.dog("Max", email=OTHER, home=GAVINS_HOME)
    other = open_screen(email=OTHER, then="/dogs").visit(path).arrive(f"Are you {DOG}’s new owner?")
    gallery.look(other, "new-owner-accept")
    other.press(f"Yes, I keep {DOG} now", leads_to="A person at the city looks at it")
    gallery.look(other, "new-owner-waiting")
    gallery.look(screen.visit(f"/dogs/{kept.animal_id}/new-owner"), "new-owner-said-yes")
    household.city_accepts()
    gallery.look(other.visit(path).arrive(f"You were recorded as {DOG}’s owner"), "new-owner-recorded")


def test_the_pages_of_ones_own_record(open_screen, gallery, registrations, outbox):
    registrations.dogs([registrations.animal(name) for name in (DOG, "Rex", LONG)])
    screen = open_screen(email=EMAIL, then="/me").visit("/me").arrive("My record")
    gallery.look(screen, "me")
    screen.visit("/me/details").arrive("Your name and phone")
    gallery.look(screen, "me-details")
    gallery.look_at_mistakes(screen, "me-details", button="Save")
    screen.visit("/me/address").arrive("Your address")
    gallery.look(screen, "me-address")
    gallery.look_at_mistakes(screen, "me-address", button="Save")
    registrations.dog("Bo", home=GAVINS_HOME)
    gallery.look(screen.visit("/me/address").arrive("Your address"), "me-address-who-moves")
    screen.visit("/me/address").answer(line1="902 Utah Ave", unit=LONG).press("Save", leads_to="Your address is saved")
    gallery.look(screen, "me-moved")
    screen.visit("/me/email").arrive("Your e‑mail address")
    gallery.look(screen, "me-email")
    gallery.look_at_mistakes(screen, "me-email", button="Send the two links")
    screen.visit("/me/email").answer(new_email=f"{LONG}@example.com").press("Send the two links")
    screen.page.get_by_text("We sent a link to each").first.wait_for()
    gallery.look(screen, "me-email-asked")
    [letter] = outbox.messages(to=EMAIL, template="email_change_old")
    gallery.look(screen.visit(letter.context["path"]).arrive("Change the e‑mail address"), "me-email-confirm")
    screen.press("Yes, change it", leads_to="One of two has said yes")
    gallery.look(screen, "me-email-one")
    gallery.look(screen.visit("/me/data").arrive("My data"), "me-data")
    gallery.look(screen.visit("/me/close").arrive("Close your sign‑in"), "me-close")
    screen.press("Close my sign‑in", leads_to="Your sign‑in is closed")
    gallery.look(screen, "me-closed")
