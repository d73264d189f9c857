"""Adding a certificate to a registered animal, or sending another in its place; and the pictures of it."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from uuid import UUID

import pytest

from portal.forms.slips import IF_IT_IS_RIGHT
from portal.ordinance.conflicts import DUE_BEFORE_GIVEN
from portal.schema.documents import DocumentKind
from portal.services.files.accept_upload import make_document, note_upload
from tests.support.documents import corners, saved
from tests.support.owing import committed
from tests.support.registrations import CERTIFICATE, LATER

SAMPLES = Path(__file__).parent.parent / "samples"
PHOTO = (saved(corners(640, 480), "JPEG"), "image.jpg")
GOOD = {"given_on": date(2026, 6, 12), "due_on": date(2029, 6, 12), "dose": "booster", "duration_years": "3"}


@pytest.fixture
def pepper(registrations):
    """A dog whose certificate is to follow."""
    return registrations.dog("Pepper", certificate=LATER)


def ask(person, kept):
    return person.visit(f"/dogs/{kept.animal_id}/certificate")


def send_photo(person, kept, photo=PHOTO, **more):
    return ask(person, kept).submit(file=photo, **more)


def states(database) -> list[str]:
    rows = database.rows("SELECT state FROM animal_control.vaccination ORDER BY created_at, id")
    return [row.state for row in rows]


def test_a_certificate_is_sent_as_a_photo_and_then_in_words(resident, pepper, database):
    page = send_photo(resident, pepper)
    assert page.h1 == "What does Pepper’s certificate say?"
    page.submit(**GOOD)
    assert resident.path == f"/dogs/{pepper.animal_id}"
    assert "Certificate sent" in resident.text
    row = database.rows("SELECT * FROM animal_control.vaccination")[0]
    assert (row.state, row.given_on, row.ordinance_until) == ("submitted", date(2026, 6, 12), date(2029, 6, 12))
    assert row.document_id
    assert database.counts()["animal_control.event"]


def test_a_due_date_before_the_shot_is_noticed_beside_it_once_and_not_twice(resident, pepper, database):
    page = send_photo(resident, pepper).submit({**GOOD, "due_on": date(2025, 6, 12)}, status=422)
    assert page.errors == [f"{DUE_BEFORE_GIVEN}. {IF_IT_IS_RIGHT}"]
    page.submit()
    assert DUE_BEFORE_GIVEN not in page.text
    assert states(database) == ["submitted"]


def test_the_microchip_of_their_other_dog_is_noticed_on_the_certificate(resident, pepper, registrations, database):
    rex = registrations.dog("Rex")
    database.run("UPDATE animal_control.animal SET microchip = '985112001234567' WHERE id = :id", id=rex.animal_id)
    page = send_photo(resident, pepper).submit({**GOOD, "microchip": "985 112 001 234 567"}, status=422)
    assert page.errors == [f"Rex has this number too, and each microchip has its own. Check it. {IF_IT_IS_RIGHT}"]
    page.submit()
    assert states(database)[-1] == "submitted"


def test_whoever_sends_a_certificate_hears_that_it_came_and_when_it_is_looked_at(resident, pepper, outbox):
    send_photo(resident, pepper).submit(**GOOD)
    [letter] = outbox.letters(template="certificate_received")
    assert (letter.to, letter.subject) == ("pat@example.com", "We have the rabies certificate of Pepper")
    assert "An officer looks at it by December 3, 2026." in letter.text
    assert "December 3, 2026" in resident.text


def test_the_letter_names_the_same_last_day_as_the_page(resident, registrations, outbox):
    """90.04(D)(1): a label that had lapsed when it was accepted no longer counts; three years from the shot do."""
    lapsed = replace(CERTIFICATE, given_on=date(2024, 12, 10), due_on=date(2025, 12, 10))
    rex = registrations.dog("Rex", certificate=lapsed)
    registrations.accept(rex)
    [letter] = outbox.letters(template="certificate_accepted")
    assert "It is good until December 10, 2027." in letter.text
    assert "good to December 10, 2027" in ask(resident, rex).text


def test_an_iphone_photo_is_taken_and_shown_as_jpeg(resident, pepper):
    """U1."""
    send_photo(resident, pepper, SAMPLES / "certificate-photo-iphone.heic")
    picture = next(link for link in resident.links.values() if link.endswith("/1.jpg"))
    assert resident.client.get(picture, base_url=resident.origin).data.startswith(b"\xff\xd8\xff")


def test_no_file_at_all_is_asked_for(resident, pepper):
    assert ask(resident, pepper).submit(status=422).errors == ["Choose a photo or PDF of the certificate"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        pytest.param(
            {"given_on": date(2026, 12, 1)}, "The vaccination date is in the future", id="example 20 tomorrow"
        ),
        pytest.param({"given_on": date(2024, 5, 31)}, "before the birth date", id="90.04(B)(3) before it was born"),
        pytest.param({"dose": []}, "Choose yes, no, or not sure", id="not answered"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_filed(resident, pepper, database, wrong, sentence):
    page = send_photo(resident, pepper).submit({**GOOD, **wrong}, status=422)
    assert any(sentence in error for error in page.errors)
    assert states(database) == []


def test_what_the_rules_notice_is_told_once_before_it_is_sent(resident, pepper, database):
    """Example 25, T12: the label lapsed, the ordinance's interval runs. Explained, never refused."""
    lapsed = {"given_on": date(2025, 9, 1), "due_on": date(2026, 9, 1), "dose": "booster", "duration_years": "1"}
    page = send_photo(resident, pepper).submit(lapsed)
    assert "Before you send it" in page.text
    assert "The certificate's due date, September 1, 2026, has passed" in page.text
    assert "City Code § 90.04(D)(1)" in page.text
    assert states(database) == []
    page.submit(button="Send it as it is")
    assert resident.path == f"/dogs/{pepper.animal_id}"
    assert states(database) == ["submitted"]
    assert database.value("SELECT needs_review FROM animal_control.vaccination") is True


def test_answers_changed_after_the_notice_are_looked_at_anew(resident, pepper, database):
    lapsed = {"given_on": date(2025, 9, 1), "due_on": date(2026, 9, 1), "dose": "booster", "duration_years": "1"}
    page = send_photo(resident, pepper).submit(lapsed)
    page.submit(dose="first", button="Send it as it is")
    assert "a booster was due on September 1, 2026" in page.text
    assert states(database) == []


def test_what_is_wrong_behind_a_fold_is_seen_at_once(resident, pepper):
    page = send_photo(resident, pepper).submit({**GOOD, "vaccine_expires_on-month": "soon"}, status=422)
    assert page.page.main.find(".//details").get("open") is not None


def test_another_certificate_takes_the_place_of_one_that_still_waits(resident, registrations, database):
    kept = registrations.dog("Pepper")
    assert "it takes that one’s place" in ask(resident, kept).text
    send_photo(resident, kept).submit(**GOOD)
    assert states(database) == ["replaced", "submitted"]


def test_after_one_came_back_the_reason_stands_above_the_question(resident, registrations, database):
    kept = registrations.dog("Pepper")
    registrations.send_back(kept, reason="The date can’t be read.")
    assert "It came back The date can’t be read." in ask(resident, kept).text
    send_photo(resident, kept).submit(**GOOD)
    assert states(database) == ["sent_back", "submitted"]


def test_an_accepted_certificate_stays_while_the_next_is_checked(resident, registrations, database):
    kept = registrations.licensed("Pepper")
    send_photo(resident, kept).submit({**GOOD, "given_on": date(2026, 11, 1), "due_on": date(2029, 11, 1)})
    assert states(database) == ["accepted", "submitted"]
    assert "Good to June 12, 2029. The new one: An officer looks at it" in resident.text


def test_the_same_button_pressed_twice_files_it_once(resident, pepper, database):
    page = send_photo(resident, pepper)
    sent = page.page.form(button="Send the certificate").filled(GOOD, button="Send the certificate")
    for _ in range(2):
        answer = resident.client.post(page.path, data=sent, base_url=resident.origin)
        assert answer.headers["Location"] == f"/dogs/{pepper.animal_id}"
    assert states(database) == ["submitted"]


def test_the_same_file_sent_again_with_other_dates_is_one_document(resident, pepper, database):
    """Back in the browser, a date put right, sent again: the file is not doubled."""
    details = send_photo(resident, pepper).path
    resident.submit(**GOOD)
    resident.visit(details).submit({**GOOD, "given_on": date(2026, 6, 21)})
    assert states(database) == ["replaced", "submitted"]
    assert database.counts()["animal_control.document"] == 1


def test_a_file_of_another_resident_cannot_be_filed(resident, another_resident, registrations, pepper, database):
    """V2."""
    rex = registrations.dog("Rex", email="gavin@example.com", certificate=LATER)
    upload = send_photo(resident, pepper).path.rpartition("/")[2]
    another_resident.visit(f"/dogs/{rex.animal_id}/certificate/{upload}", status=404)
    assert states(database) == []


def test_the_pages_of_a_certificate_are_shown_to_its_keeper_alone(resident, another_resident, registrations):
    """V2, U8: our own JPEG, of a fixed type, that nothing can run in, kept by no proxy."""
    kept = registrations.dog("Pepper")
    page = ask(resident, kept)
    address = f"/dogs/{kept.animal_id}/certificates/{kept.vaccination_id}/1.jpg"
    assert address in page.links.values()
    answer = resident.client.get(address, base_url=resident.origin)
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.headers["Cache-Control"].startswith("private")
    another_resident.visit(address, status=404)
    assert resident.client.get(address.replace("/1.jpg", "/2.jpg"), base_url=resident.origin).status_code == 404


def test_a_stored_file_that_is_gone_breaks_no_page(resident, registrations, files):
    """U6."""
    kept = registrations.dog("Pepper")
    files.files.clear()
    assert "officer is checking" in ask(resident, kept).text
    address = f"/dogs/{kept.animal_id}/certificates/{kept.vaccination_id}/1.jpg"
    assert resident.client.get(address, base_url=resident.origin).status_code == 404


def test_the_picture_of_a_dog_is_shown_to_its_keeper_alone(
    resident, another_resident, registrations, database, gateways
):
    kept = registrations.licensed("Pepper")
    resident.visit(f"/dogs/{kept.animal_id}/picture.jpg", status=404)
    photo_id = photo_of(kept, registrations, gateways)
    database.run("UPDATE animal_control.animal SET photo_id = :photo", photo=photo_id)
    assert resident.visit(f"/dogs/{kept.animal_id}").page.by_class("photo")[0].get("alt") == "Pepper"
    answer = resident.client.get(f"/dogs/{kept.animal_id}/picture.jpg", base_url=resident.origin)
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    another_resident.visit(f"/dogs/{kept.animal_id}/picture.jpg", status=404)


def test_answers_outlive_a_sign_in_that_ended(resident, pepper, database):
    """F1: the same page comes back with what was typed."""
    details = send_photo(resident, pepper).path
    database.run("UPDATE portal.sign_in SET ended_at = now()")
    resident.submit({**GOOD, "veterinarian": "Dr. Nguyễn"})
    assert resident.h1.startswith("What is your e")
    resident.submit(email=resident.email).submit(code=resident.outbox.code(resident.email))
    assert resident.path == details
    assert resident.page.values["veterinarian"] == ["Dr. Nguyễn"]


def photo_of(kept, registrations, gateways) -> UUID:
    with committed(gateways.engine) as session:
        stored = registrations.stored(DocumentKind.ANIMAL_PHOTO)
        return make_document(session, note_upload(session, stored, account_id=kept.account_id)).id


def test_a_sheet_sent_for_one_pet_serves_for_another(resident, pepper, registrations, database):
    """Example 30."""
    rex = registrations.dog("Rex", certificate=LATER)
    send_photo(resident, pepper).submit(**GOOD)
    assert "Is Rex on a sheet you sent already?" in ask(resident, rex).text
    resident.click("Use the one you sent for Pepper").submit(**GOOD)
    assert states(database) == ["submitted", "submitted"]
    assert database.value("SELECT count(DISTINCT document_id) FROM animal_control.vaccination") == 1
    assert "on a sheet" not in ask(resident, rex).text


def test_another_persons_sheet_is_not_offered(another_resident, resident, pepper, registrations):
    send_photo(resident, pepper).submit(**GOOD)
    theirs = registrations.dog("Max", email="gavin@example.com", certificate=LATER)
    assert "on a sheet" not in ask(another_resident, theirs).text
