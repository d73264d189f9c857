"""The page that asks what a certificate says: begun with what we read, and never over what somebody typed."""

from datetime import date

import pytest

from portal.forms.read_back import HARD_TO_READ, READ
from tests.support.people import Person
from tests.support.registering import DETAILS, SMALL_PHOTO, answer_eligibility, finish, tell_about, tell_owner_and_home
from tests.support.registrations import LATER, Registered, Registrations

STILL = "We are reading the certificate"
OFFERED = "We have read the certificate"
FILLED = "We filled in what we could read"
FILL = "Fill in what we read"


@pytest.fixture
def pepper(registrations: Registrations) -> Registered:
    """A registered dog without a certificate."""
    return registrations.dog("Pepper", certificate=LATER)


@pytest.fixture
def sent(resident: Person, pepper: Registered) -> Person:
    """Someone who has just sent the photo of a registered dog's certificate."""
    resident.visit(f"/dogs/{pepper.animal_id}/certificate").submit(file=SMALL_PHOTO)
    assert resident.h1 == "What does Pepper’s certificate say?"
    return resident


@pytest.fixture
def registering(resident: Person) -> Person:
    """Someone who has just sent the photo while registering."""
    tell_about(tell_owner_and_home(answer_eligibility(resident)))
    return resident.submit(file=SMALL_PHOTO)


def values(person: Person, *names: str) -> list[str]:
    return [person.page.values[name][0] for name in names]


def day(person: Person, name: str) -> str:
    return " ".join(values(person, f"{name}-month", f"{name}-day", f"{name}-year"))


def test_while_it_is_read_the_page_is_empty_and_asks_by_itself(sent):
    assert STILL in sent.text
    assert day(sent, "given_on") == "  "
    assert 'hx-trigger="every 2s"' in sent.page.html


@pytest.mark.parametrize("who", ["sent", "registering"])
def test_once_it_is_read_the_page_starts_with_what_it_says(who, request, read_as):
    person = request.getfixturevalue(who)
    read_as()
    person.visit(person.path)
    assert (day(person, "given_on"), day(person, "due_on")) == ("June 12 2026", "June 12 2029")
    assert values(person, "dose", "duration_years", "product") == ["booster", "3", "Imrab 3"]
    assert values(person, "rabies_tag", "microchip") == ["26-3316", "985112003456781"]
    assert values(person, "veterinarian", "clinic_name")[1] == "Chippewa Valley Veterinary Clinic"
    assert person.text.count(READ[1]) == 12
    assert FILLED in person.text
    assert STILL not in person.text
    assert "every 2s" not in person.page.html


def test_what_was_hard_to_read_says_so(sent, read_as):
    read_as(confidence=0.6)
    sent.visit(sent.path)
    assert sent.text.count(HARD_TO_READ[1]) == 12
    assert READ[1] not in sent.text


def test_while_nothing_is_new_the_page_stays_as_it_is(sent):
    """Somebody may be reading it, with a word chosen or the focus in it."""
    assert "every 2s" in sent.page.html
    sent.visit(f"{sent.path}?waiting=yes", status=204)
    assert sent.page.html == ""


def test_a_page_that_waited_is_offered_what_was_read(sent, read_as):
    """The question the page asks by itself: nothing is filled in without the person."""
    read_as()
    sent.visit(f"{sent.path}?waiting=yes")
    assert OFFERED in sent.text
    assert day(sent, "given_on") == "  "
    assert "every 2s" not in sent.page.html


@pytest.mark.parametrize("htmx", [True, False])
def test_filling_in_keeps_what_was_typed(sent, read_as, database, htmx):
    read_as()
    sent.visit(f"{sent.path}?waiting=yes")
    typed = {"veterinarian": "Dr. Nguyễn", "given_on": date(2026, 6, 10), "lot": "X-1"}
    sent.submit(typed, button=FILL, htmx=htmx)
    assert values(sent, "veterinarian", "lot", "product") == ["Dr. Nguyễn", "X-1", "Imrab 3"]
    assert (day(sent, "given_on"), day(sent, "due_on")) == ("6 10 2026", "June 12 2029")
    assert sent.errors == []
    assert database.rows("SELECT * FROM animal_control.vaccination") == []


def test_asking_too_early_loses_nothing_either(sent, read_as):
    sent.submit({"veterinarian": "Dr. Nguyễn"}, button="Look whether it is read")
    assert STILL in sent.text
    assert values(sent, "veterinarian") == ["Dr. Nguyễn"]
    read_as()
    sent.submit(button="Look whether it is read")
    assert values(sent, "veterinarian", "product") == ["Dr. Nguyễn", "Imrab 3"]


def test_a_reading_that_comes_meanwhile_answers_nothing_unseen(sent, read_as):
    """The page was opened before the reading; the dose was never answered by the person."""
    read_as()
    sent.submit({"given_on": date(2026, 6, 12)}, button="Send the certificate", status=422)
    assert sent.errors == ["Choose yes, no, or not sure"]


@pytest.mark.parametrize("outcome", ["nothing", "failed"])
def test_what_could_not_be_read_is_simply_asked(sent, read_as, outcome, database):
    read_as(**{outcome: True})
    database.run("UPDATE portal.reading SET created_at = now() - interval '4 minutes'")
    sent.visit(sent.path)
    assert not any(word in sent.text for word in (STILL, OFFERED, FILLED))
    assert day(sent, "given_on") == "  "


def test_answers_given_once_are_not_read_over(registering, read_as):
    read_as()
    address = registering.path
    registering.visit(address).submit({"veterinarian": "Dr. Nguyễn"})
    registering.visit(address)
    assert values(registering, "veterinarian") == ["Dr. Nguyễn"]
    assert READ[1] not in registering.text


def test_the_enter_key_goes_on_and_does_not_fill_in(sent, read_as):
    read_as()
    sent.visit(f"{sent.path}?waiting=yes")
    first = next(one for one in sent.page.document.iter("button"))
    assert first.get("name") is None


def test_the_paper_of_another_dog_is_told_and_flagged_and_taken(sent, read_as, database):
    read_as(animal_name="Bella")
    sent.visit(sent.path)
    assert "We read “Bella” as the animal’s name on the certificate, and this is Pepper" in sent.text
    sent.submit()
    assert "Before you send it" in sent.text
    sent.submit(button="Send it as it is")
    row = database.rows("SELECT findings, needs_review FROM animal_control.vaccination")[0]
    assert row["needs_review"] is True
    assert any("Bella" in finding["sentence"] for finding in row["findings"])


def test_of_somebody_who_sends_before_it_is_read_the_officer_is_told_all_the_same(sent, read_as, database):
    sent.submit(DETAILS, button="Send the certificate")
    before = database.value("SELECT findings FROM animal_control.vaccination")
    read_as(animal_name="Bella")
    row = database.rows("SELECT findings, needs_review FROM animal_control.vaccination")[0]
    assert row["needs_review"] is True
    assert [one["sentence"] for one in row["findings"][: len(before)]] == [one["sentence"] for one in before]
    assert "We read “Bella” as the animal’s name" in row["findings"][len(before)]["sentence"]


def test_the_paper_of_another_dog_is_told_before_a_registration_is_sent_and_flagged(registering, read_as, database):
    read_as(animal_name="Bella")
    registering.visit(registering.path).submit().submit(another="no").submit(are_there="no")
    assert registering.h1 == "Check your answers"
    assert "We read “Bella”" in registering.text
    registering.submit(is_true=True)
    findings = database.value("SELECT findings FROM animal_control.vaccination")
    assert any("Bella" in finding["sentence"] for finding in findings)


@pytest.mark.parametrize("name", ["PEPPER", "Peppar", "Pepper Yang", "Pep"])
def test_a_name_read_a_little_differently_is_the_same_dog(sent, read_as, name):
    read_as(animal_name=name)
    assert "as the animal’s name" not in sent.visit(sent.path).text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        pytest.param({"given_on": date(2026, 12, 12), "due_on": None}, "is in the future", id="given in the future"),
        pytest.param({"due_on": date(2026, 6, 12)}, "is the same as the vaccination date", id="D5"),
        pytest.param({"due_on": date(2028, 6, 12)}, "does not fit the number of years", id="due date against product"),
        pytest.param({"dose": "first"}, "counts a first vaccination for longer than a year", id="first dose, 3 years"),
    ],
)
def test_what_the_paper_contradicts_is_told_at_once(sent, read_as, said, told):
    read_as(**said)
    assert told in sent.visit(sent.path).text


def test_an_answer_against_the_paper_is_told_and_flagged(sent, read_as, database):
    read_as()
    sent.visit(sent.path).submit(due_on=date(2029, 6, 1))
    assert "You entered June 1, 2029 as the due date; on the certificate we read June 12, 2029" in sent.text
    sent.submit(button="Send it as it is")
    row = database.rows("SELECT certificate_due_on, findings FROM animal_control.vaccination")[0]
    assert row["certificate_due_on"] == date(2029, 6, 1)
    assert any("June 12, 2029" in finding["sentence"] for finding in row["findings"])


def test_the_microchip_of_the_paper_is_kept_where_none_was_known(sent, read_as, database):
    read_as()
    sent.visit(sent.path).submit()
    assert database.value("SELECT microchip FROM animal_control.animal") == "985112003456781"


def test_a_whole_registration_with_what_was_read(registering, read_as, database):
    read_as()
    finish(registering.visit(registering.path).submit())
    row = database.rows("SELECT * FROM animal_control.vaccination")[0]
    assert (row["given_on"], row["rabies_tag"], row["lot"]) == (date(2026, 6, 12), "26-3316", "18431A")
    assert database.value("SELECT microchip FROM animal_control.animal") == "985112003456781"
