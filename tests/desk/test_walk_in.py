"""Somebody without e-mail registers a dog at the counter: staff write it down, and the feed says who did."""

from datetime import date
from uuid import uuid4

from portal.forms.slips import IF_IT_IS_RIGHT, UNLIKE_A_CHIP
from tests.support.registering import SMALL_PHOTO
from tests.support.registrations import LATER
from tests.support.walk_in import REX


def test_a_dog_is_registered_shown_paid_and_licensed_at_one_visit(at_the_counter, clerk, database, outbox):
    at_the_counter(is_shown=True, given_on=date(2026, 6, 12), due_on=date(2029, 6, 12), veterinarian="Dr. A. Lee")
    assert clerk.path.startswith("/desk/counter/")
    assert "Rex is registered." in clerk.page.html
    assert "Ole Dahl" in clerk.text
    clerk.submit()
    [license_] = database.rows("SELECT state, number FROM animal_control.license")
    assert (license_.state, license_.number) == ("issued", 1)
    [person] = database.rows("SELECT name, email, phone_e164 FROM animal_control.person")
    assert (person.name, person.email, person.phone_e164) == ("Ole Dahl", None, "+13205550133")
    actors = database.rows(
        "SELECT kind, actor FROM animal_control.event WHERE actor LIKE 'officer:%' AND kind <> 'staff.added'"
    )
    assert {row.actor for row in actors} == {f"officer:{clerk.email}"}
    assert {"person.entered", "animal.registered", "certificate.submitted", "license.applied_for", "order.opened"} <= {
        row.kind for row in actors
    }
    assert outbox.messages(to="pat@example.com") == []
    clerk.visit("/desk/search").submit(q="ole dahl").click("Ole Dahl")
    assert "No account: entered at the counter" in clerk.text


def test_each_mistake_says_what_it_is_about(clerk):
    clerk.visit("/desk/people/new").submit(status=422)
    assert {"Choose whether the owner is 18 or older", "Choose whether it is spayed or neutered"} <= set(clerk.errors)
    assert len(set(clerk.errors)) == len(clerk.errors), "a line of the summary alone tells which question it is"


def test_the_same_form_twice_registers_once(at_the_counter, clerk, database):
    clerk.visit("/desk/people/new")
    form = clerk.page.form(button=None, names=REX)
    sent = form.filled(REX, button=None)
    for _ in range(2):
        answer = clerk.client.post(
            "/desk/people/new", data=sent, base_url=clerk.origin, headers={"Origin": clerk.origin}
        )
        assert answer.status_code == 303
        assert answer.headers["Location"].startswith("/desk/counter/")
    assert database.value("SELECT count(*) FROM animal_control.animal") == 1
    assert database.value("SELECT count(*) FROM animal_control.fee_order") == 1
    assert database.value("SELECT count(*) FROM animal_control.person") == 1


def test_another_animal_of_somebody_known_and_three_dogs_flag_the_home(clerk, registrations, database):
    pepper = registrations.licensed()
    clerk.visit(f"/desk/people/{pepper.person_id}").click("Register another animal of theirs")
    rex = {name: value for name, value in REX.items() if name not in ("owner_name", "phone", "is_adult", "line1")}
    clerk.submit({**rex, "are_there": "yes", "count": "2"})
    assert clerk.path.startswith("/desk/counter/")
    assert database.value("SELECT count(*) FROM animal_control.keeper") == 2
    assert database.value("SELECT kennel_review FROM animal_control.premises")
    assert database.value("SELECT count(*) FROM animal_control.vaccination WHERE source = 'officer'") == 0


def test_what_is_missing_is_asked_for_and_nothing_typed_is_lost(at_the_counter, clerk, database):
    at_the_counter(status=422, is_shown=True, animal_name="")
    assert set(clerk.errors) == {"Enter its name", "Enter the date the shot was given"}
    assert clerk.page.values["owner_name"] == ["Ole Dahl"]
    assert database.value("SELECT count(*) FROM animal_control.animal") == 0
    clerk.submit(animal_name="Rex", given_on=date(2026, 12, 24), status=422)
    assert len(clerk.errors) == 1
    clerk.submit(is_shown=False, given_on=date(2026, 6, 12), wants_license="no")
    assert clerk.h1 == "Rex"


def test_who_brings_the_certificate_later_gets_the_license_they_paid_for(at_the_counter, clerk, database, outbox):
    """90.04(D)(2): Ole paid last week, and has found the paper since."""
    at_the_counter()
    clerk.submit()
    assert database.value("SELECT state FROM animal_control.license") == "applied"
    clerk.visit("/desk/search").submit(q="rex").click("Rex").click("Its certificate is at the counter")
    clerk.submit(veterinarian="Dr. A. Lee", status=422)
    assert set(clerk.errors) == {"Look at the certificate first", "Enter the date the shot was given"}
    assert clerk.page.values["veterinarian"] == ["Dr. A. Lee"]
    clerk.submit(is_shown=True, given_on=date(2026, 6, 12), due_on=date(2029, 6, 12))
    assert clerk.h1 == "Rex"
    assert "Taken. It counts from now on." in clerk.page.html
    [license_] = database.rows("SELECT state, number FROM animal_control.license")
    assert (license_.state, license_.number) == ("issued", 1)
    [paper] = database.rows("SELECT state, source, decided_by FROM animal_control.vaccination")
    assert (paper.state, paper.source, paper.decided_by) == ("accepted", "officer", clerk.email)
    assert outbox.messages(to="pat@example.com") == []


def test_a_certificate_that_is_over_is_taken_and_said_not_to_count(at_the_counter, clerk, database):
    at_the_counter()
    clerk.submit()
    clerk.visit("/desk/search").submit(q="rex").click("Rex").click("Its certificate is at the counter")
    clerk.submit(is_shown=True, given_on=date(2022, 6, 12))
    assert "Taken. It was good to June 12, 2025, so no license is issued on it." in clerk.page.html
    assert database.value("SELECT state FROM animal_control.license") == "applied"


def test_the_same_certificate_sent_twice_is_taken_once(clerk, registrations, database):
    pepper = registrations.dog(certificate=LATER)
    address = f"/desk/dogs/{pepper.animal_id}/certificate"
    clerk.visit(address)
    answers = {"is_shown": True, "given_on": date(2026, 6, 12)}
    sent = clerk.page.form(button=None, names=answers).filled(answers, button=None)
    for _ in range(2):
        answer = clerk.client.post(address, data=sent, base_url=clerk.origin, headers={"Origin": clerk.origin})
        assert answer.status_code == 303
    assert database.value("SELECT count(*) FROM animal_control.vaccination") == 1
    assert database.value("SELECT state FROM animal_control.vaccination") == "accepted"


def test_a_due_date_before_the_shot_is_asked_about_once(clerk, registrations, database):
    pepper = registrations.dog(certificate=LATER)
    clerk.visit(f"/desk/dogs/{pepper.animal_id}/certificate")
    clerk.submit(is_shown=True, given_on=date(2026, 6, 12), due_on=date(2025, 6, 12), status=422)
    assert [error.partition(".")[0] for error in clerk.errors] == ["The due date is before the vaccination date"]
    clerk.submit()
    assert database.value("SELECT count(*) FROM animal_control.vaccination") == 1


def test_no_certificate_is_taken_for_a_dog_that_is_gone(clerk, registrations, household, database):
    pepper = registrations.dog(certificate=LATER)
    clerk.visit(f"/desk/dogs/{pepper.animal_id}/certificate")
    household.gives_away(pepper)
    clerk.submit(is_shown=True, given_on=date(2026, 6, 12), status=422)
    assert clerk.errors == ["Pepper is not kept here any more, so no certificate can be taken for it"]
    assert clerk.page.values["given_on-year"] == ["2026"]
    assert "Its certificate is at the counter" not in clerk.visit(f"/desk/dogs/{pepper.animal_id}").links


YEARS = "SELECT year, state, number FROM animal_control.license ORDER BY year"


def test_who_comes_to_renew_is_renewed_for_and_pays_there(ole, clerk, database):
    """90.04(B)(4), (B)(5): no second row for the dog that is there."""
    clerk.click("Renew for them").submit()
    assert clerk.path.startswith("/desk/counter/")
    clerk.submit()
    assert [tuple(row.values()) for row in database.rows(YEARS)] == [(2026, "issued", 1), (2027, "issued", 1)]
    assert database.value("SELECT count(*) FROM animal_control.animal") == 1
    applied = "SELECT DISTINCT actor FROM animal_control.event WHERE kind = 'license.applied_for'"
    assert database.value(applied) == f"officer:{clerk.email}"
    clerk.visit(f"/desk/people/{ole}/renew")
    assert "Nothing to renew" in clerk.text


def test_the_same_renewal_sent_twice_is_one_order(ole, clerk, database):
    clerk.click("Renew for them")
    sent = clerk.page.form(button=None, names={}).filled({}, button=None)
    for _ in range(2):
        answer = clerk.client.post(
            f"/desk/people/{ole}/renew", data=sent, base_url=clerk.origin, headers={"Origin": clerk.origin}
        )
        assert answer.status_code == 303
    assert database.value("SELECT count(*) FROM animal_control.fee_order") == 2, "of this year and of the next"


def test_a_dog_that_was_renewed_meanwhile_is_told_of_and_the_answers_stay(ole, clerk, database):
    clerk.click("Renew for them")
    form = clerk.page
    clerk.submit()
    clerk.page = form
    clerk.submit(submission_key=str(uuid4()), delivery="pick_up", status=422)
    assert clerk.errors == ["Rex has a license for 2027 already. You don’t need to renew it again"]
    assert clerk.page.values["delivery"] == ["pick_up"]


def test_a_litter_is_written_down_at_the_counter_where_no_other_grown_dog_lives(at_the_counter, database):
    at_the_counter(litter_born_on=date(2026, 11, 20))
    [told] = database.rows("SELECT other_dogs, litter_born_on FROM animal_control.household_statement")
    assert tuple(told.values()) == (0, date(2026, 11, 20))


def test_the_fee_is_named_before_the_clerk_presses(ole, clerk):
    """90.04(B)(4): Ole asks what it will be."""
    clerk.click("Renew for them")
    assert "$10.00 for the license year, whole or part" in clerk.text
    assert "The fees are samples, not yet confirmed by the city." in clerk.text


def test_a_dog_that_assists_somebody_by_now_is_renewed_without_a_fee(ole, clerk, officer, database):
    """90.04(C): the owner's word is enough until an officer has looked."""
    clerk.click("Renew for them").submit(claimed_as="assistance_dog")
    [license_] = database.rows("SELECT state, basis, waiver_state FROM animal_control.license WHERE year = 2027")
    assert tuple(license_.values()) == ("applied", "assistance_dog", "claimed")
    assert database.value("SELECT min(total_cents) FROM animal_control.fee_order") == 0
    officer.visit("/desk?kind=waiver").click("Fee waived for Rex?").submit(button="Confirm: nothing is due")
    assert [tuple(row.values()) for row in database.rows(YEARS)] == [(2026, "issued", 1), (2027, "issued", 1)]


def test_which_of_two_dogs_assists_is_asked_for_and_the_other_pays(ole, clerk, database):
    clerk.click("Register another animal of theirs")
    another = {name: value for name, value in REX.items() if name not in ("owner_name", "phone", "is_adult", "line1")}
    clerk.submit({**another, "animal_name": "Bella", "wants_license": "no"})
    database.run("UPDATE animal_control.license SET year = 2025 WHERE year = 2026")
    clerk.visit(f"/desk/people/{ole}/renew").submit(claimed_as="police_dog", license_year="2026", status=422)
    assert clerk.errors == ["Choose which dog it is"]
    bella = database.value("SELECT id FROM animal_control.animal WHERE name = 'Bella'")
    rex = database.value("SELECT id FROM animal_control.animal WHERE name = 'Rex'")
    clerk.submit(claimed=[str(bella)], animals=[str(rex)], status=422)
    assert clerk.errors == ["Choose it among the dogs to renew too"]
    clerk.submit(claimed_as="no", claimed=[str(bella)], animals=[str(rex), str(bella)], status=422)
    assert clerk.errors == ["Choose above what kind of dog it is, or take the tick away"]
    clerk.submit(claimed_as="police_dog")
    [bellas, rexs] = database.rows(
        "SELECT animal.name, basis, waiver_state FROM animal_control.license"
        " JOIN animal_control.animal ON animal.id = animal_id WHERE year = 2026 ORDER BY animal.name"
    )
    assert tuple(bellas.values()) == ("Bella", "police_dog", "claimed")
    assert tuple(rexs.values()) == ("Rex", "fee", None)
    assert "$10.00" in clerk.text


def test_a_microchip_that_is_none_or_of_their_other_animal_is_noticed_at_the_counter_too(
    at_the_counter, ole, clerk, database
):
    database.run("UPDATE animal_control.animal SET microchip = '985112001234567'")
    clerk.click("Register another animal of theirs")
    another = {name: value for name, value in REX.items() if name not in ("owner_name", "phone", "is_adult", "line1")}
    clerk.submit({**another, "animal_name": "Bella", "microchip": "12345"}, status=422)
    assert clerk.errors == [f"{UNLIKE_A_CHIP}. {IF_IT_IS_RIGHT}"]
    clerk.submit(microchip="985-112-001-234-567", status=422)
    [mistake] = clerk.errors
    assert mistake.startswith("Rex has this number too")
    clerk.submit(microchip="985112001234568")
    assert clerk.path.startswith("/desk/counter/")
    at_the_counter(status=422, microchip="12345")
    assert clerk.errors == [f"{UNLIKE_A_CHIP}. {IF_IT_IS_RIGHT}"]


SCANS = "SELECT original_name FROM animal_control.document"
SHOWN = {"is_shown": True, "given_on": date(2026, 6, 12)}


def test_the_scan_is_there_still_when_an_odd_microchip_is_pressed_again(at_the_counter, clerk, database):
    at_the_counter(status=422, microchip="12345", file=SMALL_PHOTO, **SHOWN)
    assert clerk.errors == [f"{UNLIKE_A_CHIP}. {IF_IT_IS_RIGHT}"]
    assert "We have certificate.jpg. Choose another only to take its place." in clerk.text
    clerk.submit()
    assert clerk.path.startswith("/desk/counter/")
    assert [row.original_name for row in database.rows(SCANS)] == ["certificate.jpg"]
    assert database.value("SELECT document_id FROM animal_control.vaccination") is not None


def test_a_scan_that_is_chosen_anew_takes_the_place_of_the_one_before(at_the_counter, clerk, database):
    at_the_counter(status=422, microchip="12345", file=SMALL_PHOTO, **SHOWN)
    clerk.submit(file=(SMALL_PHOTO[0], "better.jpg"))
    assert [row.original_name for row in database.rows(SCANS)] == ["better.jpg"]


def test_the_scan_is_there_still_when_the_date_was_left_out(clerk, registrations, database):
    pepper = registrations.dog(certificate=LATER)
    clerk.visit(f"/desk/dogs/{pepper.animal_id}/certificate").submit(is_shown=True, file=SMALL_PHOTO, status=422)
    assert clerk.errors == ["Enter the date the shot was given"]
    assert "We have certificate.jpg." in clerk.text
    clerk.submit(given_on=date(2026, 6, 12))
    assert clerk.h1 == "Pepper"
    assert [row.original_name for row in database.rows(SCANS)] == ["certificate.jpg"]


def test_a_scan_that_somebody_else_sent_is_not_taken(at_the_counter, clerk, officer, database):
    at_the_counter(status=422, microchip="12345", file=SMALL_PHOTO, **SHOWN)
    page = clerk.page
    officer.visit("/desk/people/new")
    token = officer.page.values["csrf_token"]
    officer.page = page
    officer.submit(csrf_token=token)
    assert database.value("SELECT count(*) FROM animal_control.animal") == 1
    assert database.value("SELECT count(*) FROM animal_control.document") == 0
