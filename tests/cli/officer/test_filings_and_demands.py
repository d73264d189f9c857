"""The officer at the console: filings whose animal is not sure, and demands for a certificate."""

import pytest
from sqlalchemy.orm import Session

from portal.services.clinics.change_filing import withdraw_filing
from portal.services.clinics.clinic_of import ClinicStaff
from tests.support.documents import corners, saved
from tests.support.registrations import LATER
from tests.web.vet.conftest import VET, join
from tests.web.vet.test_account import RABIES


@pytest.fixture
def unsure(registrations, filings):
    """A filing for a Pepper at another address, and the Pepper it may be about."""
    kept = registrations.dog(certificate=LATER)
    filing_id = filings.file(filings.clinic(), owner_address="20 Kansas Ave, Benson, MN 56215")
    filings.match()
    return kept, str(filing_id)


def test_an_unsure_filing_is_listed_and_shown_with_what_agrees(console, unsure):
    kept, filing_id = unsure
    listed = console("filing", "list")
    assert "which animal?" in listed
    assert "Pat O’Brien" in listed
    shown = console("filing", "show", filing_id[:8])
    assert str(kept.animal_id)[:8] in shown
    assert "the owner’s surname and the animal’s name, at another address agree" in shown


def test_the_officer_says_which_animal_it_is(console, unsure, database, outbox):
    kept, filing_id = unsure
    said = console("filing", "match", filing_id, str(kept.animal_id)[:8], "--officer", "amy@benson.example")
    assert "It is accepted" in said
    assert database.value("SELECT state FROM animal_control.clinic_filing") == "filed"
    assert outbox.templates(to="pat@example.com")[-1] == "certificate_accepted"
    who = "SELECT actor FROM animal_control.event WHERE kind = 'filing.animal_chosen'"
    assert database.value(who) == "officer:amy@benson.example"
    assert "decided already: it is filed" in console("filing", "match", filing_id, str(kept.animal_id), fails=True)
    assert console("filing", "list") == "No filing waits.\n"


def test_one_that_cannot_be_so_is_refused(console, unsure, database):
    kept, filing_id = unsure
    database.run("UPDATE animal_control.animal SET born_on = '2026-11-01'")
    assert "before the birth date" in console("filing", "match", filing_id, str(kept.animal_id), fails=True)
    assert database.value("SELECT count(*) FROM animal_control.vaccination") == 0


def test_one_for_a_dog_that_died_is_kept_and_nobody_is_told(console, unsure, database, outbox):
    kept, filing_id = unsure
    database.run("UPDATE animal_control.animal SET state = 'died'")
    told = outbox.templates()
    console("filing", "match", filing_id, str(kept.animal_id))
    assert outbox.templates() == told
    assert database.value("SELECT count(*) FROM animal_control.vaccination") == 1


def test_a_filing_is_sent_back_with_the_reason(console, unsure, database):
    _, filing_id = unsure
    console("filing", "reject", filing_id, "--reason", "No such dog here.")
    row = database.rows("SELECT state, decision_reason FROM animal_control.clinic_filing")[0]
    assert (row.state, row.decision_reason) == ("sent_back", "No such dog here.")


@pytest.fixture
def vet(filings, arrive):
    """Somebody of a clinic at their browser."""
    join(filings, filings.clinic(), VET)
    return arrive(VET).sign_in(then="/vet")


@pytest.fixture
def taken_back(registrations, filings, gateways):
    """A certificate that was accepted on a clinic's word, and that the clinic then took back."""
    dog = registrations.dog(certificate=LATER)
    clinic_id = filings.clinic()
    filing_id = filings.file(clinic_id)
    filings.match()
    staff = ClinicStaff(clinic_id, "Prairie Vet Clinic", "karin@clinic.example")
    with Session(gateways.engine) as session, session.begin():
        withdraw_filing(session, staff, filing_id=filing_id, clock=gateways.clock)
    return dog


def test_an_accepted_certificate_its_clinic_took_back_can_be_kept(console, taken_back, database, outbox):
    [row] = database.rows("SELECT id, state FROM animal_control.vaccination")
    assert row.state == "accepted"
    assert "taken back by its clinic" in console("certificate", "list")
    told = outbox.templates()
    assert "Kept" in console("certificate", "keep", str(row.id)[:8], "--officer", "amy@benson.example")
    assert console("certificate", "list") == "No certificate waits.\n"
    [row] = database.rows("SELECT state, decided_by FROM animal_control.vaccination")
    assert (row.state, row.decided_by) == ("accepted", "amy@benson.example")
    assert outbox.templates() == told


def test_or_it_is_sent_back_to_the_keeper_with_the_reason(console, taken_back, database, outbox):
    vaccination_id = str(database.value("SELECT id FROM animal_control.vaccination"))
    console("certificate", "reject", vaccination_id, "--reason", "Your clinic has withdrawn it.")
    assert database.value("SELECT state FROM animal_control.vaccination") == "sent_back"
    assert console("certificate", "list") == "No certificate waits.\n"
    [letter] = outbox.letters(template="certificate_sent_back")
    assert "Your clinic has withdrawn it." in letter.text


def test_an_acceptance_that_was_a_mistake_is_undone_with_its_reason(console, registrations, database, outbox):
    dog = registrations.licensed()
    beginning = str(dog.vaccination_id)[:8]
    told = console("certificate", "undo", beginning, "--reason", "It is of another dog.", "--officer", "a@b.example")
    assert "does not count any more" in told
    [row] = database.rows("SELECT state, decided_by FROM animal_control.vaccination")
    assert tuple(row.values()) == ("sent_back", "a@b.example")
    assert database.value("SELECT state FROM animal_control.license") == "issued", "no rule ends one by itself"
    [letter] = outbox.letters(template="certificate_sent_back")
    assert "It is of another dog." in letter.text
    again = console("certificate", "undo", beginning, "--reason", "Once more.", fails=True)
    assert "not accepted, so there is nothing to undo" in again


def test_one_that_nobody_took_back_is_not_decided_twice(console, registrations):
    dog = registrations.dog()
    assert "not accepted yet" in console("certificate", "keep", str(dog.vaccination_id), fails=True)
    console("certificate", "accept", str(dog.vaccination_id))
    for deed in (["keep"], ["reject", "--reason", "No"]):
        assert "decided already" in console("certificate", deed[0], str(dog.vaccination_id), *deed[1:], fails=True)


def test_a_file_that_its_clinic_left_for_a_day_is_shown_and_can_be_sent_back(console, vet, database, tmp_path):
    vet.visit("/vet/files").submit(files=(saved(corners(640, 480), "JPEG"), "scan.jpg"))
    assert console("filing", "list") == "No filing waits.\n"
    database.run("UPDATE animal_control.clinic_filing SET created_at = '2020-01-01'")
    listed = console("filing", "list")
    assert "not filled in" in listed
    filing_id = str(database.value("SELECT id FROM animal_control.clinic_filing"))
    assert "Page 1" in console("filing", "show", filing_id[:8], "--save", str(tmp_path / "pages"))
    animal = str(database.value("SELECT gen_random_uuid()"))
    assert "Nothing has an id" in console("filing", "match", filing_id, animal, fails=True)
    console("filing", "reject", filing_id, "--reason", "Please fill it in.")
    assert "Please fill it in." in vet.visit("/vet/certificates").text
    vet.visit("/vet/files").submit(files=(saved(corners(640, 480), "JPEG"), "scan.jpg"))
    assert database.value("SELECT count(*) FROM animal_control.clinic_filing") == 2


def test_a_notice_of_rabies_waits_in_the_officers_list_until_it_is_read(console, vet, database):
    """90.08(C)."""
    assert console("rabies", "list") == "No notice waits.\n"
    vet.visit("/vet/suspected-rabies").submit(RABIES)
    assert "Prairie Vet Clinic" in console("rabies", "list")
    notice_id = str(database.value("SELECT id FROM animal_control.rabies_notice"))
    shown = console("rabies", "show", notice_id[:8], "--officer", "amy@benson.example")
    assert "It staggers and bit a dog" in shown
    assert console("rabies", "list") == "No notice waits.\n"
    assert database.value("SELECT actor FROM animal_control.event WHERE kind = 'rabies.notice_seen'").startswith("off")


def test_a_certificate_is_demanded_and_shown_at_the_counter(console, registrations, database):
    kept = registrations.dog(certificate=LATER)
    assert console("demand", "list") == "No demand is open.\n"
    assert "told to show it by" in console("demand", "add", str(kept.animal_id)[:8], "--officer", "amy@benson.example")
    assert "Pepper" in console("demand", "list")
    demand_id = str(database.value("SELECT id FROM animal_control.certificate_demand"))
    assert "Noted for" in console("demand", "shown", demand_id[:8])
    assert database.value("SELECT is_late FROM animal_control.certificate_demand") is False
    assert "shown already" in console("demand", "shown", demand_id, fails=True)
