"""Asking for an account, the city's decision, the staff, the tokens, and the notice of suspected rabies."""

from dataclasses import replace

import pytest

from portal.services.secrets import token_hash
from tests.web.vet.conftest import VET, join

ASKING = {
    "clinic_name": "Prairie Vet Clinic",
    "address": "200 Atlantic Ave, Benson, MN 56215",
    "phone": "(320) 555-0150",
    "email": "desk@clinic.example",
    "asked_by": "Karin Dahl",
    "asker_email": "karin@clinic.example",
}
RABIES = {
    "animal": "Raccoon, gray",
    "where": "At the clinic, in a cage",
    "what": "It staggers and bit a dog",
    "phone": "(320) 555-0150",
}


def ask(person, **changed):
    return person.visit("/vet/ask-to-join").submit({**ASKING, **changed})


def short(database) -> str:
    return str(database.value("SELECT id FROM animal_control.clinic ORDER BY created_at LIMIT 1"))[:8]


def test_a_clinic_asks_is_called_and_can_file(visitor, arrive, outbox, console, database):
    page = visitor.visit("/").click("For veterinary clinics").click("Ask for an account").submit(ASKING)
    assert page.h1 == "We have your request"
    told = {(message.to, message.template) for message in outbox.messages()}
    assert told == {("desk@clinic.example", "clinic_asked"), ("karin@clinic.example", "clinic_asked")}
    member = arrive("karin@clinic.example").sign_in(then="/vet")
    assert "We are looking at it" in member.text
    member.visit("/vet/certificates/new", status=404)
    assert "(320) 555-0150" in console("clinic", "list")
    console("clinic", "approve", short(database), "--officer", "ann@benson.example")
    assert outbox.templates(to="karin@clinic.example")[-1] == "clinic_approved"
    assert member.visit("/vet").h1 == "Prairie Vet Clinic"
    member.visit("/vet/certificates/new")
    assert console("clinic", "list") == "No clinic waits.\n"


def test_a_refused_clinic_reads_why(visitor, outbox, console, database):
    ask(visitor)
    console("clinic", "refuse", short(database), "--reason", "Nobody there knows of it.")
    (letter,) = outbox.letters(to="karin@clinic.example", template="clinic_refused")
    assert "Nobody there knows of it" in letter.text
    assert "is refused" in console("clinic", "suspend", short(database), fails=True)


def test_a_suspended_clinic_can_do_nothing_until_it_is_approved_again(vet, console, database):
    console("clinic", "suspend", short(database))
    for path in ("/vet/certificates", "/vet/certificates/new", "/vet/staff", "/vet/tokens", "/vet/files", "/vet/table"):
        vet.visit(path, status=404)
    console("clinic", "approve", short(database))
    vet.visit("/vet/certificates")


def test_asking_twice_is_asking_once_and_looks_the_same(visitor, database, outbox):
    """R1, V3."""
    first = ask(visitor).text
    assert ask(visitor, email=" Desk@Clinic.example ", clinic_name="PRAIRIE vet clinic").text == first
    assert database.counts()["animal_control.clinic"] == 1
    assert len(outbox.messages()) == 2


def test_a_spam_trap_leads_to_review_and_never_to_a_silent_drop(visitor, console):
    """F5."""
    ask(visitor, second_subject="buy now")
    assert "look closely" in console("clinic", "list")


def test_somebody_who_asks_too_often_is_told_the_wait(visitor):
    """A5."""
    for number in range(3):
        ask(visitor, clinic_name=f"Clinic {number}")
    visitor.visit("/vet/ask-to-join").submit({**ASKING, "clinic_name": "Clinic 9"}, status=429)
    assert "wait" in visitor.text.lower() or "again" in visitor.text.lower()


@pytest.mark.parametrize("missing", ASKING)
def test_each_question_is_needed(visitor, database, missing):
    page = visitor.visit("/vet/ask-to-join").submit({**ASKING, missing: ""}, status=422)
    assert len(page.errors) == 1
    assert database.counts().get("animal_control.clinic") is None


def test_what_somebody_typed_cannot_control_the_officers_screen(visitor, console):
    ask(visitor, clinic_name="Evil\x1b[2J Clinic")
    assert "\x1b" not in console("clinic", "list")


def test_a_mailbox_may_keep_dogs_and_file_for_a_clinic(vet):
    vet.visit("/dogs")
    assert vet.visit("/vet").h1 == "Prairie Vet Clinic"


def test_a_colleague_is_added_told_and_removed(vet, arrive, outbox, database):
    page = vet.visit("/vet/staff").submit(email="Ole@Clinic.example")
    assert "Ole@Clinic.example" in page.text
    assert outbox.templates(to="Ole@Clinic.example") == ["clinic_member"]
    colleague = arrive("ole@clinic.example").sign_in(then="/vet")
    assert colleague.h1 == "Prairie Vet Clinic"
    vet.visit("/vet/staff").click("Remove Ole@Clinic.example").submit(button="Remove")
    assert "Ole@Clinic.example" not in vet.text
    colleague.visit("/vet/certificates", status=404)


def test_adding_somebody_twice_adds_them_once(vet, outbox):
    for _ in range(2):
        vet.visit("/vet/staff").submit(email="ole@clinic.example")
    assert vet.text.count("added by karin@clinic.example") == 1
    assert outbox.templates(to="ole@clinic.example") == ["clinic_member"]


def test_the_last_mailbox_stays(vet):
    page = vet.visit("/vet/staff").click("Remove karin@clinic.example").submit(button="Remove", status=422)
    assert page.errors == ["This is the clinic’s only mailbox. Add another one before you remove it"]
    vet.visit("/vet/staff")


def test_a_token_is_shown_once_and_kept_as_a_hash(vet, database):
    """V5."""
    page = vet.visit("/vet/tokens").submit(name="Front desk software")
    (token,) = [one.get("value") for one in page.page.main.iter("input")]
    assert len(token) > 40
    (row,) = database.rows("SELECT * FROM portal.clinic_token")
    assert (row.token_hash, row.name, row.created_by) == (
        token_hash(token),
        "Front desk software",
        "karin@clinic.example",
    )
    assert not any(token in content for _, content in database.content())
    assert token not in vet.visit("/vet/tokens").page.html
    assert "Never used" in vet.text


def test_a_token_asked_for_twice_by_one_button_is_one(vet, database):
    page = vet.visit("/vet/tokens")
    sent = page.page.form(button="Make a token").filled({"name": "Desk"}, button=None)
    assert [vet.client.post("/vet/tokens", data=sent, base_url=vet.origin).status_code for _ in range(2)] == [200, 303]
    assert database.counts()["portal.clinic_token"] == 1


def test_the_page_of_tokens_leads_the_makers_of_software_to_the_description(vet):
    vet.visit("/vet/tokens")
    assert vet.links["OpenAPI document"] == "/api/v1/openapi.json"


def test_a_token_is_taken_back(vet, database):
    vet.visit("/vet/tokens").submit(name="Old computer")
    vet.visit("/vet/tokens").click("Take back Old computer").submit(button="Take it back")
    assert "Taken back" in vet.text
    assert database.value("SELECT revoked_at IS NOT NULL FROM portal.clinic_token")


def test_suspected_rabies_is_a_phone_call_first_and_then_in_writing(vet, outbox, gateways, database):
    """90.08(C)."""
    page = vet.visit("/vet/suspected-rabies")
    assert page.text.index(gateways.city.police.phone) < page.text.index("Which animal?")
    page.submit(RABIES)
    assert page.h1 == "Animal control has it in writing"
    (letter,) = outbox.letters(to=gateways.city.police.email, template="suspected_rabies")
    assert "It staggers and bit a dog" in letter.text
    assert "(320) 555-0150" in letter.text
    (event,) = database.rows("SELECT * FROM animal_control.event WHERE kind = 'rabies.suspected'")
    assert "staggers" not in str(event.detail)


def test_where_the_police_have_no_mailbox_the_page_says_that_only_the_call_counts(
    make_app, arrive, gateways, filings, clinic_id, outbox, database
):
    """90.08(C): nobody may believe that somebody was reached."""
    join(filings, clinic_id, VET)
    police = replace(gateways.city.police, email=None)
    offices = {**gateways.city.offices, "police": police}
    vet = arrive(VET, app=make_app(city=replace(gateways.city, offices=offices))).sign_in(then="/vet")
    assert "Nobody is called by this page" in vet.visit("/vet/suspected-rabies").text
    vet.submit(RABIES)
    assert "Nobody has been called or written to" in vet.text
    assert gateways.city.police.phone in vet.text
    assert outbox.messages(template="suspected_rabies") == []
    assert database.value("SELECT what FROM animal_control.rabies_notice") == RABIES["what"]


def test_the_notice_sent_twice_by_one_button_is_one_letter(vet, outbox):
    """R1."""
    page = vet.visit("/vet/suspected-rabies")
    sent = page.page.form(button="Send to animal control").filled(RABIES, button=None)
    for _ in range(2):
        assert vet.client.post(page.path, data=sent, base_url=vet.origin).status_code == 303
    assert len(outbox.messages(template="suspected_rabies")) == 1
