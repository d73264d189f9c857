"""What is decided by its facts: clinics, waived fees, animals registered twice, new owners, questions, filings."""

from uuid import uuid4

import pytest
from sqlalchemy.orm import Session

from portal.forms.desk import NO_BUTTON
from portal.ordinance.licensing import Situation
from portal.schema.clinics import ClinicState
from portal.schema.dangerous_notices import NoticeKind
from portal.services.dangerous.tell_dangerous_notice import NoticeTold, tell_dangerous_notice
from portal.services.orders.ask_about_fee import Asked, ask_about_fee
from portal.views.desk.registry import KINDS
from tests.support.registrations import LATER

CHIP = "985112001234567"


@pytest.fixture
def asked_about(gateways):
    """Somebody who is not signed in asks about a fee."""

    def asked_about(fee="license", contact="gavin@example.com"):
        asked = Asked(fee=fee, text="It was $8 last year.", contact=contact, is_suspicious=False)
        with Session(gateways.engine) as session, session.begin():
            ask_about_fee(session, asked, key=uuid4(), person_id=None, city=gateways.city, clock=gateways.clock)

    return asked_about


def test_a_clinic_is_approved_or_refused_with_a_reason(officer, filings, outbox, database):
    filings.clinic("Prairie Vet Clinic", state=ClinicState.ASKED)
    filings.clinic("Valley Vets", state=ClinicState.ASKED)
    officer.visit("/desk").click("Prairie Vet Clinic asks to file certificates")
    officer.submit(button="Approve")
    assert officer.h1 == "Valley Vets"
    officer.submit(button="Refuse", status=422)
    assert officer.errors == ["Say why, in words the clinic will read"]
    officer.submit(button="Refuse", reason="Nobody at your number knows of it.")
    assert officer.h1 == "Queue"
    assert "Refused Valley Vets." in officer.page.html
    states = {row.name: row.state for row in database.rows("SELECT name, state FROM animal_control.clinic")}
    assert states == {"Prairie Vet Clinic": "approved", "Valley Vets": "refused"}


def test_a_waived_fee_is_confirmed_or_declined(officer, registrations, outbox, database):
    helper = registrations.dog("Helper", situation=Situation.ASSISTANCE_DOG)
    registrations.dog("Buddy", email="gavin@example.com", situation=Situation.ASSISTANCE_DOG)
    officer.visit("/desk?kind=waiver").click("Fee waived for Helper?").submit(button="Confirm: nothing is due")
    assert officer.h1 == "Is the fee for Buddy waived?"
    officer.submit(button="Decline: the fee is due", reason="It is a pet, as you told us on the phone.")
    assert "waiver_declined" in outbox.templates(to="gavin@example.com")
    state = "SELECT waiver_state FROM animal_control.license WHERE id = :id"
    assert database.value(state, id=helper.license_id) == "confirmed"


def test_of_a_dog_registered_twice_an_officer_says_so(officer, registrations, outbox):
    registrations.dog("Pepper", certificate=LATER, microchip=CHIP)
    registrations.dog("Pepe", email="gavin@example.com", certificate=LATER, microchip=CHIP)
    officer.visit("/desk").click("Pepe may be Pepper")
    assert "Pat O’Brien, (320) 555-0100 x12" in officer.text
    officer.submit(button="One animal")
    assert "They are one animal" in officer.page.html
    assert "known_already" in outbox.templates(to="gavin@example.com")


def test_while_somebody_pays_for_the_second_registration_nobody_is_told_that_nothing_is_owed(
    officer, registrations, outbox, database
):
    """Gavin has the card page open: a letter that says so would be wrong an hour later."""
    registrations.dog("Pepper", certificate=LATER, microchip=CHIP)
    pepe = registrations.dog("Pepe", email="gavin@example.com", certificate=LATER, microchip=CHIP)
    database.run(
        "INSERT INTO animal_control.payment (order_id, method, state, amount_cents)"
        " VALUES (:order_id, 'card', 'pending', 1000)",
        order_id=pepe.order_id,
    )
    officer.visit("/desk").click("Pepe may be Pepper").submit(button="One animal", status=422)
    [mistake] = officer.errors
    assert mistake.startswith("Somebody is paying for Pepe just now. Decide once that is settled")
    assert "known_already" not in outbox.templates(to="gavin@example.com")
    assert database.value("SELECT decided_at FROM animal_control.lookalike") is None
    database.run("UPDATE animal_control.payment SET state = 'expired'")
    officer.submit(button="One animal")
    assert "known_already" in outbox.templates(to="gavin@example.com")
    state = "SELECT state FROM animal_control.fee_order WHERE id = :id"
    assert database.value(state, id=pepe.order_id) == "canceled"


def test_two_registrations_are_not_said_to_be_two_animals_where_no_button_was_pressed(officer, registrations, database):
    registrations.dog("Pepper", certificate=LATER, microchip=CHIP)
    registrations.dog("Pepe", email="gavin@example.com", certificate=LATER, microchip=CHIP)
    officer.visit("/desk").click("Pepe may be Pepper")
    sent = officer.page.form(button="Two animals").filled({}, button=None)
    del sent["decision"]
    answer = officer.client.post(officer.path, data=sent, base_url=officer.origin)
    assert (answer.status_code, NO_BUTTON in answer.text) == (422, True)
    assert database.value("SELECT decided_at FROM animal_control.lookalike") is None


def test_a_new_owner_is_recorded_and_another_is_not(officer, registrations, household, outbox, database):
    pepper, rex = registrations.dog("Pepper", certificate=LATER), registrations.dog("Rex", certificate=LATER)
    household.claims(pepper, "gavin@example.com")
    household.claims(rex, "mai@example.com")
    officer.visit("/desk").click("Gavin Lind has Pepper now").submit(button="Record the new owner")
    assert officer.h1 == "Does Gavin Lind have Rex now?"
    officer.submit(button="Do not record", reason="Pat wants Rex back.")
    assert "new_owner_rejected" in outbox.templates(to="pat@example.com")
    assert "ownership_accepted" in outbox.templates(to="gavin@example.com")


def test_the_written_notice_of_a_designated_dog_is_asked_for_before_its_new_owner_is_recorded(
    officer, registrations, household, dangerous, gateways
):
    """90.13(N): it is due before the dog changes hands."""
    pepper = registrations.licensed("Pepper")
    dangerous.designated(pepper)
    household.claims(pepper)
    missing = "no written notice of the new owner is here yet"
    assert missing in officer.visit("/desk").click("Gavin Lind has Pepper now").text
    told = NoticeTold(
        key=uuid4(),
        kind=NoticeKind.TRANSFER,
        happens_on=gateways.clock.today(),
        owner_name="Pat",
        owner_address="1310 Idaho Ave",
        signed_name="Pat",
        new_owner_name="Gavin Lind",
    )
    mine = {"animal_id": pepper.animal_id, "person_id": pepper.person_id}
    city, clock = gateways.city, gateways.clock
    dangerous.by_owner(lambda session: tell_dangerous_notice(session, told, **mine, city=city, clock=clock))
    assert missing not in officer.visit("/desk").click("Gavin Lind has Pepper now").text


def test_a_question_about_a_fee_is_answered_in_words(clerk, asked_about, outbox):
    asked_about()
    clerk.visit("/desk").click("Question about a fee: Dog license").submit(status=422)
    assert clerk.errors == ["Write the answer that the person will read"]
    clerk.submit(answer="The Council raised it in January.")
    [letter] = outbox.letters(to="gavin@example.com", template="fee_answered")
    assert "The Council raised it in January." in letter.text


def test_an_animal_is_chosen_for_a_clinics_certificate_or_it_goes_back(clerk, filings, registrations, database):
    pepper = registrations.dog("Pepper", certificate=LATER)
    clinic = filings.clinic()
    filings.file(clinic, owner_address="Elsewhere 12, Benson", owner_name="P. Obrien", key="one")
    filings.file(clinic, animal_name="Zorro", owner_name="Nobody Known", owner_address="1 Main St", key="two")
    filings.match()
    clerk.visit("/desk?kind=filing").click("Certificate from Prairie Vet Clinic: Zorro")
    clerk.submit(button="Send back to the clinic", reason="not_here")
    assert "Sent back to the clinic." in clerk.page.html
    clerk.submit(button="It is this one", status=422)
    assert clerk.errors == ["Choose the animal"]
    clerk.submit(button="It is this one", chosen=str(pepper.animal_id))
    assert "It is about Pepper." in clerk.page.html
    states = database.rows("SELECT animal_name, state FROM animal_control.clinic_filing ORDER BY 1")
    assert [tuple(row.values()) for row in states] == [("Pepper", "filed"), ("Zorro", "sent_back")]


def test_a_clerk_neither_sees_nor_opens_what_is_the_officers(clerk, filings, desk_engine, database):
    clinic_id = filings.clinic("Prairie Vet Clinic", state=ClinicState.ASKED)
    assert "Prairie" not in clerk.visit("/desk").text
    assert "Clinics to approve" not in clerk.text
    clerk.visit("/desk?kind=clinic", status=404)
    clerk.visit(f"/desk/clinics/{clinic_id}", status=403)


def test_what_is_not_there_is_a_page_that_says_so(officer):
    for part in ("certificates", "clinics", "waivers", "lookalikes", "new-owners", "fee-questions", "filings"):
        officer.visit(f"/desk/{part}/{uuid4()}", status=404)


def test_the_queue_asks_the_database_once_a_kind(officer, registrations, queries):
    for number in range(3):
        registrations.dog(f"Dog {number}", email=f"owner{number}@example.com")
    with queries() as counted:
        officer.visit("/desk")
    assert len(counted) <= len(KINDS) + 6
