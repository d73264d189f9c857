"""The officer at the console: filings whose animal is not sure, and demands for a certificate."""

import pytest
from click.testing import CliRunner

from portal.cli import main
from tests.support.registrations import LATER


@pytest.fixture
def console(database, tmp_path):
    """Run a command: its output, or the sentence it failed with."""

    def run(*arguments, fails=False):
        environment = {"DATABASE_URL": database.url, "PORTAL_DATA": str(tmp_path / "var")}
        result = CliRunner().invoke(main, list(arguments), env=environment, catch_exceptions=False)
        assert result.exit_code == (1 if fails else 0), result.output
        return result.output

    return run


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


def test_a_certificate_is_demanded_and_shown_at_the_counter(console, registrations, database):
    kept = registrations.dog(certificate=LATER)
    assert console("demand", "list") == "No demand is open.\n"
    assert "told to show it by" in console("demand", "add", str(kept.animal_id)[:8], "--officer", "amy@benson.example")
    assert "Pepper" in console("demand", "list")
    demand_id = str(database.value("SELECT id FROM animal_control.certificate_demand"))
    assert "Noted for" in console("demand", "shown", demand_id[:8])
    assert database.value("SELECT is_late FROM animal_control.certificate_demand") is False
    assert "shown already" in console("demand", "shown", demand_id, fails=True)
