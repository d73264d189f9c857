"""The desk mends by keyboard what went wrong: a letter that came back, two records of one person, a row accepted."""

from datetime import timedelta

from portal.ordinance.dangerous import Requirement
from tests.browser.looking import NARROW
from tests.support.desk import OFFICER
from tests.support.screens import keys

HOW_MANY_LINES = """(one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  return new Set([...words.getClientRects()].map(({ top }) => top)).size;
}"""


def test_a_letter_that_came_back_two_records_and_the_till(open_desk, gallery, registrations, database, clock):
    registrations.licensed("Pepper")
    database.run("INSERT INTO animal_control.person (kind, name) VALUES ('person', 'Ole Dahl')")
    entered = database.value("SELECT id FROM animal_control.person WHERE name = 'Ole Dahl'")
    database.run(
        "UPDATE portal.outgoing_message SET failed_at = :at, last_error = '550 no such user' WHERE NOT is_secret",
        at=clock.now() - timedelta(hours=1),
    )
    screen = open_desk().visit("/desk?kind=bounced")
    keys(screen, "j", "Enter")
    letter = screen.arrive("A letter to pat@example.com came back")
    gallery.look(letter, "desk-bounced")
    keys(screen, "c")
    gallery.look(screen.arrive("Correct the record of Pat O’Brien"), "desk-correct")
    screen.answer(phone="320-555-0177").press("Correct it", leads_to="A letter to pat@example.com came back")
    keys(screen, "e")
    gallery.look(screen.arrive("Another e‑mail address"), "desk-mailbox")
    screen.answer(new_email="patricia@example.com")
    screen.press("Send the link", leads_to="A letter to pat@example.com came back")
    gallery.look(screen, "desk-bounced-asked")
    screen.visit(f"/desk/people/{entered}")
    keys(screen, "m")
    screen.arrive("Ole Dahl signs in now").answer(mailbox="pat@example.com")
    screen.press("Look it up")
    screen.page.get_by_role("button", name="Join the two records").wait_for()
    gallery.look(screen, "desk-join")
    payment = database.value("SELECT id FROM animal_control.payment")
    screen.visit(f"/desk/payments/{payment}/give-back").answer(amount="2.50", why="Wrong fee")
    screen.press("It was handed over", leads_to="Pat O’Brien")
    gallery.look(screen.visit("/desk/counter/till").arrive("Till of November 30, 2026"), "desk-till-given-back")
    screen.page.set_viewport_size(NARROW)
    for whole in (OFFICER, "10:00 a.m."):
        words = screen.page.get_by_text(whole, exact=True)
        assert words.evaluate(HOW_MANY_LINES) == 1, f"{whole} is broken on a phone"


def test_everything_about_a_dangerous_dog(open_desk, gallery, registrations, dangerous):
    pepper = registrations.licensed("Pepper")
    dangerous.designated(pepper)
    dangerous.send(pepper, Requirement.SIGNS)
    dangerous.decide(pepper, Requirement.SIGNS)
    screen = open_desk().visit(f"/desk/dangerous-dogs/{pepper.animal_id}")
    gallery.look(screen.arrive("Pepper: dangerous"), "desk-dangerous-dog")
    keys(screen, "p")
    gallery.look(screen.arrive("Photograph of Pepper"), "desk-photograph")
    screen.visit(f"/desk/dangerous-dogs/{pepper.animal_id}").follow("Signs", leads_to="Signs of Pepper")
    screen.answer(reason="The rear sign is gone.")
    gallery.look(screen, "desk-row-accepted")
    screen.press("Open it again", leads_to="Pepper: dangerous")
