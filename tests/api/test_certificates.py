"""What practice software does with certificates."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import uuid4

import pytest
from flask import Flask

from portal.gateways.scanning import scanner_from
from tests.api.conftest import ADDRESS, PEPPER, Software, install
from tests.support.clamd import VIRUS, ScannerDouble
from tests.support.database import Database
from tests.support.documents import corners, saved
from tests.support.filings import Filings
from tests.support.portal import AppMaker
from tests.support.registrations import LATER, Registrations

PHOTO = saved(corners(640, 480), "JPEG")
OTHER_PHOTO = saved(corners(480, 640), "JPEG")


def count(database: Database) -> int:
    return database.counts().get("animal_control.clinic_filing", 0)


def test_a_certificate_is_filed_and_read_back(software: Software) -> None:
    filed = software.file()
    assert (filed["state"], filed["owner_name"], filed["due_on"]) == ("received", "Pat O’Brien", "2029-11-27")
    assert software.ask("GET", f"{ADDRESS}/{filed['id']}", status=200).json == filed


def test_the_same_filing_twice_is_one(software: Software, database: Database) -> None:
    """The answer got lost, and the software sends it once more."""
    assert software.file() == software.file(status=200)
    assert count(database) == 1


def test_twins_at_the_same_moment_are_one_and_only_one_is_told_that_it_is_new(
    software: Software, app: Flask, database: Database
) -> None:
    def file(number: int) -> list[int]:
        twins = [replace(software, client=app.test_client(use_cookies=False)) for _ in range(4)]
        headers = {"Idempotency-Key": f"visit-{number}"}
        with ThreadPoolExecutor(4) as pool:
            answers = pool.map(lambda twin: twin.ask("POST", json=PEPPER, headers=headers), twins)
            return sorted(answer.status_code for answer in answers)

    assert [file(number) for number in range(5)] == [[200, 200, 200, 201]] * 5
    assert count(database) == 5


def test_a_key_that_stands_for_another_certificate_is_refused(software: Software, database: Database) -> None:
    software.file()
    assert "Idempotency-Key" in software.file(animal_name="Rex", status=409)["detail"]
    assert count(database) == 1


def test_two_clinics_may_use_the_same_key(software: Software, other_software: Software) -> None:
    assert software.file()["id"] != other_software.file()["id"]


def test_a_certificate_without_a_key_is_not_taken(software: Software, database: Database) -> None:
    for headers in ({}, {"Idempotency-Key": ""}, {"Idempotency-Key": "visit 1"}, {"Idempotency-Key": "a" * 201}):
        answer = software.ask("POST", json=PEPPER, headers=headers, status=422)
        assert answer.json is not None
        assert [one["field"] for one in answer.json["errors"]] == ["Idempotency-Key"]
    assert count(database) == 0


def test_a_shot_in_the_future_is_refused_beside_its_field(software: Software, database: Database) -> None:
    errors = software.file(given_on="2026-12-01", status=422)["errors"]
    assert [one["field"] for one in errors] == ["given_on"]
    assert count(database) == 0


WRONG = {
    "no owner": ("owner_name", ..., "Enter the owner’s name"),
    "a blank owner": ("owner_name", " ", "Enter the owner’s name, in 400 characters or fewer"),
    "no signature": ("attested_name", None, "Type the veterinarian’s name as signature"),
    "no vaccine type": ("vaccine_type", "unknown", "Choose the type of vaccine"),
    "NUL": ("animal_name", "Pep\0per", "Leave out the characters that cannot be printed"),
    "a lone surrogate": ("description", "black \ud83d", "Leave out the characters that cannot be printed"),
    "an endless text": ("lot", "1" * 401, "Longer than maximum length 400."),
    "the day before the month": ("given_on", "27.11.2026", "Not a valid date."),
    "a year of three digits": ("due_on", "0209-11-27", "Enter the right year"),
    "years as text": ("duration_years", "3", "Not a valid integer."),
    "a field we do not know": ("owner", "Pat", "Unknown field."),
}


@pytest.mark.parametrize(("field", "value", "sentence"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_told_beside_its_field(
    software: Software, database: Database, field: str, value: object, sentence: str
) -> None:
    assert software.file(**{field: value}, status=422)["errors"] == [{"field": field, "detail": sentence}]
    assert count(database) == 0


def test_the_list_goes_page_by_page_and_tells_each_once(software: Software, other_software: Software) -> None:
    other_software.file()
    filed = [software.file(key=f"visit-{number}")["id"] for number in range(5)]
    seen, after = [], ""
    while after is not None:
        listed = software.ask("GET", f"{ADDRESS}?limit=2{after and '&after=' + after}", status=200).json
        assert listed is not None
        seen += [one["id"] for one in listed["certificates"]]
        after = listed["next_after"]
    assert seen == filed[::-1]


def test_another_clinics_certificate_does_not_exist(
    software: Software, other_software: Software, database: Database
) -> None:
    address = f"{ADDRESS}/{software.file()['id']}"
    before = database.content(except_for=("portal.rate_limit", "portal.clinic_token"))
    for method, place in (("GET", address), ("DELETE", address), ("PUT", f"{address}/file")):
        theirs = other_software.ask(method, place, status=404)
        nobodys = other_software.ask(method, place.replace(address, f"{ADDRESS}/{uuid4()}"), status=404)
        assert theirs.data == nobodys.data
    assert database.content(except_for=("portal.rate_limit", "portal.clinic_token")) == before


def test_answers_are_the_same_for_a_known_and_an_unknown_animal(
    software: Software, filings: Filings, registrations: Registrations, database: Database
) -> None:
    """90.04(D)(2): the clinic never learns whether the city knows the owner, not even by adding the paper."""
    known = registrations.dog("Pepper", certificate=LATER)
    filed = [software.file(key=name, animal_name=name) for name in ("Pepper", "Sadler")]
    filings.match()
    states = database.rows("SELECT state FROM animal_control.clinic_filing ORDER BY animal_name")
    assert [row.state for row in states] == ["filed", "waiting"]
    for one in filed:
        address = f"{ADDRESS}/{one['id']}"
        assert software.ask("GET", address).json == one
        assert software.put(one["id"], PHOTO) == {**one, "has_file": True}
        withdrawn = software.ask("DELETE", address).json
        assert withdrawn == {**one, "has_file": True, "state": "withdrawn"}
    kept = "SELECT document_id FROM animal_control.vaccination WHERE animal_id = :id AND document_id IS NOT NULL"
    assert len(database.rows(kept, id=known.animal_id)) == 1


def test_what_was_sent_back_says_why(software: Software, database: Database) -> None:
    address = f"{ADDRESS}/{software.file()['id']}"
    database.run(
        "UPDATE animal_control.clinic_filing SET state = 'sent_back', decision_reason = 'Which of the two dogs?'"
    )
    told = software.ask("GET", address).json
    assert told is not None
    assert (told["state"], told["reason"]) == ("sent_back", "Which of the two dogs?")


def test_a_certificate_is_withdrawn_once_however_often_it_is_asked(software: Software, database: Database) -> None:
    address = f"{ADDRESS}/{software.file()['id']}"
    for _ in range(2):
        answer = software.ask("DELETE", address, status=200).json
        assert answer is not None
        assert answer["state"] == "withdrawn"
    assert database.value("SELECT count(*) FROM animal_control.event WHERE kind = 'filing.withdrawn'") == 1
    assert software.file(status=200)["state"] == "withdrawn"


def test_the_same_file_again_changes_nothing_and_another_is_refused(software: Software, database: Database) -> None:
    filed = software.file()
    first = software.put(filed["id"], PHOTO, status=200)
    assert software.put(filed["id"], PHOTO, status=200) == first
    assert "another file" in software.put(filed["id"], OTHER_PHOTO, status=409)["detail"]
    assert database.counts()["animal_control.document"] == 1


def test_a_withdrawn_certificate_takes_no_file(software: Software) -> None:
    filed = software.file()
    software.ask("DELETE", f"{ADDRESS}/{filed['id']}")
    software.put(filed["id"], PHOTO, status=409)


def test_a_file_past_the_limit_is_too_much(software: Software, filings: Filings) -> None:
    largest = filings.gateways.city.uploads.max_file_bytes
    software.put(software.file()["id"], b"a" * (largest + 1), status=413)


@pytest.mark.parametrize("kind", ["image/heif", "image/jpg", "application/octet-stream", ""])
def test_what_a_file_is_is_decided_by_its_bytes(software: Software, kind: str) -> None:
    """U1."""
    assert software.put(software.file()["id"], PHOTO, status=200, kind=kind)["has_file"]


def test_a_form_is_no_file(software: Software) -> None:
    told = software.put(software.file()["id"], b"a=b", status=415, kind="multipart/form-data; boundary=x")
    assert "application/octet-stream" in told["detail"]


def test_an_infected_paper_is_refused_and_one_that_cannot_be_scanned_now_may_be_sent_again(
    make_app: AppMaker, filings: Filings, scanner: ScannerDouble
) -> None:
    app = make_app(scanner=scanner_from(scanner.url))
    software = install(app, filings, "Prairie Vet Clinic")
    filing_id = software.file()["id"]
    pdf = saved(corners(640, 480), "PDF")
    assert "virus scanner" in software.put(filing_id, pdf + VIRUS, status=422)["detail"]
    scanner.says = b"ERROR"
    software.put(filing_id, pdf, status=503)
    scanner.says = None
    software.put(filing_id, pdf, status=200)
