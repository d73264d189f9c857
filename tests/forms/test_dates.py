"""Case D3: dates as people type them."""

from datetime import date

import pytest

from portal.forms.fields import CivilDateField, Needed, NotInFuture
from tests.forms.answering import answer

pytestmark = pytest.mark.usefixtures("without_tokens")

MARCH_3 = date(2025, 3, 3)


@pytest.mark.parametrize(
    ("month", "day", "year"),
    [
        pytest.param("3", "3", "2025", id="numbers"),
        pytest.param("03 ", " 03", "2025  ", id="trailing blanks"),
        pytest.param("mar", "3", "2025", id="short name"),
        pytest.param("March", "3rd", "2025", id="name and ordinal"),
        pytest.param("MAR.", "3", "2025", id="capitals and a dot"),
    ],
)
def test_a_person_types_a_date_in_three_boxes(month: str, day: str, year: str) -> None:
    asked = answer(CivilDateField("Date given"), asked__month=month, asked__day=day, asked__year=year)
    assert (asked.data, asked.errors) == (MARCH_3, [])


@pytest.mark.parametrize(
    "typed",
    [
        "3 mar 2025",
        "3 mar 2025   ",
        "3rd of March 2025",
        "mar 3 2025",
        "March 3, 2025",
        "March 3rd, 2025",
        "3-Mar-2025",
        "3mar2025",
        "2025-03-03",
        "03/03/2025",
        "3/3/2025",
        "3.3.2025",
    ],
)
def test_a_person_types_or_pastes_a_whole_date_into_the_first_box(typed: str) -> None:
    asked = answer(CivilDateField("Date given"), asked__month=typed, asked__day="", asked__year="")
    assert (asked.data, asked.errors) == (MARCH_3, [])


def test_numbers_in_one_piece_are_read_with_the_month_first() -> None:
    assert answer(CivilDateField(), asked__month="06/12/2025").data == date(2025, 6, 12)


@pytest.mark.parametrize(
    ("month", "day", "year", "sentence", "wrong_box"),
    [
        ("3", "3", "25", "Enter the year with four digits, like 2025", "year"),
        ("3", "3", "0025", "Enter the year with four digits, like 2025", "year"),
        ("3", "3", "20255", "Enter the year with four digits, like 2025", "year"),
        ("3", "3", "last year", "Enter the year with four digits, like 2025", "year"),
        ("3", "3", "1850", "Check the year: 1850 is too long ago", "year"),
        ("3", "3", "2999", "Check the year: 2999 is too far ahead", "year"),
        ("June", "31", "2025", "June has 30 days. Check the day", "day"),
        ("2", "29", "2025", "February 2025 has 28 days. Check the day", "day"),
        ("12", "32", "2025", "December has 31 days. Check the day", "day"),
        ("3", "0", "2025", "Enter the day as a number, like 12", "day"),
        ("3", "third", "2025", "Enter the day as a number, like 12", "day"),
        ("13", "3", "2025", "Enter the month as a name or a number from 1 to 12", "month"),
        ("ma", "3", "2025", "Enter the month as a name or a number from 1 to 12", "month"),
        ("March", "", "2025", "Enter the day", "day"),
        ("March", "", "", "Enter the day and the year", "day"),
        ("", "3", "", "Enter the month and the year", "month"),
        ("03/03/25", "", "", "Enter the year with four digits, like 2025", "month"),
        ("6/31/2025", "", "", "June has 30 days. Check the day", "month"),
        ("last June", "", "", "Enter the date as month, day and year, like June 12, 2025", "month"),
        ("²", "3", "2025", "Enter the month as a name or a number from 1 to 12", "month"),
    ],
)
def test_a_date_that_cannot_be_is_told_by_its_wrong_part(
    month: str, day: str, year: str, sentence: str, wrong_box: str
) -> None:
    asked = answer(CivilDateField(), asked__month=month, asked__day=day, asked__year=year)
    assert asked.data is None
    assert asked.error_links() == [(f"asked-{wrong_box}", sentence)]
    assert [part["id"] for part in asked.parts if part["is_wrong"]] == [f"asked-{wrong_box}"]


def test_two_wrong_parts_are_told_at_once_each_with_its_box() -> None:
    asked = answer(CivilDateField(), asked__month="13", asked__day="3", asked__year="25")
    assert [control for control, _ in asked.error_links()] == ["asked-month", "asked-year"]


def test_what_was_typed_is_shown_again_even_when_it_is_no_date() -> None:
    asked = answer(CivilDateField(), asked__month="Juny", asked__day="31", asked__year="25")
    assert [part["value"] for part in asked.parts] == ["Juny", "31", "25"]


def test_a_date_that_is_needed_is_asked_for_and_one_that_is_not_may_stay_empty() -> None:
    empty = {"asked__month": " ", "asked__day": "", "asked__year": ""}
    needed = answer(CivilDateField("", [Needed("Enter the date it was given")]), **empty)
    assert needed.error_links() == [("asked-month", "Enter the date it was given")]
    assert answer(CivilDateField(), **empty).errors == []


def test_a_birth_date_next_month_is_still_to_come() -> None:
    asked = answer(CivilDateField("", [NotInFuture()]), asked__month="12", asked__day="24", asked__year="2026")
    assert asked.errors == ["December 24, 2026 is still to come. Check the month and the year"]


def test_today_is_not_in_the_future() -> None:
    asked = answer(CivilDateField("", [NotInFuture()]), asked__month="11", asked__day="30", asked__year="2026")
    assert asked.errors == []
