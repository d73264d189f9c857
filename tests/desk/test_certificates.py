"""Certificates at the desk: looked at beside what was read, accepted, sent back, and by one person alone."""

from dataclasses import replace
from datetime import date

import pytest

from portal.schema.staff import StaffRole
from tests.support.desk import CLERK
from tests.support.registrations import CERTIFICATE


@pytest.fixture
def pepper(registrations):
    """A dog whose certificate waits."""
    return registrations.dog("Pepper")


@pytest.fixture
def open_it(pepper):
    """Somebody opens Pepper’s certificate."""
    return lambda person: person.visit(f"/desk/certificates/{pepper.vaccination_id}")


def test_the_queue_says_what_waits_and_by_when(officer, pepper):
    officer.visit("/desk")
    assert "Certificate of Pepper" in officer.links
    assert "due by December 3, 2026" in officer.text
    assert officer.click("Certificate of Pepper").h1 == "Certificate of Pepper"
    sheet = officer.page.document.find(".//main//img")
    assert officer.client.get(sheet.get("src")).mimetype == "image/jpeg"


def test_an_accepted_one_is_done_and_the_keeper_is_told(officer, open_it, outbox, database):
    open_it(officer).submit(button="Accept")
    assert officer.h1 == "Queue"
    assert "Accepted. The keepers are told by e-mail." in officer.page.html
    assert "certificate_accepted" in outbox.templates(to="pat@example.com")
    assert database.value("SELECT decided_by FROM animal_control.vaccination") == officer.email


def test_one_is_sent_back_with_a_reason_from_the_list_or_ones_own(officer, open_it, outbox):
    open_it(officer).submit(button="Send back", status=422)
    assert officer.errors == ["Say why, in words the keeper will read"]
    officer.submit(button="Send back", reason="cut_off")
    [letter] = outbox.letters(to="pat@example.com", template="certificate_sent_back")
    assert "A part of the certificate is not on the picture" in letter.text


def test_after_one_the_next_is_there(officer, registrations, open_it):
    registrations.dog("Rex", email="gavin@example.com")
    open_it(officer).submit(button="Accept")
    assert officer.h1 == "Certificate of Rex"


def test_the_second_of_two_is_told_before_and_stopped_at_the_end_with_all_that_was_typed(
    officer, working, open_it, database
):
    clerk = working(CLERK, StaffRole.CLERK)
    open_it(officer)
    open_it(clerk)
    assert f"{officer.email} opened this at 10:00 a.m. Ask before you decide." in clerk.text
    officer.submit(button="Accept")
    clerk.submit(button="Send back", own_words="The lot is missing.", status=409)
    assert clerk.h1 == "Certificate of Pepper"
    assert "This has changed since you opened it" in clerk.text
    assert "Certificate accepted, November 30, 2026" in clerk.text
    assert f"by {officer.email}" in clerk.text
    assert "The lot is missing." in clerk.text
    assert database.value("SELECT state FROM animal_control.vaccination") == "accepted"


def test_a_change_by_others_stops_a_decision_too_and_a_second_look_makes_it(officer, open_it, database):
    open_it(officer)
    database.run("UPDATE animal_control.vaccination SET lot = '17'")
    officer.submit(button="Send back", own_words="The lot is missing.", status=409)
    assert officer.page.values["own_words"] == ["The lot is missing."]
    officer.submit(button="Accept")
    assert officer.h1 == "Queue"


def test_one_that_was_accepted_by_mistake_is_undone_on_its_own_page(officer, registrations, database, outbox):
    pepper = registrations.licensed("Pepper")
    officer.visit(f"/desk/certificates/{pepper.vaccination_id}")
    assert "License 2026-1 was issued on it, and stays in force." in officer.text
    officer.submit(button="Undo the acceptance", status=422)
    assert officer.errors == ["Say why, in words the keeper will read"]
    officer.submit(button="Undo the acceptance", own_words="The sheet is of another dog.")
    assert officer.path == f"/desk/certificates/{pepper.vaccination_id}"
    assert "It does not count any more. The keepers are told by e-mail." in officer.page.html
    assert "It was sent back with these words: The sheet is of another dog." in officer.text
    assert f"Certificate sent back{officer.email}" in officer.text
    assert "Certificate accepted" in officer.text, "the history keeps both"
    [letter] = outbox.letters(to="pat@example.com", template="certificate_sent_back")
    assert "The rabies certificate of Pepper was accepted, and does not count any more." in letter.text
    assert "The sheet is of another dog." in letter.text
    assert "The license and the tag stay good meanwhile." in letter.text
    state = "SELECT state, needs_review, decided_by FROM animal_control.vaccination"
    assert tuple(database.rows(state)[0].values()) == ("sent_back", False, officer.email)
    assert database.value("SELECT state FROM animal_control.license") == "issued"
    detail = "SELECT detail FROM animal_control.event WHERE kind = 'certificate.sent_back'"
    assert database.value(detail) == {"before": "accepted"}


def test_the_keeper_of_an_undone_one_is_asked_for_another(officer, resident, registrations):
    pepper = registrations.licensed("Pepper")
    officer.visit(f"/desk/certificates/{pepper.vaccination_id}")
    officer.submit(button="Undo the acceptance", reason="another_animal")
    resident.visit(f"/dogs/{pepper.animal_id}")
    assert "Certificate sent back" in resident.text
    assert "Send another" in resident.links


def test_of_two_who_undo_it_the_second_is_stopped(officer, working, registrations):
    pepper = registrations.licensed("Pepper")
    clerk = working(CLERK, StaffRole.CLERK)
    for person in (officer, clerk):
        person.visit(f"/desk/certificates/{pepper.vaccination_id}")
    officer.submit(button="Undo the acceptance", reason="another_animal")
    clerk.submit(button="Undo the acceptance", own_words="Not this dog.", status=409)
    assert "Not this dog." in clerk.text


def test_one_that_waits_can_not_be_undone(officer, open_it, database):
    open_it(officer)
    sent = officer.page.form(button="Send back").filled({"reason": "cut_off"}, button="Send back")
    answer = officer.client.post(officer.path, data={**sent, "decision": "undo"}, base_url=officer.origin)
    assert (answer.status_code, "is not accepted, so there is nothing to undo" in answer.text) == (422, True)
    assert database.value("SELECT state FROM animal_control.vaccination") == "submitted"


@pytest.fixture
def renewed(registrations, arrive, clock, database):
    """Pepper’s shot is good for a year by its label; the license is renewed and paid half a year after that."""
    pepper = registrations.licensed("Pepper", certificate=replace(CERTIFICATE, due_on=date(2027, 6, 12)))
    clock.move_to(clock.at.replace(year=2027, month=12, day=1))
    pat = arrive().sign_in(then=f"/dogs/{pepper.animal_id}/renew")
    pat.submit(license_year="2028")
    registrations.take(database.value("SELECT reference FROM animal_control.fee_order WHERE state = 'open'"))
    return pat.visit(f"/dogs/{pepper.animal_id}"), pepper


STATES = "SELECT state, number FROM animal_control.license WHERE year = 2028"


def test_a_renewal_on_a_label_that_ran_out_waits_for_a_person_who_lets_it_stand(renewed, working, database):
    """Example 25: the city's three years still run, the label's one does not, so a person decides (90.04(D)(1))."""
    pat, pepper = renewed
    assert tuple(database.rows(STATES)[0].values()) == ("applied", None)
    assert "as soon as a new certificate is accepted, or a person at the city lets the old one stand" in pat.text
    clerk = working(CLERK, StaffRole.CLERK).visit("/desk")
    assert "date passed" in clerk.text
    clerk.click("Certificate of Pepper")
    assert "The date printed on it has passed since it was accepted" in clerk.text
    clerk.submit(button="Let it stand")
    assert tuple(database.rows(STATES)[0].values()) == ("issued", 1)
    assert "Certificate of Pepper" not in clerk.visit("/desk").links
    assert "Good to June 12, 2029" in pat.visit(f"/dogs/{pepper.animal_id}").text


def test_a_renewal_on_a_label_that_runs_asks_nobody(registrations, arrive, clock, database):
    pepper = registrations.licensed("Pepper")
    clock.move_to(clock.at.replace(year=2027, month=12, day=1))
    arrive().sign_in(then=f"/dogs/{pepper.animal_id}/renew").submit(license_year="2028")
    registrations.take(database.value("SELECT reference FROM animal_control.fee_order WHERE state = 'open'"))
    assert tuple(database.rows(STATES)[0].values()) == ("issued", 1)
