"""Files that came while the scanner was away: given to nobody, scanned later, and shown to an officer if infected."""

from dataclasses import replace
from io import BytesIO

import pytest

from portal.gateways.scanning import Scanning, scanner_from
from portal.services.reports.files import store_report_file
from portal.worker.scans import scan_files
from tests.support.clamd import NAME, VIRUS
from tests.support.reporting import NEXT_DOOR

FILM = b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 2_000


def never():
    return False


@pytest.fixture
def parts(parts, scanner):
    return replace(parts, gateways=replace(parts.gateways, scanner=scanner_from(scanner.url)))


@pytest.fixture
def film(reporting, files):
    """Somebody sends a film with a report while nobody looks for viruses; the report and the film's id."""

    def film(content=FILM):
        sent = store_report_file(
            BytesIO(content),
            name="night.mp4",
            storage=files,
            largest_bytes=15_000_000,
            scanning=Scanning(scanner=None, may_wait=True),
        )
        report = reporting.send(files=sent)
        [file] = reporting.database.rows(
            "SELECT id FROM animal_control.report_file WHERE report_id = :id", id=report.id
        )
        return report, file.id

    return film


def verdicts(database):
    return [row.verdict for row in database.rows("SELECT verdict FROM portal.file_scan")]


def test_it_is_given_to_nobody_until_it_was_scanned(film, parts, officer, visitor):
    report, file_id = film()
    visitor.visit(f"/reports/open/{report.token}")
    places = (
        (officer, f"/desk/reports/{report.id}/files/{file_id}"),
        (visitor, f"/reports/{report.filed.reference}/files/{file_id}"),
    )
    for person, place in places:
        assert "can’t be opened yet" in person.visit(place, status=409).text
    scan_files(parts, never)
    for person, place in places:
        assert person.visit(place).answer.data == FILM


def test_an_infected_one_stays_closed_and_an_officer_deals_with_it_once(film, parts, officer, clerk):
    report, file_id = film(FILM + VIRUS)
    at_the_desk = f"/desk/reports/{report.id}/files/{file_id}"
    scan_files(parts, never)
    scan_files(parts, never)
    assert "is kept closed" in officer.visit(at_the_desk, status=409).text
    assert "A file with a virus" not in clerk.visit("/desk").text
    officer.visit("/desk?kind=infected").click("A file with a virus")
    assert NAME in officer.text
    assert "night.mp4" in officer.text
    address = officer.path
    officer.submit(button="It is dealt with")
    assert "Nothing waits." in officer.visit("/desk?kind=infected").text
    assert "Dealt with by" in officer.visit(address).text
    assert "is kept closed" in officer.visit(at_the_desk, status=409).text


def test_while_the_scanner_is_away_it_goes_on_waiting(film, parts, scanner, database):
    film()
    scanner.says = b"ERROR"
    scan_files(parts, never)
    assert verdicts(database) == []
    scanner.says = None
    scan_files(parts, never)
    assert verdicts(database) == ["clean"]


def test_a_file_is_scanned_once_and_one_without_a_scanner_never(film, parts, scanner, database):
    film()
    scan_files(replace(parts, gateways=replace(parts.gateways, scanner=None)), never)
    assert verdicts(database) == []
    scan_files(parts, never)
    scan_files(parts, never)
    assert scanner.scanned == 1


def test_one_that_is_gone_holds_no_other_up(film, parts, files, database):
    film()
    files.files.clear()
    film()
    scan_files(parts, never)
    assert verdicts(database) == ["clean"]


def test_the_database_is_asked_what_waits_and_not_the_store(film, parts, files, scanner, database):
    """A bucket with all that ever waited is not listed every minute."""
    film()
    files.files["unscanned/0f/" + "0f" * 16] = b"of a draft that was given up"
    scan_files(parts, never)
    assert scanner.scanned == 1


def test_a_film_of_a_report_that_is_not_sent_yet_is_scanned_too(parts, files, database, arrive, make_app, gateways):
    waits = replace(gateways.city, uploads=replace(gateways.city.uploads, unscanned_files_wait=True))
    person = arrive(app=make_app(city=waits)).visit("/reports/new/other").submit(button="Start")
    person.submit(place=NEXT_DOOR, button="Continue").submit(is_when="now", button="Continue")
    person.submit(animal="A brown dog", button="Continue").submit(narrative="It was there", button="Continue")
    person.submit(file=[(FILM, "night.mp4")], button="Add these and more")
    scan_files(parts, never)
    assert verdicts(database) == ["clean"]
