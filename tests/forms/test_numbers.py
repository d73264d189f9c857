"""Measures as people write them on the way back from the yard."""

from decimal import Decimal

import pytest

from portal.forms.numbers import MeasureField, read_number
from tests.forms.answering import answer


@pytest.mark.parametrize(
    ("typed", "unit", "number"),
    [
        ("32", "square feet", "32"),
        ("32 sq ft", "square feet", "32"),
        ("32.5 sq. ft.", "square feet", "32.5"),
        ("5'", "feet", "5"),
        ("5’ 6”", "feet", "5.5"),
        ("5 ft 6 in", "feet", "5.5"),
        ("5 feet", "feet", "5"),
        ("4'11", "feet", "4.917"),
        ("1/3", "feet", "0.333"),
        ("1 1/4", "inches", "1.25"),
        ("1-1/4 in.", "inches", "1.25"),
        ('1¼"', "inches", "1.25"),
        ("11/4", "inches", "2.75"),
        ("3/4 inch", "inches", "0.75"),
        (".5", "inches", "0.5"),
        ("11 ga", "gauge", "11"),
        ("gauge 11", "gauge", "11"),
        ("$300,000.00", "dollars", "300000"),
        ("100000", "dollars", "100000"),
        ("0", "feet", "0"),
    ],
)
def test_a_measure_is_read_as_it_is_meant(typed, unit, number):
    assert read_number(typed, unit=unit) == Decimal(number)


@pytest.mark.parametrize(
    "typed", ["", "about five", "1/0", "5 x 8", "-3", "1e9", "9" * 20, "٣", "½ ½", "5,50", "1,2345"]
)
def test_what_is_no_number_is_asked_for_again(typed):
    assert read_number(typed, unit="feet") is None


@pytest.mark.usefixtures("without_tokens")
@pytest.mark.parametrize(
    ("typed", "cents"), [("200.50", 200_50), ("$1,200", 1_200_00), (".5", 50), ("200.500", 200_50)]
)
def test_dollars_are_kept_in_cents(typed, cents):
    asked = answer(MeasureField(unit="dollars", example="200"), asked=typed)
    assert (asked.cents, asked.value, asked.errors) == (cents, cents, [])


@pytest.mark.usefixtures("without_tokens")
@pytest.mark.parametrize("typed", ["200.505", "0.001", "1/3"])
def test_less_than_a_cent_is_asked_for_again_and_not_cut_off(typed):
    asked = answer(MeasureField(unit="dollars", example="200"), asked=typed)
    assert asked.errors == ["Enter the amount in dollars and cents, like 12.50"]
