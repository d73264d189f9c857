"""Designated dogs at the desk: the days of a notice, what another place declared, and seizures (90.13)."""

from datetime import date

import pytest
from sqlalchemy.orm import Session

from portal.forms.desk import NO_BUTTON
from portal.schema.animals import Animal
from portal.services.dangerous.claim_designation import state_declared_elsewhere
from portal.services.dangerous.designate_dog import IS_OVER, ONLY_TOLD

KINDS = "SELECT kind FROM animal_control.event WHERE subject_id = :id ORDER BY id"
TODAY, BEFORE = date(2026, 11, 30), date(2026, 11, 29)


@pytest.fixture
def pepper(registrations):
    """A licensed dog."""
    return registrations.licensed("Pepper")


@pytest.fixture
def stated(dangerous, pepper, gateways):
    """Pat tells that Fargo declared Pepper dangerous; the key of it."""

    def state(session: Session):
        animal = session.get_one(Animal, pepper.animal_id)
        about = {"person_id": pepper.person_id, "where": "City of Fargo"}
        return state_declared_elsewhere(session, animal, **about, city=gateways.city, clock=gateways.clock).id

    return dangerous.by_owner(state)


def test_the_days_of_a_notice_are_written_down_as_they_become_known(officer, dangerous, database):
    entered = dangerous.designated(None).designation
    officer.visit("/desk/designations").click("Black Labrador retriever, female")
    officer.click("Write down when the notice was given")
    officer.submit(button="Write it down", status=422)
    assert officer.errors == ["Enter what is known by now"]
    officer.submit(button="Write it down", received_on=BEFORE, status=422)
    assert officer.errors == ["That day is before the date on the notice"]
    officer.visit(f"/desk/designations/{entered.id}/dates")
    officer.submit(button="Write it down", sent_on=TODAY, delivery="mail")
    officer.click("Write down when the notice was given")
    assert "By mail" in officer.text
    officer.submit(button="Write it down", received_on=TODAY)
    dates = "SELECT sent_on, received_on, delivery, final_on FROM animal_control.dangerous_designation"
    assert tuple(database.rows(dates)[0].values()) == (TODAY, TODAY, "mail", None)
    kinds = [row.kind for row in database.rows(KINDS, id=entered.id)]
    assert kinds == ["designation.entered", "designation.dated", "designation.dated"]


def test_the_second_to_date_a_notice_is_stopped_with_all_that_was_typed(officer, working, dangerous, database):
    entered = dangerous.designated(None).designation
    second = working("berg@benson.example")
    for person in (officer, second):
        person.visit(f"/desk/designations/{entered.id}/dates")
    officer.submit(button="Write it down", received_on=TODAY)
    second.submit(button="Write it down", sent_on=TODAY, status=409)
    assert second.page.values["sent_on-day"] == ["30"]
    assert database.value("SELECT sent_on FROM animal_control.dangerous_designation") is None


def test_what_another_place_declared_waits_and_counts_from_the_citys_own_notice(officer, stated, database, outbox):
    officer.visit("/desk?kind=statement").click("Pepper, declared dangerous elsewhere")
    assert "City of Fargo" in officer.text
    officer.submit(button="It is so: the days count from the notice", status=422)
    assert officer.errors == ["Enter the date on the notice"]
    officer.submit(button="It is so: the days count from the notice", noticed_on=BEFORE)
    assert officer.h1 == "Queue"
    [row] = database.rows("SELECT state, noticed_on, designated_by FROM animal_control.dangerous_designation")
    assert tuple(row.values()) == ("standing", BEFORE, officer.email)
    assert "dog_designated" in outbox.templates(to="pat@example.com")


def test_two_who_look_at_one_statement_decide_it_once(officer, working, stated, database, outbox):
    second = working("berg@benson.example")
    for person in (officer, second):
        person.visit(f"/desk/statements/{stated}")
    officer.submit(button="End it, and tell its keepers")
    second.submit(button="It is so: the days count from the notice", noticed_on=BEFORE, status=409)
    assert f"by {officer.email}" in second.text
    assert database.value("SELECT state FROM animal_control.dangerous_designation") == "rescinded"
    assert "statement_dismissed" in outbox.templates(to="pat@example.com")


def test_a_seizure_is_entered_its_security_posted_and_the_dog_goes_home(officer, dangerous, pepper, resident, database):
    entered = dangerous.designated(pepper).designation
    officer.visit(f"/desk/dogs/{pepper.animal_id}").click("Dangerous").click("Its notice and its seizures")
    officer.click("The dog was seized").submit(button="Enter it", status=422)
    assert officer.errors[0] == "Enter the day of the seizure"
    kept = {"kept_at": "Benson Veterinary Clinic", "contact_name": "Lee Berg", "contact_phone": "320-555-0144"}
    for odd in ("0", "999,999,999"):
        officer.submit(button="Enter it", seized_on=BEFORE, **kept, amount=odd, status=422)
        assert officer.errors == ["Check the amount: more than nothing, and less than a million dollars"]
    officer.submit(button="Enter it", seized_on=BEFORE, **kept, amount="200.505", status=422)
    assert officer.errors == ["Enter the amount in dollars and cents, like 12.50"]
    officer.submit(button="Enter it", seized_on=BEFORE, **kept, amount="")
    assert officer.h1 == f"Designation {entered.reference}"
    officer.visit("/desk/designations").click("Black Labrador retriever, female")
    assert officer.h1 == "Seized on November 29, 2026"
    officer.submit(button="Note it", status=422)
    assert officer.errors == ["Enter what is known by now"]
    officer.submit(button="Note it", amount="200", posted_on=date(2026, 11, 28), status=422)
    assert officer.errors == ["That day is before the seizure"]
    officer.submit(button="Note it", amount="21,474,837", posted_on=TODAY, status=422)
    assert officer.errors == ["Check the amount: more than nothing, and less than a million dollars"]
    officer.submit(button="Note it", amount="$200", posted_on=TODAY)
    officer.click("November 29, 2026")
    assert "$200.00" in officer.text
    officer.submit(button="Note it", released_on=TODAY)
    assert "home since November 30, 2026" in officer.text
    assert "Seized, and not home yet" not in officer.visit("/desk/designations").text
    assert database.value("SELECT count(*) FROM animal_control.seizure_security") == 1


def test_a_dog_that_nobody_registered_is_designated_from_the_list(officer, database):
    officer.visit("/desk/designations").click("Designate a dog that is not registered")
    officer.submit(
        button="Enter it", designated="dangerous", grounds=["harmed_person"], dog="Brindle boxer", noticed_on=TODAY
    )
    assert officer.h1 == "The designation is entered"
    officer.visit("/desk/designations").click("Brindle boxer")
    assert "Not yet" in officer.text


@pytest.mark.parametrize("said", [{}, {"decision": "keep"}])
def test_nothing_is_decided_where_no_button_was_pressed(officer, stated, database, said):
    officer.visit(f"/desk/statements/{stated}")
    sent = officer.page.form(button="End it, and tell its keepers").filled({}, button=None)
    del sent["decision"]
    answer = officer.client.post(officer.path, data={**sent, **said}, base_url=officer.origin)
    assert (answer.status_code, NO_BUTTON in answer.text) == (422, True)
    assert database.value("SELECT state FROM animal_control.dangerous_designation") == "stated"


KEPT = {"kept_at": "Benson Veterinary Clinic", "contact_name": "Lee Berg", "contact_phone": "320-555-0144"}


@pytest.mark.parametrize("has_ended", [False, True])
def test_only_of_a_designation_that_stands_is_a_day_or_a_seizure_entered(officer, stated, database, has_ended):
    """Before the city gave notice there is no day of it; once it is over, its dog is no designated one."""
    if has_ended:
        officer.visit(f"/desk/statements/{stated}").submit(button="End it, and tell its keepers")
    for page, answers in (("dates", {"sent_on": TODAY}), ("seizure", {"seized_on": TODAY, **KEPT})):
        officer.visit(f"/desk/designations/{stated}/{page}").submit(**answers, status=422)
        assert officer.errors == [IS_OVER if has_ended else ONLY_TOLD]
    assert database.value("SELECT sent_on FROM animal_control.dangerous_designation") is None
    assert database.value("SELECT count(*) FROM animal_control.seizure_security") == 0


def test_what_becomes_of_a_seized_dog_is_noted_after_its_designation_ended_too(officer, dangerous, pepper, database):
    entered = dangerous.designated(pepper).designation
    officer.visit(f"/desk/designations/{entered.id}/seizure").submit(seized_on=TODAY, **KEPT)
    ended = "UPDATE animal_control.dangerous_designation SET state = 'not_upheld', ended_on = :today"
    database.run(ended, today=TODAY)
    officer.visit(f"/desk/designations/{entered.id}").click("November 30, 2026").submit(released_on=TODAY)
    assert "home since November 30, 2026" in officer.text


def test_an_officer_sees_that_a_designated_dog_died_and_whether_the_notice_is_here(officer, arrive, pepper, dangerous):
    dangerous.designated(pepper)
    pat = arrive("pat@example.com").sign_in(then=f"/dogs/{pepper.animal_id}/gone")
    pat.submit(kind="died", happened_on=BEFORE)
    officer.visit("/desk/designations")
    assert "died, as its keeper told" in officer.text
    officer.visit(f"/desk/dangerous-dogs/{pepper.animal_id}")
    assert "No written notice of it is here yet. Its keepers were asked for one by December 29, 2026." in officer.text
    pat.click("Write the notice").submit(owner_name="Pat O’Brien", signed_name="Pat O’Brien")
    officer.visit(f"/desk/dangerous-dogs/{pepper.animal_id}")
    assert "The written notice is here" in officer.text
    officer.visit("/desk?kind=dangerous_notice")
    assert "Death of Pepper, a designated dog" in officer.links
