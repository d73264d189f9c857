"""Case F6: how old the dog is, as people say it."""

import pytest

from portal.forms.fields import AgeField, Needed
from tests.forms.answering import answer

pytestmark = pytest.mark.usefixtures("without_tokens")


@pytest.mark.parametrize(
    ("typed", "unit", "months"),
    [
        pytest.param("0", "year", 0, id="F6 a newborn"),
        pytest.param("2 yrs", "year", 24, id="F6 with its unit"),
        pytest.param("2 yrs", "month", 24, id="the typed unit wins"),
        pytest.param("2", "year", 24, id="years chosen"),
        pytest.param("7", "month", 7, id="months chosen"),
        pytest.param("10", "week", 2, id="weeks chosen"),
        pytest.param("18mo", "year", 18, id="no blank"),
        pytest.param("1 year 6 months", "year", 18, id="two pieces"),
        pytest.param("1 year, 6 months old", "year", 18, id="a sentence"),
        pytest.param("1.5", "year", 18, id="decimal point"),
        pytest.param("1½ years", "month", 18, id="half"),
        pytest.param("½", "year", 6, id="half alone"),
    ],
)
def test_an_age_is_understood(typed: str, unit: str, months: int) -> None:
    asked = answer(AgeField("", [Needed("Enter the age")]), asked=typed, asked__unit=unit)
    assert (asked.data, asked.errors) == (months, [])


@pytest.mark.parametrize("typed", ["young", "-1", "2 moons", "about two", "2 yrs or so", "1 6", "1 yr 6", "¹"])
def test_an_age_that_is_no_number_is_asked_for_with_an_example(typed: str) -> None:
    asked = answer(AgeField(), asked=typed)
    assert asked.errors == ["Enter the age as a number, like 2, and choose months or years"]
    assert asked.typed == typed


def test_an_age_beyond_any_dog_is_questioned() -> None:
    assert answer(AgeField(), asked="2019").errors == ["Check the age: 2019 is more than an animal can have"]


def test_no_age_is_asked_for_only_where_it_is_needed() -> None:
    assert answer(AgeField("", [Needed("Enter the age")]), asked="  ").errors == ["Enter the age"]
    assert answer(AgeField(), asked="  ").errors == []
