"""A clinic at its browser: a certificate by keyboard alone, a day's files with a bar each, each page looked at."""

from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.documents import corners, saved
from tests.support.screens import ANSWERED_BADLY
from tests.web.vet.conftest import VET, join

NEW = "/vet/certificates/new"
# What a clerk types for the second animal of a morning; the vaccine and the veterinarian stand there from the first.
NEXT = {
    "owner_name": "Pat Olson",
    "owner_address": "1310 Idaho Ave, Benson",
    "animal_name": "Rex",
    "description": "Lab mix, black",
    "weight": "62 lb",
    "rabies_tag": "26-0413",
    "attested_name": "Karin Dahl",
}
SECONDS_A_KEY = 0.1
SECONDS_A_QUESTION = 1  # to look from the paper to the box, for those that stand there already too


@pytest.fixture
def clinic_id(filings):
    clinic_id = filings.clinic()
    join(filings, clinic_id, VET)
    return clinic_id


@pytest.fixture
def photos(tmp_path: Path) -> list[Path]:
    """Three certificates, and one file that is none."""
    places = [tmp_path / f"{name}.jpg" for name in ("one", "two", "three")]
    for number, place in enumerate(places):
        place.write_bytes(saved(corners(64 + number, 48), "JPEG"))
    (tmp_path / "letter.pdf").write_bytes(b"no PDF at all")
    return [*places, tmp_path / "letter.pdf"]


def test_the_next_certificate_takes_less_than_half_a_minute_of_keys(open_screen, filings, clinic_id, database):
    filings.file(clinic_id, product="Imrab 3", lot="18231A")
    screen = open_screen(email=VET, then="/vet", viewport={"width": 1280, "height": 800}).visit(NEW)
    expect(screen.control("owner_name")).to_be_focused()
    keyboard, keys, questions = screen.page.keyboard, 0, set()

    def press(key: str) -> None:
        nonlocal keys
        keyboard.press(key)
        keys += 1

    for _ in range(40):
        name = screen.page.evaluate("() => document.activeElement.name ?? document.activeElement.tagName")
        questions.add(name.partition("-")[0])
        if name in NEXT:
            keyboard.type(NEXT[name])
            keys += len(NEXT[name])
        elif name == "sex":
            press("M")
        if name == "attested_name":
            break
        press("Tab")
    press("Enter")
    expect(screen.page.get_by_role("heading", name="Filed. File another")).to_be_visible()
    expect(screen.control("owner_name")).to_be_focused()
    assert keys * SECONDS_A_KEY + len(questions) * SECONDS_A_QUESTION < 30
    assert database.value("SELECT lot FROM animal_control.clinic_filing WHERE animal_name = 'Rex'") == "18231A"


def test_the_due_date_follows_the_years_until_somebody_types_it(open_screen, clinic_id):
    screen = open_screen(email=VET, then="/vet").visit(NEW)
    screen.answer(given_on=date(2026, 6, 12), duration_years="3")
    assert [screen.value(f"due_on-{part}") for part in ("month", "day", "year")] == ["6", "12", "2029"]
    screen.answer(dose="first")
    assert screen.value("due_on-year") == "2027"
    screen.type(screen.control("due_on-year"), "2028")
    screen.answer(dose="booster")
    assert screen.value("due_on-year") == "2028"


def test_many_files_go_at_once_each_by_itself(open_screen, clinic_id, photos, database):
    screen = open_screen(email=VET, then="/vet").visit("/vet/files")
    screen.control("files").set_input_files(photos)
    lines = screen.page.locator("[data-sending] li")
    expect(lines).to_have_count(4)
    expect(lines.filter(has=screen.page.locator(".tag--good"))).to_have_count(3)
    expect(lines.filter(has_text="letter.pdf").locator(".tag--problem")).to_have_text("Not received")
    assert database.counts()["animal_control.clinic_filing"] == 3


def test_the_same_without_script_goes_in_one(open_screen, clinic_id, photos, database):
    screen = open_screen(email=VET, then="/vet", script=False).visit("/vet/files")
    screen.control("files").set_input_files(photos)
    screen.press("Send these files")
    expect(screen.page.locator("[data-outcomes] li")).to_have_count(4)
    assert database.counts()["animal_control.clinic_filing"] == 3


def test_every_page_of_a_clinic_and_each_of_its_mistakes(open_screen, gallery, filings, clinic_id, photos, tmp_path):
    stranger = open_screen()
    gallery.look(stranger.visit("/vet"), "vet-welcome")
    gallery.look_at_mistakes(stranger.visit("/vet/ask-to-join"), "vet-ask", button="Ask for an account")
    filing_id = filings.file(clinic_id, owner_name="Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren")
    screen = open_screen(email=VET, then="/vet")
    gallery.look(screen.visit("/vet"), "vet-index")
    gallery.look(screen.visit(NEW), "vet-new")
    gallery.look_at_mistakes(screen.visit(NEW), "vet-new", button="File it")
    gallery.look(screen.visit("/vet/certificates"), "vet-list")
    gallery.look(screen.visit(f"/vet/certificates/{filing_id}"), "vet-show")
    gallery.look(screen.visit(f"/vet/certificates/{filing_id}/withdraw"), "vet-withdraw")
    gallery.look(screen.visit("/vet/staff"), "vet-staff")
    gallery.look(screen.visit("/vet/tokens"), "vet-tokens")
    gallery.look_at_mistakes(screen.visit("/vet/suspected-rabies"), "vet-rabies", button="Send to animal control")
    screen.visit("/vet/files").control("files").set_input_files(photos)
    expect(screen.page.locator("[data-sending] .tag")).to_have_count(4)
    gallery.look(screen, "vet-files")
    screen.visit("/vet/certificates?state=to_fill_in").page.locator("td a").first.click()
    screen.follow("Fill it in", leads_to="What does this certificate say?")
    gallery.look(screen, "vet-fill-in")
    table = tmp_path / "table.csv"
    table.write_text(
        "Owner name,Owner address,Animal name,Species,Sex,Breed,Weight,Date given,Type of vaccine\n"
        "Pat,,Rex,dog,?,,,soon,\n"
    )
    screen.visit("/vet/table").answer(file=table, attested_name="Karin Dahl").press("Send the table").is_told()
    gallery.look(screen, "vet-table")


def test_the_page_where_a_member_changes_the_mailbox_says_what_becomes_of_the_clinic(open_screen, gallery, clinic_id):
    screen = open_screen(email=VET, then="/vet", viewport={"width": 320, "height": 900}).visit("/me/email")
    gallery.look(screen, "clinic-new-mailbox")
    with screen.complaining(ANSWERED_BADLY):
        gallery.look_at_mistakes(screen, "clinic-new-mailbox", button="Send the two links")
    screen.answer(new_email="karin.new@clinic.example")
    with screen.page.expect_navigation():
        screen.press("Send the two links")
    gallery.look(screen.visit("/me/email"), "clinic-new-mailbox-asked")
