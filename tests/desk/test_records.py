"""A dog, a resident and an address as the desk sees them, each role what it may."""

import pytest
from sqlalchemy.orm import Session

from portal.services.pound.impound import Intake, take_in
from tests.support.registrations import OFFICER

HAPPENED = """
    INSERT INTO animal_control.event (kind, subject_table, subject_id, actor)
    VALUES (:kind, 'animal', :animal, 'system')
"""


@pytest.fixture
def pepper(registrations):
    """A licensed dog."""
    return registrations.licensed()


def test_a_clerk_sees_licenses_and_payments_and_goes_from_one_to_the_other(clerk, pepper):
    clerk.visit(f"/desk/dogs/{pepper.animal_id}")
    assert clerk.h1 == "Pepper"
    assert "2026, number 1" in clerk.text
    assert "Tag 2026-1: to send" in clerk.text
    assert "License issued" in clerk.text
    assert f"Certificate accepted{OFFICER}" in clerk.text
    clerk.click("Pat O’Brien")
    assert "(320) 555-0100 x12" in clerk.text
    assert "Dog license 2026: Pepper, $" in clerk.text
    assert f"taken by {OFFICER}" in clerk.text
    clerk.click("The address and what is kept there")
    assert clerk.h1 == "1310 Idaho Ave"
    assert {"Pepper", "Pat O’Brien"} <= set(clerk.links)


def test_how_much_there_is_changes_nothing_in_how_often_the_database_is_asked(officer, registrations, pepper, queries):
    def asked():
        found = {}
        for path in (f"dogs/{pepper.animal_id}", f"people/{pepper.person_id}"):
            with queries() as counted:
                officer.visit(f"/desk/{path}")
            found[path] = len(counted)
        return found

    before = asked()
    registrations.dog("Rex")
    registrations.dog("Luna")
    assert asked() == before
    assert max(before.values()) <= 11


def test_only_an_officer_sees_the_pound_and_reports(clerk, officer, pepper, desk_engine, gateways):
    intake = Intake(species="dog", place="behind 212 Elm", seized_on=gateways.clock.today(), animal_id=pepper.animal_id)
    with Session(desk_engine) as session, session.begin():
        take_in(session, intake, officer=OFFICER, clock=gateways.clock)
    clerk.visit(f"/desk/dogs/{pepper.animal_id}")
    assert "Elm" not in clerk.text
    assert "mpound" not in clerk.text
    officer.visit(f"/desk/dogs/{pepper.animal_id}")
    assert "behind 212 Elm" in officer.text
    assert "Impoundment added" in officer.text
    officer.click("The address and what is kept there")
    clerk.visit(officer.page.links["Reports about this address"], status=403)


@pytest.mark.parametrize(
    "kind",
    ["animal.may_be_known", "animal.is_known", "animal.is_another", "animal.declared_dangerous_elsewhere"],
)
def test_what_officers_look_into_of_a_dog_is_not_in_the_history_that_a_clerk_reads(
    clerk, officer, pepper, database, kind
):
    database.run(HAPPENED, kind=kind, animal=pepper.animal_id)
    words = kind.replace(".", " ").replace("_", " ").capitalize()
    assert words not in clerk.visit(f"/desk/dogs/{pepper.animal_id}").text
    assert words in officer.visit(f"/desk/dogs/{pepper.animal_id}").text


def test_reports_about_an_address_ask_why_first_and_the_answer_is_kept(officer, clerk, pepper, reporting, database):
    report = reporting.send(place="1310 Idaho Avenue, Benson").filed
    place = database.value("SELECT id FROM animal_control.premises")
    path = f"/desk/places/{place}/reports"
    officer.visit(path)
    assert officer.h1 == "Reports about this address"
    assert report.reference not in officer.text
    officer.submit(why=" ", status=422)
    assert database.value("SELECT count(*) FROM portal.desk_reading") == 0
    officer.submit(why="Second call about barking this week")
    assert report.reference in officer.text
    assert "Second call about barking this week" in officer.text
    [row] = database.rows("SELECT what, subject_id, why FROM portal.desk_reading")
    assert (row.what, row.subject_id, row.why) == ("reports", place, "Second call about barking this week")
    [event] = database.rows("SELECT actor, detail FROM animal_control.event WHERE kind = 'desk.read'")
    assert (event.actor, event.detail) == (f"officer:{officer.email}", {"what": "reports"})
    # That somebody looked is no clerk's business either.
    assert "esk read" not in clerk.visit(f"/desk/places/{place}").text
