"""What people send is looked at for viruses: refused kindly when there is one, and what happens while nobody looks."""

from dataclasses import replace

import pytest

from portal.gateways.scanning import scanner_from
from tests.support.clamd import VIRUS
from tests.support.documents import corners, saved
from tests.support.registrations import LATER
from tests.support.reporting import NEXT_DOOR

PHOTO = saved(corners(640, 480), "JPEG")
PDF = saved(corners(640, 480), "PDF")
FILM = b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 2_000


@pytest.fixture
def waits(gateways):
    """A city whose files may wait for the scanner."""
    return replace(gateways.city, uploads=replace(gateways.city.uploads, unscanned_files_wait=True))


@pytest.fixture
def with_scanner(make_app, scanner):
    """The portal with a scanner, and perhaps another city."""

    def with_scanner(**changes):
        return make_app(scanner=scanner_from(scanner.url), **changes)

    return with_scanner


@pytest.fixture
def at_the_certificate(arrive, registrations):
    """Pat, about to send a certificate."""

    def at_the_certificate(app):
        kept = registrations.dog("Pepper", certificate=LATER)
        return arrive(app=app).sign_in(then="/dogs").visit(f"/dogs/{kept.animal_id}/certificate")

    return at_the_certificate


@pytest.fixture
def reporting_a_film(arrive):
    """Somebody who sends a film with a report."""

    def reporting_a_film(app, film=FILM, status=200):
        person = arrive(app=app).visit("/reports/new/other").submit(button="Start")
        person.submit(place=NEXT_DOOR, button="Continue").submit(is_when="now", button="Continue")
        person.submit(animal="A brown dog", button="Continue").submit(narrative="It was there", button="Continue")
        return person.submit(file=[(film, "night.mp4")], button="Add these and more", status=status)

    return reporting_a_film


def sent(person):
    person.submit(button="Continue").submit(is_named="no", button="Continue").submit(button="Continue")
    return person.submit(signed=True, button="Send the report")


def kinds(files):
    return sorted({key.partition("/")[0] for key in files.files})


@pytest.mark.parametrize("infected", [PHOTO + VIRUS, PDF + VIRUS], ids=["photo", "PDF"])
def test_an_infected_file_is_refused_kindly_and_never_stored(at_the_certificate, with_scanner, files, infected):
    person = at_the_certificate(with_scanner()).submit(file=(infected, "c.pdf"), status=422)
    assert "Our virus scanner found something harmful" in person.errors[0]
    assert not files.files
    assert person.submit(file=(PDF, "c.pdf")).h1 == "What does Pepper’s certificate say?"


def test_an_infected_recording_is_refused_and_the_report_goes_on(reporting_a_film, with_scanner, files):
    person = reporting_a_film(with_scanner(), FILM + VIRUS, status=422)
    assert "Our virus scanner found something harmful" in person.errors[0]
    assert not files.files
    assert "report" in sent(person).text.lower()


def test_while_the_scanner_is_away_a_photo_is_taken_and_a_pdf_is_asked_for_later(
    at_the_certificate, with_scanner, scanner, files
):
    """A photo is made anew: nothing of what came is kept."""
    scanner.says = b"ERROR"
    person = at_the_certificate(with_scanner()).submit(file=(PDF, "c.pdf"), status=422)
    assert "We can’t check this file for viruses at the moment" in person.errors[0]
    assert not files.files
    assert person.submit(file=(PHOTO, "c.jpg")).h1 == "What does Pepper’s certificate say?"


def test_where_the_city_says_so_a_pdf_waits_marked(at_the_certificate, with_scanner, scanner, files, waits):
    scanner.says = b"ERROR"
    at_the_certificate(with_scanner(city=waits)).submit(file=(PDF, "c.pdf"))
    assert kinds(files) == ["certificates", "unscanned"]


@pytest.mark.parametrize(("may_wait", "kept"), [(True, "unscanned"), (False, "certificates-originals")])
def test_without_a_scanner_the_city_says_whether_files_wait(
    at_the_certificate, make_app, gateways, files, may_wait, kept
):
    uploads = replace(gateways.city.uploads, unscanned_files_wait=may_wait)
    at_the_certificate(make_app(city=replace(gateways.city, uploads=uploads))).submit(file=(PDF, "c.pdf"))
    assert kinds(files) == ["certificates", kept]
