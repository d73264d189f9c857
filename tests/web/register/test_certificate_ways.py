"""The ways to a certificate while registering: one the clinic sent, one the vet is asked for, a sheet of several pets,
several pages at once; and the advice before it is sent."""

from datetime import date

import pytest
from PIL import Image, ImageFilter

from portal.schema.animals import Sex, Species
from portal.schema.clinics import ClinicState
from tests.support.documents import corners, saved
from tests.support.registering import DETAILS, SAMPLES, answer_eligibility, finish, tell_about, tell_owner_and_home

PHOTO = (saved(corners(640, 480), "JPEG"), "image.jpg")
SENT = "Your clinic already sent us this"


@pytest.fixture
def at_the_certificate(resident):
    """Pat O’Brien of 1310 Idaho Ave, about to send Pepper's certificate."""

    def arrive(**about):
        answer_eligibility(resident)
        return tell_about(tell_owner_and_home(resident), **about)

    return arrive


def test_a_certificate_the_clinic_sent_already_is_used(at_the_certificate, filings, database):
    filings.file(filings.clinic())
    page = at_the_certificate()
    assert SENT in page.text
    assert "Prairie Vet Clinic filed Pepper’s certificate, given October 12, 2026." in page.text
    finishing = page.submit(button="Use the clinic’s certificate").submit(another="no").submit(are_there="no")
    assert "Your clinic sent it" in finishing.text
    finishing.submit(is_true=True)
    row = database.rows("SELECT state, source FROM animal_control.vaccination")[0]
    assert (row.state, row.source) == ("accepted", "clinic")


def test_the_microchip_finds_it_though_the_clinic_has_an_old_address(at_the_certificate, filings):
    filings.file(filings.clinic(), microchip="985112001234567", owner_address="9 Elm St, Morris, MN 56267")
    assert SENT in at_the_certificate(microchip="985-1120 0123 4567").text


@pytest.mark.parametrize(
    "filed",
    [
        pytest.param({"owner_name": "Kim Larson"}, id="another owner"),
        pytest.param({"owner_address": "20 Kansas Ave, Benson, MN 56215"}, id="another address"),
        pytest.param({"animal_name": "Rex"}, id="another animal of the household"),
        pytest.param({"species": Species.CAT}, id="a cat"),
        pytest.param({"sex": Sex.MALE}, id="another sex"),
        pytest.param({"given_on": date(2024, 5, 1), "due_on": date(2027, 5, 1)}, id="before it was born"),
    ],
)
def test_nothing_of_anybody_elses_animal_is_told(at_the_certificate, filings, filed):
    filings.file(filings.clinic(), **filed)
    assert SENT not in at_the_certificate().text


def test_what_a_suspended_clinic_sent_is_not_told(at_the_certificate, filings):
    filings.file(filings.clinic(state=ClinicState.SUSPENDED))
    assert SENT not in at_the_certificate().text


def test_pressing_that_button_without_a_filing_says_nothing(at_the_certificate, resident):
    at_the_certificate()
    token = resident.page.values["csrf_token"]
    answer = resident.client.post(
        resident.path, data={"csrf_token": token, "instead": "clinic"}, base_url=resident.origin
    )
    assert answer.status_code == 422


def test_the_vet_is_asked_once_the_registration_is_sent(at_the_certificate, filings, outbox, database):
    clinic_id = filings.clinic()
    page = at_the_certificate().click("Ask the vet to send it").submit(clinic=str(clinic_id))
    assert outbox.messages(template="ask_vet") == []
    checking = page.submit(another="no").submit(are_there="no")
    assert "We ask Prairie Vet Clinic" in checking.text
    checking.submit(is_true=True)
    (message,) = outbox.messages(template="ask_vet")
    assert (message.to, message.context["animal"]) == ("prairie@clinic.example", "Pepper")
    assert database.value("SELECT clinic_id FROM animal_control.vet_request") == clinic_id


def test_a_clinic_that_was_suspended_meanwhile_is_not_written_to(at_the_certificate, filings, outbox, database):
    clinic_id = filings.clinic()
    page = at_the_certificate().click("Ask the vet to send it").submit(clinic=str(clinic_id))
    database.run("UPDATE animal_control.clinic SET state = 'suspended'")
    finish(page)
    assert outbox.messages(template="ask_vet") == []
    assert database.value("SELECT count(*) FROM animal_control.animal") == 1
    [letter] = outbox.letters(template="vet_not_asked")
    assert letter.subject == "We could not ask Prairie Vet Clinic about Pepper"
    page.visit(outbox.messages(template="vet_not_asked")[0].context["path"])


def test_a_file_after_all_takes_the_place_of_asking(at_the_certificate, resident, filings, outbox):
    clinic_id = filings.clinic()
    address = at_the_certificate().path
    resident.click("Ask the vet to send it").submit(clinic=str(clinic_id))
    resident.visit(address).submit(file=PHOTO).submit(DETAILS)
    finish(resident)
    assert outbox.messages(template="ask_vet") == []


def test_one_sheet_serves_for_two_pets(at_the_certificate, resident, database):
    """Example 30."""
    at_the_certificate().submit(file=PHOTO).submit(DETAILS)
    resident.submit(another="yes")
    answer_eligibility(resident)
    tell_about(resident, animal_name="Rex", sex="male")
    resident.submit(button="It is on the sheet I sent for Pepper")
    assert resident.h1 == "What does Rex’s certificate say?"
    assert "answer for Rex" in resident.text
    finish(resident.submit({**DETAILS, "due_on": date(2026, 12, 12)}))
    rows = database.rows("SELECT document_id, certificate_due_on FROM animal_control.vaccination")
    assert len({row.document_id for row in rows}) == 1
    assert {row.certificate_due_on for row in rows} == {date(2028, 6, 12), date(2026, 12, 12)}


def test_several_photos_are_the_pages_of_one_certificate(at_the_certificate, resident, database):
    at_the_certificate().submit(file=[PHOTO, (saved(corners(480, 640), "PNG"), "second.png")])
    assert "This is what the city will see." in resident.text
    assert resident.page.html.count("/1.jpg") == resident.page.html.count("/2.jpg")
    finish(resident.submit(DETAILS))
    pages = database.rows("SELECT number, width, height FROM animal_control.document_page ORDER BY number")
    assert [(row.number, row.width, row.height) for row in pages] == [(1, 640, 480), (2, 480, 640)]


def test_a_pdf_among_several_files_is_kept_apart_as_it_came(at_the_certificate, resident, database, files):
    pdf = (SAMPLES / "certificate-3-year.pdf").read_bytes()
    at_the_certificate().submit(file=[PHOTO, (pdf, "certificate.pdf")])
    finish(resident.submit(DETAILS))
    first, second = database.rows("SELECT original_key FROM animal_control.document_page ORDER BY number")
    assert first.original_key is None
    assert files.files[second.original_key] == pdf


def test_the_one_of_several_that_cannot_be_read_is_named(at_the_certificate, database):
    page = at_the_certificate().submit(file=[PHOTO, (b"", "empty.jpg")], status=422)
    assert page.errors[0].startswith("empty.jpg: ")


def test_more_pages_than_can_be_kept_are_refused_with_the_number(at_the_certificate):
    page = at_the_certificate().submit(file=[PHOTO] * 11, status=422)
    assert "10" in page.errors[0]


def test_a_blurred_photo_is_told_and_taken(at_the_certificate, resident, database):
    blurred = corners(1200, 900).filter(ImageFilter.GaussianBlur(8))
    page = at_the_certificate().submit(file=(saved(blurred, "JPEG"), "blurred.jpg"))
    assert "The picture looks blurred." in page.text
    assert page.h1 == "What does Pepper’s certificate say?"
    finish(page.submit(DETAILS))
    assert database.value("SELECT count(*) FROM animal_control.vaccination") == 1


def test_a_dark_photo_is_told_before_it_is_sent(at_the_certificate):
    dark = Image.effect_noise((1200, 900), 60).convert("RGB").point(lambda tone: tone // 4)
    page = at_the_certificate().submit(file=(saved(dark, "JPEG"), "dark.jpg"))
    assert "Can you read it?" in page.text
    assert "The picture is dark." in page.text
