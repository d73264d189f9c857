"""The worker reads certificates: for real, one at a time, three tries, and not at all where the engine is missing."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from typing import BinaryIO

import pytest
from sqlalchemy.orm import Session

from portal.gateways.reading.reader import ChildReader, Line, ReadingFailed, ReadingLimits, Stopping, never
from portal.schema.documents import DocumentKind
from portal.services.certificates.paper import Paper, Progress, paper_of
from portal.services.certificates.read_certificates import claim_reading
from portal.services.files.accept_upload import note_upload, store_upload
from portal.services.reading.labels import PaperField as P
from portal.worker.readings import read_certificates
from tests.reading.lines import two_columns
from tests.reading.papers import stored
from tests.support.documents import corners, saved
from tests.support.registering import SAMPLES
from tests.support.registrations import LATER

MINUTE = timedelta(minutes=1)
PEPPER = {
    "given_on": "2025-06-12",
    "due_on": "2028-06-12",
    "animal_name": "Pepper",
    "owner_name": "Mai Yang",
    "sex": "female",
    "breed": "Labrador retriever",
    "color": "Black",
    "weight": "62 lb",
    "microchip": "985112003456781",
    "product": "Imrab 3",
    "manufacturer": "Boehringer Ingelheim",
    "lot": "18431A",
    "dose": "booster",
    "duration_years": "3",
    "rabies_tag": "25-3316",
    "veterinarian": "Dr. Karin Dahl, DVM",
    "veterinarian_license": "MN 10482",
    "clinic_name": "Chippewa Valley Veterinary Clinic",
}
ZOE = {
    "given_on": "2026-09-30",
    "due_on": "2027-09-30",
    "animal_name": "Zoë",
    "owner_name": "Siobhán O'Brien-Nuñez",
    "sex": "male",
    "breed": "Mixed / unknown",
    "color": "Brindle and white",
    "weight": "6.5 kg",
    "product": "Nobivac 1-Rabies",
    "manufacturer": "Merck",
    "lot": "02140553",
    "dose": "first",
    "duration_years": "1",
    "rabies_tag": "26-0201",
    "veterinarian": "Dr. A. Ferreira, VMD",
    "veterinarian_license": "MN 11930",
    "clinic_name": "Prairie Mobile Vet",
}
SAYS = {
    "certificate-3-year.pdf": PEPPER,
    "certificate-first-dose-1-year.pdf": ZOE,
    "certificate-photo-iphone.heic": PEPPER,
    "certificate-photo-orientation-6-gps.jpg": PEPPER,
}


class Says:
    """A reader that finds what it is told, or fails."""

    def __init__(self, *lines: Line, failure: Exception | None = None) -> None:
        self.lines, self.failure, self.asked = lines, failure, 0

    def read(self, pages: Sequence[BinaryIO], original: BinaryIO | None, *, stopping: Stopping) -> tuple[Line, ...]:
        self.asked += 1
        if self.failure:
            raise self.failure
        assert all(page.read(2) == b"\xff\xd8" for page in pages)
        return self.lines


@pytest.fixture
def send(gateways, registrations):
    """Somebody sends a file as a certificate, or as the picture of the animal."""
    account_id = registrations.dog("Pepper", certificate=LATER).account_id

    def send(content: bytes, kind: DocumentKind = DocumentKind.CERTIFICATE):
        sent = store_upload(
            BytesIO(content), name="image.jpg", kind=kind, storage=gateways.storage, largest_bytes=25_000_000
        )
        with Session(gateways.engine) as session, session.begin():
            return note_upload(session, sent, account_id=account_id).id

    return send


@pytest.fixture
def paper(gateways):
    """What is known of an upload's paper."""

    def paper(upload_id) -> Paper:
        with Session(gateways.engine) as session:
            return paper_of(session, upload_id)

    return paper


def a_photo() -> bytes:
    return saved(corners(64, 48), "JPEG")


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", SAYS)
def test_the_sample_certificates_are_read_whole(parts, send, paper, name):
    """The real engine in its real child process; all four take a quarter of a minute."""
    upload_id = send((SAMPLES / name).read_bytes())
    read_certificates(parts, never)
    found = paper(upload_id)
    assert found.progress is Progress.READY
    assert {field.value: str(read.value) for field, read in found.fields.items()} == SAYS[name]
    assert all(read.confidence >= 0.85 for read in found.fields.values())


def test_where_the_engine_is_missing_photos_are_left_to_the_person(parts, send, database, paper):
    """The extra is not installed: photos yield nothing, and the text of a PDF is read as before."""
    without = replace(parts, reader=ChildReader(engine="an_engine_that_is_not_installed"))
    photo_id = send(a_photo())
    read_certificates(without, never)
    assert stored(database) == [("nothing", 1)]
    assert paper(photo_id).progress is Progress.NOTHING
    pdf_id = send((SAMPLES / "certificate-3-year.pdf").read_bytes())
    read_certificates(without, never)
    assert paper(pdf_id).value(P.ANIMAL_NAME) == "Pepper"


def test_a_picture_of_the_dog_is_not_read(send, database):
    send(a_photo(), DocumentKind.ANIMAL_PHOTO)
    assert stored(database) == []


def test_what_fails_is_tried_three_times_and_then_left_to_the_person(parts, send, database, clock, caplog):
    send(a_photo())
    reader = Says(failure=ReadingFailed("the child left with status 1: a name from the paper"))
    for attempt in (1, 2, 3):
        read_certificates(replace(parts, reader=reader), never)
        assert reader.asked == attempt
        clock.move_to(clock.now() + MINUTE)
    assert stored(database) == [("nothing", 3)]
    read_certificates(replace(parts, reader=reader), never)
    assert reader.asked == 3
    assert "a name from the paper" not in caplog.text


def test_a_worker_that_was_killed_leaves_the_certificate_to_the_next(parts, send, database, clock):
    upload_id = send(a_photo())
    with parts.transaction() as session:
        claimed = claim_reading(session, clock=clock)
    assert claimed
    assert claimed.upload_id == upload_id
    reader = Says(*two_columns(("Date given:", "06/12/2025")))
    read_certificates(replace(parts, reader=reader), never)
    assert reader.asked == 0, "another worker holds it"
    clock.move_to(clock.now() + 10 * MINUTE)
    read_certificates(replace(parts, reader=reader), never)
    assert stored(database) == [("done", 2)]


def test_a_certificate_that_takes_workers_down_is_given_up(parts, send, database, clock):
    send(a_photo())
    for _ in range(3):
        with parts.transaction() as session:
            assert claim_reading(session, clock=clock)
        clock.move_to(clock.now() + 10 * MINUTE)
    with parts.transaction() as session:
        assert claim_reading(session, clock=clock) is None
    assert stored(database) == [("nothing", 3)]


def test_two_workers_never_read_the_same(parts, send, clock):
    send(a_photo())
    with parts.transaction() as one, parts.transaction() as other:
        assert claim_reading(one, clock=clock)
        assert claim_reading(other, clock=clock) is None


def test_a_file_that_is_gone_is_left_to_the_person_in_the_end(parts, send, database, files, clock):
    send(a_photo())
    files.files.clear()
    for _ in range(3):
        read_certificates(replace(parts, reader=Says()), never)
        clock.move_to(clock.now() + MINUTE)
    assert stored(database) == [("nothing", 3)]


def test_a_reading_that_takes_too_long_is_ended():
    reader = ChildReader(ReadingLimits(wall_seconds=0.05))
    with pytest.raises(ReadingFailed, match="too long"):
        reader.read([BytesIO(a_photo())], None)


def test_a_worker_that_stops_does_not_wait_for_a_reading():
    with pytest.raises(ReadingFailed, match="stopping"):
        ChildReader().read([BytesIO(a_photo())], None, stopping=lambda: True)


def test_a_reading_that_asks_for_too_much_memory_fails_alone():
    reader = ChildReader(ReadingLimits(memory_bytes=150_000_000))
    with pytest.raises(ReadingFailed):
        reader.read([BytesIO(a_photo())], None)


def test_a_pdf_that_cannot_be_opened_is_read_from_its_pictures():
    assert ChildReader().read([], BytesIO(b"%PDF-1.7 and nothing else")) == ()
