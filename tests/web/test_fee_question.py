"""“This looks wrong”: a question about a fee reaches the city, and no late fee is added meanwhile (90.18)."""

from dataclasses import replace

import pytest

from portal.gateways.rate_limits import FEE_QUESTIONS
from portal.ordinance.fees import LateFee
from portal.schema.departures import FeeQuestion
from portal.schema.orders import Order
from tests.browser.limits import use_up

WRONG = "The council set $8, I think."
SEND = "Send to the city"


def asked(database):
    (question,) = database.all(FeeQuestion)
    return question


def test_each_fee_can_be_doubted_from_where_it_stands(visitor, database, outbox):
    visitor.visit("/fees").click("This looks wrong: Another tag")
    assert visitor.page.values["fee"] == ["duplicate_tag"]
    assert "City Code § 90.18" in visitor.text
    visitor.submit(text=WRONG, contact="robin@example.com", button=SEND)
    assert visitor.h1 == "The city has your question"
    question = asked(database)
    assert (question.fee, question.text, question.contact) == ("duplicate_tag", WRONG, "robin@example.com")
    assert question.person_id is None
    letter = outbox.letters(to="animals@benson.example", template="fee_question")[0]
    assert letter.subject == "A question about a fee: Another tag"
    assert "The council set $8" in letter.text
    event = database.rows("SELECT * FROM animal_control.event WHERE kind = 'fee.questioned'")[0]
    assert (event.subject_id, event.detail["fee"]) == (question.id, "duplicate_tag")
    assert "robin" not in str(event)


def test_every_fee_of_the_table_leads_to_its_own_question(visitor):
    links = [href for words, href in visitor.visit("/fees").links.items() if words.startswith("This looks wrong")]
    assert len(links) == len(set(links)) == 5
    for href in links:
        assert visitor.visit(href).page.values["fee"] == [href.partition("fee=")[2]]


def test_what_looks_wrong_and_with_which_fee_has_to_be_said(visitor, database):
    visitor.visit("/fees/question?fee=nonsense").submit(button=SEND, status=422)
    assert visitor.errors == ["Choose the fee", "Write what looks wrong"]
    assert database.all(FeeQuestion) == []


def test_an_order_of_ones_own_is_doubted_from_its_page_and_its_receipt(resident, registrations, database):
    kept = registrations.dog()
    resident.visit(f"/pay/{kept.order_id}").click("This fee looks wrong").submit(text=WRONG, button=SEND)
    order = database.all(Order)[0]
    assert (asked(database).fee, asked(database).person_id) == (order.reference, kept.person_id)
    registrations.pay(kept)
    resident.visit(f"/pay/{kept.order_id}/receipt").click("This fee looks wrong")
    assert f"This is about your order {order.reference}." in resident.text


def test_somebody_elses_order_does_not_exist(visitor, another_resident, registrations, database):
    kept = registrations.dog()
    reference = database.all(Order)[0].reference
    assert kept.order_id
    another_resident.visit(f"/fees/question?order={reference}", status=404)
    visitor.visit(f"/fees/question?order={reference}", status=303, follow=False)
    assert visitor.location == f"/sign-in?next=/fees/question?order%3D{reference}"


def test_a_late_fee_is_held_until_the_officer_has_answered(
    arrive, make_app, gateways, registrations, clock, console, database, outbox
):
    """Asked, renewed without a late fee, answered, and charged again like everybody."""
    [fees] = gateways.city.fees
    app = make_app(city=replace(gateways.city, fees=(replace(fees, late=LateFee(700, 30)),)))
    pepper, rex = registrations.licensed("Pepper"), registrations.licensed("Rex")
    clock.move_to(clock.at.replace(year=2027, month=3, day=1))
    resident = arrive(app=app).sign_in(then="/dogs")
    resident.visit("/fees").click("This looks wrong: Late fee")
    assert "No late fee is added for you while your question is open" in resident.text
    resident.submit(text="I was in hospital.", button=SEND)
    assert "late fee" not in resident.visit(f"/dogs/{pepper.animal_id}/renew").text
    renew(resident, pepper, without=rex)
    assert resident.h1 == "Pay $10.00"
    assert "Late fee" in console("fee", "list")
    said = console("fee", "answer", str(asked(database).id)[:8], "--text", "We waive it.", "--officer", "amy@b.example")
    assert said == "Answered. It is mailed to pat@example.com.\n"
    letter = outbox.letters(to="pat@example.com", template="fee_answered")[0]
    assert (letter.subject, "We waive it" in letter.text) == ("About your question: Late fee", True)
    who = "SELECT actor FROM animal_control.event WHERE kind = 'fee.answered'"
    assert database.value(who) == "officer:amy@b.example"
    assert "a late fee of $7.00 comes on top for Rex" in resident.visit(f"/dogs/{rex.animal_id}/renew").text
    renew(resident, rex, without=pepper)
    assert resident.h1 == "Pay $17.00"


def renew(resident, dog, *, without):
    resident.visit(f"/dogs/{dog.animal_id}/renew")
    offered = resident.page.values.get("animals", [])
    chosen = [key for key in offered if key != str(without.animal_id)]
    resident.submit(animals=chosen, license_year="2027") if offered else resident.submit(license_year="2027")


@pytest.mark.parametrize(
    ("contact", "said"),
    [
        ("robin@example.com", "Answered. It is mailed to robin@example.com.\n"),
        ("(320) 555-0177", "Answered. No mailbox is known: tell them at (320) 555-0177.\n"),
        ("a@example.com, b@example.com", "Answered. No mailbox is known: tell them at a@example.com, b@example.com.\n"),
        ("", "Answered. They left no way to be told.\n"),
    ],
)
def test_the_answer_goes_where_a_mailbox_is_known(visitor, console, database, outbox, registrations, contact, said):
    registrations.account("gavin@example.com")  # somebody who keeps no dog and asked nothing
    visitor.visit("/fees/question?fee=license").submit(text=WRONG, contact=contact, button=SEND)
    question_id = str(asked(database).id)
    assert console("fee", "answer", question_id, "--text", "It is $10.") == said
    assert len(outbox.messages(template="fee_answered")) == ("robin" in contact)
    assert "answered already" in console("fee", "answer", question_id, "--text", "Again.", fails=True)
    assert console("fee", "list") == "No question waits.\n"


def test_someone_signed_in_may_be_answered_elsewhere(resident, registrations, console, database):
    registrations.dog()
    resident.visit("/fees/question?fee=license").submit(text=WRONG, contact="robin@example.com", button=SEND)
    said = console("fee", "answer", str(asked(database).id), "--text", "It is $10.")
    assert said == "Answered. It is mailed to robin@example.com.\n"


def test_someone_signed_in_who_keeps_no_dog_is_answered_too(resident, console, database):
    resident.visit("/fees/question?fee=license").submit(text=WRONG, button=SEND)
    said = console("fee", "answer", str(asked(database).id), "--text", "It is $10.")
    assert said == "Answered. It is mailed to pat@example.com.\n"


def test_an_answer_says_something(visitor, console, database):
    visitor.visit("/fees/question?fee=license").submit(text=WRONG, button=SEND)
    assert "Write the answer" in console("fee", "answer", str(asked(database).id), "--text", "  ", fails=True)


def test_the_same_form_twice_asks_once(visitor, database, outbox):
    """R1."""
    form = visitor.visit("/fees/question?fee=license").page
    for _ in range(2):
        visitor.page = form
        visitor.submit(text=WRONG, button=SEND)
    assert asked(database).text == WRONG
    assert len(outbox.messages(template="fee_question")) == 1


def test_a_filled_spam_trap_is_noted_and_the_question_is_kept(visitor, database):
    """F5."""
    visitor.visit("/fees/question?fee=license").submit(text=WRONG, second_subject="pills", button=SEND)
    told = "SELECT detail ->> 'is_suspicious' FROM animal_control.event WHERE kind = 'fee.questioned'"
    assert (database.value(told), asked(database).text) == ("true", WRONG)


def test_questions_from_one_address_are_throttled(visitor, gateways):
    use_up(gateways.limits, FEE_QUESTIONS, "127.0.0.1")
    visitor.visit("/fees/question?fee=license").submit(text=WRONG, button=SEND, status=429)


def test_without_a_mailbox_of_the_city_the_question_waits_on_the_console(
    arrive, make_app, gateways, database, outbox, console
):
    offices = {**gateways.city.offices, "police": replace(gateways.city.police, email=None)}
    visitor = arrive(app=make_app(city=replace(gateways.city, offices=offices)))
    visitor.visit("/fees/question?fee=license").submit(text=WRONG, button=SEND)
    assert outbox.messages(template="fee_question") == []
    assert WRONG in console("fee", "list")


def test_an_order_that_no_reference_names_is_not_there(resident):
    resident.visit("/fees/question?order=%00xx", status=404)
