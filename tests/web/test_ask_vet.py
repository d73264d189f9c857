"""A keeper asks a clinic for a certificate; its link shows the clinic one animal, and nothing of the keeper."""

from datetime import date, timedelta

import pytest

from portal.schema.clinics import ClinicState
from tests.support.documents import corners, saved
from tests.support.registrations import LATER

ANSWER = {
    "given_on": date(2026, 10, 12),
    "due_on": date(2028, 6, 12),
    "dose": "booster",
    "weight": "62 lb",
    "attested_name": "Karin Dahl",
}
ACCEPTED = "Accepted, good to June 12, 2028"
PRIVATE = ("Pat", "O’Brien", "pat@example.com", "(320) 555-0100", "Idaho")


@pytest.fixture
def pepper(registrations):
    """A paid dog whose certificate is to follow."""
    kept = registrations.dog("Pepper", certificate=LATER)
    registrations.pay(kept)
    return kept


@pytest.fixture
def ask(resident, pepper, filings, outbox):
    """The keeper asks an approved clinic, or the one typed; the path of the link that was mailed."""

    def ask(**typed):
        resident.visit(f"/dogs/{pepper.animal_id}/ask")
        answers = typed or {"clinic": str(filings.clinic())}
        resident.visit(f"/dogs/{pepper.animal_id}/ask").submit(answers, button="Ask this clinic")
        return str(outbox.messages(template="ask_vet")[-1].context["path"])

    return ask


def vaccination(database):
    (row,) = database.rows("SELECT * FROM animal_control.vaccination")
    return row


def test_a_known_clinic_answers_and_both_sides_see_it_accepted(resident, visitor, pepper, ask, database, outbox):
    visitor.visit(ask())
    assert visitor.path == "/vet/ask"
    assert visitor.h1 == "Send Pepper’s rabies certificate"
    assert "Pepper, dog, Labrador retriever, black" in visitor.text
    assert [word for word in PRIVATE if word in visitor.page.html] == []
    visitor.submit(ANSWER)
    assert ACCEPTED in visitor.text
    row = vaccination(database)
    assert (row.state, row.source, row.veterinarian, row.clinic_name) == (
        "accepted",
        "clinic",
        "Karin Dahl",
        "Prairie Vet Clinic",
    )
    assert row.decided_by.startswith("clinic:")
    assert database.value("SELECT state FROM animal_control.license") == "issued"
    assert outbox.templates(to="pat@example.com")[-2:] == ["certificate_accepted", "license_issued"]
    assert ACCEPTED in resident.visit(f"/dogs/{pepper.animal_id}/ask").text


def test_the_letter_goes_to_the_clinics_own_mailbox_and_tells_nothing_of_the_keeper(ask, outbox):
    ask()
    (letter,) = outbox.letters(template="ask_vet")
    assert letter.to == "prairie@clinic.example"
    assert letter.subject == "Pepper's owner asks for a rabies certificate"
    assert [word for word in PRIVATE if word in letter.text + letter.html] == []
    assert outbox.messages(template="ask_vet")[0].is_secret


def test_the_token_leaves_the_address_bar_and_is_kept_hashed(visitor, ask, database):
    """V5."""
    path = ask()
    visitor.visit(path, follow=False, status=303)
    assert visitor.location == "/vet/ask"
    token = path.rpartition("/")[2]
    assert token not in str(database.rows("SELECT * FROM animal_control.vet_request"))
    assert visitor.answer.headers["Referrer-Policy"] == "same-origin"


def test_another_clinic_is_marked_for_the_officer(visitor, ask, database):
    visitor.visit(ask(clinic="another", clinic_name="Far Away Vet", clinic_email="desk@far.example")).submit(ANSWER)
    assert "An officer looks at it" in visitor.text
    row = vaccination(database)
    assert (row.state, row.needs_review) == ("submitted", True)
    (mark,) = [finding for finding in row.findings if finding["is_for_staff"]]
    assert "not sent to the own mailbox of a clinic the city knows" in mark["sentence"]


def test_the_own_mailbox_of_an_approved_clinic_counts_however_it_was_typed(visitor, ask, filings, database):
    filings.clinic()
    path = ask(clinic="another", clinic_name="Prairie", clinic_email=" Prairie@Clinic.example")
    visitor.visit(path).submit(ANSWER)
    assert ACCEPTED in visitor.text


def test_a_clinic_that_was_suspended_meanwhile_is_not_believed(visitor, ask, database):
    path = ask()
    database.run("UPDATE animal_control.clinic SET state = :state", state=ClinicState.SUSPENDED.value)
    visitor.visit(path).submit(ANSWER)
    assert vaccination(database).state == "submitted"


def test_a_link_takes_one_certificate(arrive, visitor, ask, database):
    path = ask()
    second = arrive("b@example.com").visit(path)
    visitor.visit(path).submit(ANSWER)
    second.submit({**ANSWER, "given_on": date(2026, 11, 1)})
    assert ACCEPTED in second.text
    assert vaccination(database).given_on == date(2026, 10, 12)
    assert ACCEPTED in arrive("c@example.com").visit(path).text


def test_what_cannot_be_is_told_beside_the_answer(visitor, ask, database):
    visitor.visit(ask()).submit({**ANSWER, "given_on": date(2026, 12, 1)}, status=422)
    assert "The vaccination date is in the future" in visitor.errors[0]
    visitor.visit("/vet/ask").submit({}, status=422)
    assert visitor.title.startswith("Error: ")
    assert "Type the veterinarian’s name as signature" in visitor.errors
    assert database.value("SELECT count(*) FROM animal_control.vaccination") == 0


def test_what_is_wrong_behind_a_fold_is_seen_at_once(visitor, ask):
    visitor.visit(ask()).submit({**ANSWER, "weight": ""}, status=422)
    assert visitor.page.main.find(".//details").get("open") is None
    visitor.submit({**ANSWER, "vaccine_expires_on-month": "soon"}, status=422)
    assert visitor.page.main.find(".//details").get("open") is not None


def test_one_that_is_not_current_goes_to_the_officer(visitor, ask, database):
    """Example 25."""
    lapsed = {**ANSWER, "given_on": date(2025, 9, 1), "due_on": date(2026, 9, 1)}
    visitor.visit(ask()).submit(lapsed)
    assert vaccination(database).state == "submitted"


def test_a_photo_can_come_with_it(visitor, ask, database):
    visitor.visit(ask()).submit({**ANSWER, "file": (saved(corners(640, 480), "JPEG"), "image.jpg")})
    assert vaccination(database).document_id
    assert database.value("SELECT count(*) FROM animal_control.document_page") == 1


@pytest.mark.parametrize("file", [(b"", "empty.jpg"), (b"<svg></svg>", "x.jpg")])
def test_a_file_that_cannot_be_read_is_explained(visitor, ask, database, file):
    visitor.visit(ask()).submit({**ANSWER, "file": file}, status=422)
    assert database.value("SELECT count(*) FROM animal_control.vaccination") == 0


def test_wrong_withdrawn_and_expired_links_show_the_same_page(arrive, resident, pepper, ask, clock):
    withdrawn = ask()
    resident.visit(f"/dogs/{pepper.animal_id}/ask").submit(button="Take it back")
    assert "no answer yet" not in resident.text
    pages = [
        arrive("a@example.com").visit("/vet/ask/wrong", status=410).page.html,
        arrive("b@x.example").visit(withdrawn, status=410).page.html,
    ]
    expired = ask(clinic="another", clinic_name="Far Away Vet", clinic_email="desk@far.example")
    clock.move_to(clock.now() + timedelta(days=30, seconds=1))
    pages.append(arrive("c@example.com").visit(expired, status=410).page.html)
    assert len(set(pages)) == 1
    assert "This link does not open anything now" in pages[0]


def test_one_taken_back_while_it_was_filled_in_files_nothing(visitor, resident, pepper, ask, database):
    visitor.visit(ask())
    resident.visit(f"/dogs/{pepper.animal_id}/ask").submit(button="Take it back")
    visitor.submit(ANSWER, status=410)
    assert visitor.h1 == "This link does not open anything now"
    assert database.value("SELECT count(*) FROM animal_control.vaccination") == 0


def test_a_dog_that_died_meanwhile_is_not_shown(visitor, ask, database):
    path = ask()
    database.run("UPDATE animal_control.animal SET state = 'died'")
    assert visitor.visit(path, status=410).h1 == "This link does not open anything now"


def test_the_code_for_the_desk_is_a_link_to_nobody(resident, visitor, pepper, database):
    resident.visit(f"/dogs/{pepper.animal_id}/ask").click("Show a code at the desk instead").submit()
    assert resident.h1 == "Show this at the clinic’s desk"
    assert "<svg" in resident.page.html
    with resident.client.session_transaction(base_url=resident.origin) as session:
        path = session["vet_desk_code"][str(pepper.animal_id)]
    visitor.visit(path).submit(ANSWER)
    assert vaccination(database).state == "submitted"
    assert "<svg" not in resident.visit(f"/dogs/{pepper.animal_id}/ask/code").page.html


def test_the_codes_of_two_pets_can_be_shown_at_one_visit(resident, registrations, pepper):
    rex = registrations.dog("Rex", certificate=LATER)
    for dog in (pepper, rex):
        resident.visit(f"/dogs/{dog.animal_id}/ask/code").submit()
    for dog in (pepper, rex):
        assert "<svg" in resident.visit(f"/dogs/{dog.animal_id}/ask/code").page.html


def test_a_household_with_many_pets_does_not_outgrow_its_cookie(resident, registrations, gateways):
    for number in range(8):
        dog = registrations.dog(f"Rex {number}", certificate=LATER)
        resident.visit(f"/dogs/{dog.animal_id}/ask/code").submit()
    assert "<svg" in resident.page.html
    with resident.client.session_transaction(base_url=resident.origin) as session:
        assert len(session["vet_desk_code"]) == 6


def test_which_clinic_has_to_be_said(resident, pepper, filings, outbox):
    filings.clinic()
    resident.visit(f"/dogs/{pepper.animal_id}/ask").submit({}, button="Ask this clinic", status=422)
    assert resident.errors == ["Choose a clinic, or “Another clinic”"]
    resident.submit(clinic="another", button="Ask this clinic", status=422)
    assert resident.errors == ["Enter the clinic’s name", "Enter the clinic’s e-mail address"]
    assert outbox.messages(template="ask_vet") == []


def test_only_approved_clinics_are_on_the_list_and_by_name_alone(resident, pepper, filings):
    filings.clinic("Prairie Vet Clinic")
    filings.clinic("Not Yet", state=ClinicState.ASKED)
    page = resident.visit(f"/dogs/{pepper.animal_id}/ask")
    assert "Prairie Vet Clinic" in page.text
    assert "Not Yet" not in page.text
    assert "prairie@clinic.example" not in page.page.html


def test_five_open_requests_are_enough(resident, pepper, ask, outbox):
    other = {"clinic": "another", "clinic_name": "Far Away Vet", "clinic_email": "desk@far.example"}
    for _ in range(5):
        ask(**other)
    resident.visit(f"/dogs/{pepper.animal_id}/ask").submit(other, button="Ask this clinic", status=422)
    assert "Take one of them back first" in resident.errors[0]
    assert len(outbox.messages(template="ask_vet")) == 5


def test_guessing_links_is_throttled(visitor):
    for _ in range(30):
        visitor.visit("/vet/ask/guess", status=410)
    visitor.visit("/vet/ask/guess", status=429)
