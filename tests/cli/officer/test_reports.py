"""The officer at the console: reports, and who made them for a reason that is written down."""

from datetime import timedelta
from functools import partial

import pytest

from portal.ordinance.nuisances import Nuisance
from portal.services.reports.file_report import Sender
from tests.support.notices import notice
from tests.support.reporting import ATTESTED, ROBIN, heard


@pytest.fixture
def console(console):
    """Run a command of its kind: `console("list")`."""
    return partial(console, "report")


@pytest.fixture
def barking(reporting):
    """Robin's report of barking, four minutes of it in the log."""
    now = reporting.clock.now()
    sender = Sender(attestation=ATTESTED, identity=ROBIN)
    return reporting.send(sender=sender, episodes=(heard(now - timedelta(minutes=4), now),))


def test_reports_are_listed_with_bites_first_and_shown_without_who_made_them(console, barking, reporting):
    reporting.send(Nuisance.BITE)
    lines = console("list").splitlines()
    assert "bite" in lines[1]
    assert barking.filed.reference in lines[2]
    assert console("list", "--kind", "litter") == "No report is open.\n"
    shown = console("show", barking.filed.reference.lower())
    assert "one interval of at least three minutes" in shown
    assert "same place" in shown
    assert "Robin" not in shown


def test_an_officer_sees_which_missing_pet_a_loose_animal_may_be(console, reporting, database):
    """Nobody but the officer: that there is a report never reaches an owner (13.82)."""
    today = reporting.clock.today()
    notice(database, breed="beagle", color="tan and white", happened_on=today)
    loose = reporting.send(Nuisance.AT_LARGE, animal="tan and white beagle with a red collar")
    assert "may be Pepper of notice 4K7PQ-XRM2T: same breed, color and collar" in console("show", loose.filed.reference)
    litter = reporting.send(Nuisance.LITTER, animal="tan and white beagle with a red collar")
    assert "of notice" not in console("show", litter.filed.reference)
    assert database.value("SELECT count(*) FROM animal_control.notice_match") == 0


def test_an_officer_asks_says_how_it_stands_and_closes(console, barking, database):
    reference = barking.filed.reference
    assert "waits for its reporter" in console("ask", reference, "--question", "Which window?")
    assert "looked into" in console("status", reference, "--words", "An officer drove by")
    assert "is closed" in console("close", reference, "--reason", "The owner was told")
    assert "This report is closed" in console("close", reference, "--reason", "Again", fails=True)
    assert "Nothing has an id" in console("show", "zzzz", fails=True)
    kinds = [row.kind for row in database.rows("SELECT kind FROM animal_control.event ORDER BY id")]
    assert kinds == ["report.filed", "report.question", "report.status", "report.closed"]


def test_an_identity_is_shown_with_everybody_who_read_it(console, barking, database):
    reference = barking.filed.reference
    shown = console("identity", reference, "--why", "To phone her", "--officer", "amy@benson.example")
    assert "Robin Moe" in shown
    assert "by amy@benson.example: To phone her" in shown
    assert database.value("SELECT count(*) FROM confidential.identity_read") == 1


def test_two_reports_of_one_dog_are_merged_and_taken_apart_with_a_reason(console, barking, reporting, database):
    again = reporting.send(narrative="The brown dog again").filed.reference
    into = ("--into", barking.filed.reference)
    assert "Say why" in console("merge", again, *into, "--why", " ", fails=True)
    merged = console("merge", again, *into, "--why", "The same dog", "--officer", "amy@benson.example")
    assert merged == f"{again} goes under {barking.filed.reference}.\n"
    [line] = [line for line in console("list").splitlines() if line.startswith(again)]
    assert line.endswith("merged")
    assert "by amy@benson.example: The same dog" in console("show", barking.filed.reference)
    console("unmerge", again, "--why", "Another dog after all")
    assert "is not merged" in console("unmerge", again, "--why", "Again", fails=True)
    assert database.value("SELECT count(*) FROM animal_control.report WHERE merged_into_id IS NOT NULL") == 0
