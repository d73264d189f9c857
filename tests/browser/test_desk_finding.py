"""The desk's looking and finding at a real browser: by keyboard from a name to a dog, its owner and their address."""

import re

from playwright.sync_api import expect

from tests.support.pound import impounded
from tests.support.screens import keys


def test_from_a_name_to_what_belongs_together_by_keyboard(open_desk, gallery, registrations, reporting, database):
    dog = registrations.licensed("Écho", microchip="985112001234567")
    reporting.send(place="1310 Idaho Ave, Benson")
    impounded(database, animal_id=dog.animal_id)
    screen = open_desk().visit("/desk")
    keys(screen, "g", "s")
    screen.arrive("Search")
    gallery.look(screen, "desk-search")
    keys(screen, "/")
    screen.page.keyboard.type("echo")
    keys(screen, "Enter")
    screen.page.get_by_text("1 found.").first.wait_for()
    keys(screen, "j", "Enter")
    gallery.look(screen.arrive("Écho"), "desk-dog")
    screen.follow("Pat O’Brien", leads_to="Pat O’Brien")
    gallery.look(screen, "desk-person")
    screen.follow("The address and what is kept there", leads_to="1310 Idaho Ave")
    gallery.look(screen, "desk-place")
    keys(screen, "p")
    gallery.look(screen.arrive("Reports about this address"), "desk-why")
    screen.answer(why="Second call about barking").press("Read it", leads_to="Reports about 1310 Idaho Ave")
    gallery.look(screen, "desk-place-reports")
    screen.visit("/desk/search?q=1310+idaho")
    gallery.look(screen.arrive("Search"), "desk-found")


def test_what_is_written_down_and_taken_away_looks_right(open_desk, gallery, registrations, household, database):
    dog = registrations.licensed()
    stay = impounded(database)
    payment = database.value("SELECT id FROM animal_control.payment")
    registrations.licensed("Bella")
    gone = registrations.dog("Rex")
    household.gives_away(gone)
    screen = open_desk()
    for path, heading, name in (
        ("people/new", "Somebody at the counter", "desk-walk-in"),
        (f"people/{dog.person_id}/renew", "Renew for Pat O’Brien", "desk-renew"),
        (f"dogs/{dog.animal_id}/certificate", "The certificate of Pepper at the counter", "desk-certificate-counter"),
        (f"dogs/{dog.animal_id}/duplicate-tag", "A new tag for Pepper", "desk-duplicate-tag"),
        (f"dogs/{dog.animal_id}/gone", "Pepper is not with them any more", "desk-gone"),
        (f"dogs/{gone.animal_id}/kept-again", "Rex is kept here after all", "desk-kept-again"),
        (f"dogs/{dog.animal_id}/demand", "Demand the certificate of Pepper", "desk-demand"),
        (f"dogs/{dog.animal_id}/designate", "Designate Pepper", "desk-designate"),
        ("designations", "Designated dogs", "desk-designations"),
        ("pound", "The pound", "desk-pound"),
        ("pound/new", "An animal comes to the pound", "desk-pound-new"),
        (f"pound/{stay.id}", "Tan and white beagle dog", "desk-stay"),
        (f"pound/{stay.id}/left", "It left the pound", "desk-left"),
        (f"payments/{payment}/give-back", re.compile("Give back what was paid"), "desk-give-back"),
        ("exports", "Exports", "desk-exports"),
        ("exports/year", "Licenses and receipts of 2026", "desk-year"),
    ):
        gallery.look(screen.visit(f"/desk/{path}").arrive(heading), name)
    screen.visit("/desk/exports").answer(what="licenses")
    with screen.page.expect_download() as coming:
        screen.page.get_by_role("button", name="Download").click()
    assert coming.value.suggested_filename == "licenses-2026.csv"


def test_keys_are_told_of_where_there_is_a_script(open_desk):
    for has_script in (True, False):
        screen = open_desk(java_script_enabled=has_script).visit("/desk")
        assert screen.page.get_by_text("all keys").is_visible() is has_script


def test_after_the_labels_have_come_the_tags_can_be_marked_at_once(open_desk, registrations):
    registrations.licensed("Pepper")
    screen = open_desk().visit("/desk/tags")
    labels = screen.page.get_by_role("button", name="Labels as a PDF")
    with screen.page.expect_download():
        labels.click()
    labels.click()  # a second press by accident brings no second file
    expect(labels).not_to_have_attribute("aria-disabled", "true", timeout=10_000)
    screen.press("Mark as mailed")
    expect(screen.page.get_by_text("1 tag marked as mailed.")).to_be_visible()


def test_after_an_export_has_come_the_next_can_be_fetched_at_once(open_desk):
    screen = open_desk().visit("/desk/exports").answer(what="licenses")
    for _ in range(2):
        with screen.page.expect_download(timeout=10_000):
            screen.press("Download")
        expect(screen.page.get_by_role("button", name="Download")).not_to_have_attribute(
            "aria-disabled", "true", timeout=10_000
        )
