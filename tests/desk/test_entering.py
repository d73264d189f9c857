"""What staff write down at the desk: demands, stays at the pound, designations, and money given back."""

from datetime import date

import pytest

from tests.support.pound import impounded


@pytest.fixture
def pepper(registrations):
    """A licensed dog, paid at the counter."""
    return registrations.licensed()


def sent_twice(person, path, answers, **files):
    """Somebody presses the button twice: the statuses of both answers."""
    person.visit(path)
    sent = person.page.form(button=None, names=answers).filled(answers, button=None)
    return [
        person.client.post(path, data=sent, base_url=person.origin, headers={"Origin": person.origin}).status_code
        for _ in range(2)
    ]


def test_a_certificate_is_demanded_and_shown(officer, pepper, database, outbox):
    officer.visit(f"/desk/dogs/{pepper.animal_id}").click("Demand its certificate").submit()
    assert officer.h1 == "Pepper"
    assert "show it by December" in officer.page.html
    assert "certificate_demanded" in outbox.templates(to="pat@example.com")
    officer.click("It was shown").submit(shown_on=date(2026, 11, 29), status=422)
    assert officer.errors == ["It was shown between the day of the demand and today"]
    officer.submit(shown_on=date(2026, 11, 30))
    assert database.value("SELECT presented_at IS NOT NULL FROM animal_control.certificate_demand")
    path = f"/desk/dogs/{pepper.animal_id}/demand"
    assert sent_twice(officer, path, {}) == [303, 303]
    assert database.value("SELECT count(*) FROM animal_control.certificate_demand") == 2


def test_an_animal_comes_to_the_pound_is_found_out_told_and_leaves(officer, pepper, database):
    officer.visit("/desk/pound").click("An animal comes in")
    officer.submit(species="Dog", color="black", from_name="Gavin Moe", status=422)
    assert officer.errors == ["Enter where it was seized"]
    officer.submit(place="behind 212 Elm Street", status=422)
    assert officer.errors == ["Enter both the name and the address, or neither"]
    officer.submit(from_address="214 Elm Street")
    assert officer.h1 == "Black dog"
    assert "Gavin" not in officer.text
    officer.click("Which registered animal it is").submit(animal="Nobody", status=422)
    assert officer.errors == ["No animal that is kept here fits"]
    officer.submit(animal="pepper o’brien")
    assert "Tell its owner without delay" in officer.text
    officer.click("Its owner was told").submit(how="personally")
    officer.click("It left").submit(outcome="reclaimed")
    assert "November 30, 2026, reclaimed" in officer.text
    [stay] = database.rows("SELECT species, animal_id, outcome FROM animal_control.impoundment")
    assert (stay.species, stay.animal_id, stay.outcome) == ("dog", pepper.animal_id, "reclaimed")
    kinds = [
        row.kind
        for row in database.rows("SELECT kind FROM animal_control.event WHERE kind LIKE 'impound%' ORDER BY id")
    ]
    assert kinds == ["impoundment.added", "impoundment.identified", "impoundment.owner_told", "impoundment.left"]


def test_whom_it_came_from_is_read_for_a_reason_alone(officer, pepper, database):
    path = f"/desk/pound/new?animal={pepper.animal_id}"
    answers = {"place": "Elm", "from_name": "Gavin Moe", "from_address": "214 Elm Street"}
    assert sent_twice(officer, path, answers) == [303, 303]
    assert database.value("SELECT count(*) FROM animal_control.impoundment") == 1
    officer.visit(f"/desk/dogs/{pepper.animal_id}").click("Its stay at the pound")
    officer.click("Whom it came from and went to")
    assert "Gavin" not in officer.text
    officer.submit(why="The owner disputes the seizure")
    assert "Gavin Moe" in officer.text
    assert database.value("SELECT what || ': ' || why FROM portal.desk_reading") == (
        "parties: The owner disputes the seizure"
    )


def test_the_second_of_two_at_the_pound_changes_nothing(officer, working, database):
    stay, colleague = impounded(database), working("moen@benson.example")
    for person in (officer, colleague):
        person.visit(f"/desk/pound/{stay.id}/left")
    officer.submit(outcome="died")
    colleague.submit(outcome="transferred", to_name="Ann", to_address="1 Oak St", status=409)
    assert "This has changed since you opened it" in colleague.text
    assert colleague.page.values["to_name"] == ["Ann"]
    assert database.value("SELECT outcome FROM animal_control.impoundment") == "died"
    assert database.value("SELECT count(*) FROM animal_control.impoundment_party") == 0


def test_a_dog_is_designated_and_its_code_shown_once(officer, pepper, database, outbox):
    officer.visit(f"/desk/dogs/{pepper.animal_id}").click("Designate it")
    answers = {"designated": "dangerous", "noticed_on": date(2026, 11, 30)}
    officer.submit(answers, grounds=["bit"], status=422)
    assert officer.errors == ["Name at least one ground, and only grounds of this designation"]
    officer.submit(answers, grounds=["killed_animal"])
    assert officer.h1 == "The designation is entered"
    assert "dog_designated" in outbox.templates(to="pat@example.com")
    designation = database.rows("SELECT designated_by, code_hash FROM animal_control.dangerous_designation")
    assert [row.designated_by for row in designation] == [officer.email]
    assert sent_twice(
        officer, "/desk/designations/new", {**answers, "grounds": ["killed_animal"], "dog": "A husky"}
    ) == [
        200,
        422,
    ]


def test_a_seizure_sent_twice_is_entered_once(officer, dangerous, pepper, database):
    entered = dangerous.designated(pepper).designation
    answers = {
        "seized_on": date(2026, 11, 29),
        "kept_at": "Benson Veterinary Clinic",
        "contact_name": "Lee Berg",
        "contact_phone": "320-555-0144",
    }
    assert sent_twice(officer, f"/desk/designations/{entered.id}/seizure", answers) == [303, 303]
    assert database.value("SELECT count(*) FROM animal_control.seizure_security") == 1


def test_money_goes_back_over_the_counter_and_never_more_than_came(clerk, pepper, database):
    clerk.visit(f"/desk/people/{pepper.person_id}")
    [link] = [said for said in clerk.links if said.startswith("Give back")]
    clerk.click(link)
    assert "Nothing is given back because a dog died" in clerk.text
    clerk.submit(amount="1000", why="Paid for the wrong dog", status=422)
    assert clerk.errors == ["That is more than is left of this payment"]
    clerk.submit(amount="2.555", why="Paid for the wrong dog", status=422)
    clerk.submit(amount="2.50", why="Paid for the wrong dog")
    assert "given back $2.50" in clerk.text
    [payment] = database.rows("SELECT state, refunded_cents, note FROM animal_control.payment")
    assert (payment.state, payment.refunded_cents) == ("partly_refunded", 250)
    assert payment.note == "Paid for the wrong dog"
    clerk.click(link).submit(amount="7.50", why="All of it")
    assert database.value("SELECT state FROM animal_control.fee_order") == "refunded"
    assert database.value("SELECT state FROM animal_control.license") == "issued"
    assert [one for one in clerk.links if one.startswith("Give back")] == []


def test_money_goes_back_to_the_card_it_came_from(clerk, resident, registrations, card_page, app, database):
    dog = registrations.dog()
    resident.visit(f"/pay/{dog.order_id}").submit(status=303)
    card_page.pay(resident.location)
    card_page.deliver(app)
    payment = database.value("SELECT id FROM animal_control.payment WHERE state = 'paid'")
    clerk.visit(f"/desk/payments/{payment}/give-back").submit(amount="4", why="Wrong fee")
    assert "given back $4.00" in clerk.text
    clerk.visit(f"/desk/payments/{payment}/give-back").submit(amount="6", why="The rest")
    for _ in card_page.waiting():
        card_page.deliver(app)
    [row] = database.rows("SELECT state, refunded_cents FROM animal_control.payment")
    assert (row.state, row.refunded_cents) == ("refunded", 1000)
    assert database.value("SELECT state FROM animal_control.license") == "withdrawn"
    decided = database.rows("SELECT actor FROM animal_control.event WHERE kind = 'payment.refund_decided'")
    assert [one.actor for one in decided] == [f"officer:{clerk.email}"] * 2


def test_what_the_card_processor_refuses_is_told(clerk, resident, registrations, card_page, app, database):
    dog = registrations.dog()
    resident.visit(f"/pay/{dog.order_id}").submit(status=303)
    card_page.pay(resident.location)
    card_page.deliver(app)
    database.run("UPDATE animal_control.payment SET charge_reference = 'pi_unknown'")
    payment = database.value("SELECT id FROM animal_control.payment")
    clerk.visit(f"/desk/payments/{payment}/give-back").submit(amount="4", why="Wrong fee", status=422)
    assert clerk.errors == ["The card processor does not give it back. Look at the payment in its own dashboard"]
    assert database.value("SELECT refunded_cents FROM animal_control.payment") == 0


def test_two_who_give_back_at_once_give_back_once(clerk, working, pepper, database):
    payment = database.value("SELECT id FROM animal_control.payment")
    colleague = working("moen@benson.example")
    for person in (clerk, colleague):
        person.visit(f"/desk/payments/{payment}/give-back")
    clerk.submit(amount="5", why="Wrong dog")
    colleague.submit(amount="5", why="Wrong dog", status=409)
    assert database.value("SELECT refunded_cents FROM animal_control.payment") == 500


def test_a_clerk_reaches_none_of_what_officers_enter(clerk, pepper, database):
    stay = impounded(database)
    for path in (
        f"dogs/{pepper.animal_id}/demand",
        f"dogs/{pepper.animal_id}/designate",
        "designations/new",
        "pound",
        "pound/new",
        f"pound/{stay.id}",
        f"pound/{stay.id}/parties",
        f"pound/{stay.id}/left",
    ):
        clerk.visit(f"/desk/{path}", status=403)
