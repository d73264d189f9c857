"""From "check your answers" back to one of them: what was given is there, and nothing of it gets lost unasked."""

import pytest

from tests.support.registering import DETAILS, SMALL_PHOTO, answer_eligibility, tell_about, tell_owner_and_home

CHANGE = "Change Pepper’s rabies certificate"
LATER = "I’ll add it later"


@pytest.fixture
def checking(resident):
    """Pat O’Brien, about to send Pepper's registration with a certificate."""
    tell_about(tell_owner_and_home(answer_eligibility(resident))).submit(file=SMALL_PHOTO).submit(DETAILS)
    return resident.submit(another="no").submit(are_there="no")


def month_day_year(person, name):
    return [person.page.values[f"{name}-{part}"] for part in ("month", "day", "year")]


def test_the_dates_of_the_certificate_are_changed_where_they_were_typed(checking):
    checking.click(CHANGE)
    assert checking.h1 == "What does Pepper’s certificate say?"
    assert month_day_year(checking, "due_on") == [["June"], ["12"], ["2028"]]
    checking.submit({"due_on-day": "11"})
    assert checking.h1 == "Check your answers"
    assert "due June 11, 2028" in checking.text


def test_the_picture_is_changed_from_there_too_and_what_was_typed_stays(checking):
    checking.click(CHANGE).click("Send another photo")
    assert "You sent this one. Another takes its place; what you typed stays." in checking.text
    checking.submit(file=SMALL_PHOTO)
    assert month_day_year(checking, "given_on") == [["June"], ["12"], ["2025"]]
    assert checking.page.values["dose"] == ["booster"]
    assert checking.submit().h1 == "Check your answers"


def test_the_picture_that_is_there_may_stay(checking):
    checking.click(CHANGE).click("Send another photo").click("Keep it, and look at what it says")
    assert checking.page.values["veterinarian"] == ["Karin Dahl"]
    assert checking.submit().h1 == "Check your answers"


def test_whoever_adds_it_later_after_all_finds_what_they_typed(checking):
    checking.click(CHANGE).click("Send another photo").submit(button=LATER)
    assert "You will add it later. The picture and the dates you gave are kept here, and are not sent" in checking.text
    checking.click(CHANGE)
    assert month_day_year(checking, "given_on") == [["June"], ["12"], ["2025"]]
    checking.submit()
    assert "Given June 12, 2025, due June 12, 2028" in checking.text


def test_of_a_certificate_that_comes_later_nothing_is_sent(checking, database):
    checking.click(CHANGE).submit(rabies_tag="26-3316", microchip="985112001234567")
    checking.click(CHANGE).click("Send another photo").submit(button=LATER)
    assert checking.submit(is_true=True).path.startswith("/pay/")
    assert database.rows("SELECT * FROM animal_control.vaccination") == []
    assert database.rows("SELECT * FROM animal_control.document") == []
    assert database.value("SELECT microchip FROM animal_control.animal") is None


def test_whoever_never_gave_one_comes_to_the_page_that_asks_for_it(resident):
    tell_about(tell_owner_and_home(answer_eligibility(resident))).submit(button=LATER)
    resident.submit(another="no").submit(are_there="no")
    assert "kept here" not in resident.text
    assert resident.click(CHANGE).h1 == "Pepper’s rabies certificate"


def test_the_vet_is_asked_instead_and_what_was_typed_stays(checking, filings):
    clinic_id = filings.clinic()
    checking.click(CHANGE).click("Send another photo").click("Ask the vet to send it").submit(clinic=str(clinic_id))
    assert "We ask Prairie Vet Clinic" in checking.text
    assert month_day_year(checking.click(CHANGE), "due_on") == [["June"], ["12"], ["2028"]]


def test_each_change_link_names_the_animal_as_it_is_written(checking):
    """People who hear the page tell the links apart by these words."""
    for link in (
        "Change what Pepper is like",
        CHANGE,
        "Change Pepper’s license year",
        "Change how you get Pepper’s tag",
    ):
        assert link in checking.links
    assert "Change phone" in checking.links
