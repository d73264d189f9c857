"""The officer at the console: looks, decides, takes money, as the role of the desk and through the services."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from portal.demo import add_sample_data
from portal.demo.filling import NotLocal
from portal.gateways.storage.store import FileStorage, new_key
from portal.ordinance.licensing import Situation
from tests.support.documents import corners, saved


def test_the_queue_shows_what_waits_and_what_was_typed_cannot_control_the_screen(console, registrations):
    assert console("certificate", "list") == "No certificate waits.\n"
    registrations.dog("🐶 Bailey\x1b[2J\nRex")
    listed = console("certificate", "list")
    assert "🐶 Bailey [2J Rex" in listed
    assert "\x1b" not in listed
    assert "2026-06-12  2029-06-12" in listed


def test_a_certificate_is_shown_and_its_pages_are_saved(console, registrations, database, tmp_path):
    dog = registrations.dog()
    key = database.value("SELECT key FROM animal_control.document_page")
    FileStorage(tmp_path / "var" / "files").put(key, BytesIO(saved(corners(64, 48), "JPEG")))
    short = str(dog.vaccination_id)[:8]
    shown = console("certificate", "show", short)
    assert "Pepper (dog, Labrador retriever, black, female)" in shown
    assert "Pat O’Brien" in shown
    assert key in shown
    folder = tmp_path / "pages"
    console("certificate", "show", short, "--save", str(folder))
    assert [path.name for path in folder.iterdir()] == [f"{short}-page-1.jpg"]
    assert (folder / f"{short}-page-1.jpg").read_bytes().startswith(b"\xff\xd8")


def test_the_pdf_is_saved_as_it_came(console, registrations, database, tmp_path):
    dog = registrations.dog()
    key = database.value("SELECT key FROM animal_control.document_page")
    original = new_key("certificates-originals")
    database.run("UPDATE animal_control.document_page SET original_key = :original", original=original)
    store = FileStorage(tmp_path / "var" / "files")
    store.put(key, BytesIO(b"\xff\xd8"))
    store.put(original, BytesIO(b"%PDF-1.7"))
    assert original in console("certificate", "show", str(dog.vaccination_id))
    folder = tmp_path / "pages"
    console("certificate", "show", str(dog.vaccination_id), "--save", str(folder))
    short = str(dog.vaccination_id)[:8]
    assert (folder / f"{short}-original-1.pdf").read_bytes() == b"%PDF-1.7"


def test_money_that_a_person_has_to_settle_is_listed_and_settled_with_a_reason(console, registrations, database):
    registrations.dog()
    assert console("order", "questions") == "No payment is in question.\n"
    database.run(
        "INSERT INTO animal_control.payment_question (key, kind, charge_reference, amount_cents, told)"
        " VALUES ('unmatched:pi_1', 'unmatched', 'pi_1', 1000, 'The processor took it, and nobody owes it')"
    )
    listed = console("order", "questions")
    assert "$10.00" in listed
    assert "unmatched  The processor took it, and nobody owes it" in listed
    key = listed.splitlines()[1].split()[0]
    reference = database.value("SELECT reference FROM animal_control.fee_order")
    against = ("order", "settle", key, "--as", "set_against", "--order", reference)
    assert "Say why" in console(*against, "--why", " ", fails=True)
    told = console(*against, "--why", "Pat paid it at the bank.", "--officer", "amy@benson.example")
    assert told == "Settled: set against.\n"
    assert console("order", "questions") == "No payment is in question.\n"
    settled = database.rows("SELECT decided_by, reason FROM animal_control.payment_question")[0]
    assert tuple(settled.values()) == ("amy@benson.example", "Pat paid it at the bank.")
    assert database.value("SELECT state FROM animal_control.fee_order") == "paid"


def test_a_page_that_is_missing_breaks_nothing(console, registrations, tmp_path):
    dog = registrations.dog()
    shown = console("certificate", "show", str(dog.vaccination_id), "--save", str(tmp_path / "pages"))
    assert "Page 1 is missing from the file store." in shown


def test_accepting_a_paid_certificate_issues_the_license_and_says_who_did(console, registrations, database, outbox):
    dog = registrations.dog()
    registrations.pay(dog)
    accepted = console("certificate", "accept", str(dog.vaccination_id)[:6].upper(), "--officer", "amy@benson.example")
    assert "Accepted" in accepted
    (row,) = database.rows("SELECT state, decided_by FROM animal_control.vaccination")
    assert (row.state, row.decided_by) == ("accepted", "amy@benson.example")
    assert database.value("SELECT state FROM animal_control.license") == "issued"
    assert outbox.templates().count("license_issued") == 1
    again = console("certificate", "accept", str(dog.vaccination_id), fails=True)
    assert "decided already: it is accepted" in again


def test_a_certificate_is_sent_back_with_the_reason(console, registrations, outbox):
    dog = registrations.dog()
    console("certificate", "reject", str(dog.vaccination_id), "--reason", "The date can’t be read.")
    (letter,) = outbox.letters(template="certificate_sent_back")
    assert "The date can’t be read." in letter.text


def test_an_id_that_fits_nothing_or_several_is_told(console, registrations, database):
    for name in ("Pepper", "Rex"):
        registrations.dog(name, email=f"{name}@example.com")
    assert "Nothing has an id" in console("certificate", "show", "zzz", fails=True)
    assert "Nothing has an id" in console("certificate", "show", "%", fails=True)
    assert "Nothing has an id" in console("certificate", "show", "", fails=True)
    database.run("UPDATE animal_control.vaccination SET id = ('aaaa' || substr(id::text, 5))::uuid")
    assert "More than one id begins with aaaa" in console("certificate", "show", "aaaa", fails=True)


def test_money_is_taken_at_the_counter_once(console, registrations, database):
    assert console("order", "list") == "Nothing is owed.\n"
    registrations.dog()
    reference = database.value("SELECT reference FROM animal_control.fee_order")
    assert f"{reference}  $10.00" in console("order", "list")
    typed = reference.lower().replace("-", " ").replace("0", "o")
    assert f"Receipt {reference}: $10.00." in console("order", "take", typed, "--officer", "amy@benson.example")
    assert database.value("SELECT taken_by FROM animal_control.payment") == "amy@benson.example"
    assert "is paid already" in console("order", "take", reference, fails=True)
    assert "There is no order" in console("order", "take", "0000-0000", fails=True)


def test_waivers_are_confirmed_and_declined(console, registrations, database):
    assert console("waiver", "list") == "No waiver waits.\n"
    first = registrations.dog("Biscuit", situation=Situation.ASSISTANCE_DOG)
    second = registrations.dog("Rex", email="gavin@example.com", situation=Situation.POLICE_DOG)
    listed = console("waiver", "list")
    assert "assistance dog  Biscuit" in listed
    assert "police dog" in listed
    registrations.accept(first)
    assert "License 1 of 2026 is issued." in console("waiver", "confirm", str(first.license_id))
    declined = console("waiver", "decline", str(second.license_id), "--reason", "Not one of our dogs.")
    assert "over $10.00 is open" in declined
    assert database.value("SELECT count(*) FROM animal_control.fee_order WHERE state = 'open'") == 1


def test_the_sample_data_is_there_once_and_tells_nobody(console, database, tmp_path: Path):
    assert "The sample data is there." in console("demo")
    before = database.content()
    assert "The sample data is there." in console("demo")
    assert database.content() == before
    states = database.rows("SELECT state, count(*) AS n FROM animal_control.license GROUP BY state ORDER BY state")
    assert [(row.state, row.n) for row in states] == [("applied", 1), ("issued", 5)]
    assert database.value("SELECT count(*) FROM animal_control.vaccination WHERE state = 'submitted'") == 1
    assert database.value("SELECT count(*) FROM animal_control.dangerous_designation WHERE state = 'standing'") == 1
    kinds = database.rows("SELECT kind, count(*) AS n FROM animal_control.pet_notice GROUP BY kind ORDER BY kind")
    assert [(row.kind, row.n) for row in kinds] == [("found", 1), ("lost", 2)]
    assert database.value("SELECT count(*) FROM portal.notice_private WHERE account_id IS NOT NULL") == 2
    assert database.value("SELECT count(*) FROM portal.outgoing_message WHERE sent_at IS NULL") == 0
    assert all("555" in row.phone for row in database.rows("SELECT phone FROM animal_control.person"))


def test_no_sample_data_among_real_people(console, registrations, database):
    registrations.dog()
    before = database.content()
    assert "nothing was added" in console("demo")
    assert database.content() == before


def test_no_sample_data_at_a_public_address(settings, database):
    with pytest.raises(NotLocal):
        add_sample_data(replace(settings, base_url="https://animals.benson.example"), database.url)
    assert database.counts() == {}
