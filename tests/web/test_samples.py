"""Every sample file as a certificate: through the owner's page, the clinic's page and the interface for software.

What became of each is printed as one table at the end of the tests (U1, U3, U6, U7, U8).
"""

from pathlib import Path

import pytest

from tests.api.conftest import install
from tests.support.registrations import LATER
from tests.web.vet.conftest import VET, join

SAMPLES = Path(__file__).parents[1] / "samples"
TAKEN = "taken"
# Taken, or the word of the sentence that says why not: the same by every way.
OUTCOMES = {
    "certificate-3-year.pdf": TAKEN,
    "certificate-first-dose-1-year.pdf": TAKEN,
    "certificate-photo-iphone.heic": TAKEN,
    "certificate-photo-orientation-6-gps.jpg": TAKEN,
    "dog-photo.png": TAKEN,  # whether a picture shows a certificate is for a person to say
    "heic-named.jpg": TAKEN,
    "bomb-40000x40000.png": "pixels",
    "empty.jpg": "empty",
    "html-named.pdf": "not a photo or a PDF",
    "script.svg": "not a photo or a PDF",
    "truncated.jpg": "did not finish",
}


def let_go(person):
    """A large form lies in a file of the test client's."""
    person.answer.request.environ["wsgi.input"].close()


@pytest.fixture
def by_owner(registrations, resident, database):
    """Send it for a dog of one's own, as a browser without script does."""

    def send(file: Path) -> str:
        dog = registrations.dog("Pepper", certificate=LATER)
        resident.visit(f"/dogs/{dog.animal_id}/certificate").submit(file=file, status=None, follow=False)
        let_go(resident)
        resident.follow(status=None)
        if resident.answer.status_code == 422:
            return resident.errors[0]
        assert resident.h1 == "What does Pepper’s certificate say?"
        assert database.value("SELECT count(*) FROM portal.upload") == 1
        return TAKEN

    return send


@pytest.fixture
def by_clinic(filings, arrive, database):
    """Send it from the clinic's page for many files."""

    def send(file: Path) -> str:
        join(filings, filings.clinic(), VET)
        vet = arrive(VET).sign_in(then="/vet/files").submit(files=file, status=None)
        let_go(vet)
        if vet.answer.status_code == 422:
            return vet.page.html.partition("data-outcomes")[2]
        assert database.value("SELECT state FROM animal_control.clinic_filing") == "unread"
        return TAKEN

    return send


@pytest.fixture
def by_api(app, filings, database):
    """Add it to a certificate that software has filed."""

    def send(file: Path) -> str:
        software = install(app, filings, "Prairie Vet Clinic")
        filed = software.file()
        answer = software.put(filed["id"], file.read_bytes(), kind="application/octet-stream")
        if "detail" in answer:
            assert answer["status"] == 422
            return str(answer["detail"])
        assert answer == {**filed, "has_file": True}
        return TAKEN

    return send


def test_no_sample_is_left_out():
    assert {place.name for place in SAMPLES.iterdir()} == set(OUTCOMES)


@pytest.mark.parametrize(("name", "outcome"), OUTCOMES.items(), ids=list(OUTCOMES))
@pytest.mark.parametrize("way", ["owner", "clinic", "API"])
def test_each_sample_comes_out_right(request, database, note_sample, way, name, outcome):
    send = request.getfixturevalue(f"by_{way.lower()}")
    said = send(SAMPLES / name)
    note_sample(name, way, TAKEN if said == TAKEN else f"refused: {outcome}" if outcome in said else f"WRONG: {said}")
    assert outcome in said
    assert said == TAKEN or database.counts().get("animal_control.document", 0) == 0
