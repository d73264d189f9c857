"""Measures as people write them on the way back from the yard."""

from decimal import Decimal

import pytest

from portal.forms.numbers import read_number


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
