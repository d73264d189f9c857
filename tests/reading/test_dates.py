"""Dates as certificates print them and as an engine sees them."""

from datetime import date

import pytest

from portal.services.reading.dates import read_printed_date

JUNE_12 = date(2025, 6, 12)


@pytest.mark.parametrize(
    "printed",
    [
        "06/12/2025",
        "6/12/25",
        "06-12-2025",
        "06.12.2025",
        "06 / 12 / 2025",
        "06 12 2025",
        "2025-06-12",
        "2025/6/12",
        "12 Jun 25",
        "12-JUN-2025",
        "12Jun2025",
        "12/Jun/25",
        "12th June 2025",
        "June 12, 2025",
        "June12,2025",
        "Jun. 12th, 2025",
        "06/12/2025 10:33 AM",
        "Rabies 06/12/2025",
    ],
)
def test_a_date_is_read_however_it_is_printed(printed):
    found = read_printed_date(printed)
    assert found
    assert (found.value, found.certainty) == (JUNE_12, 1.0)


@pytest.mark.parametrize("seen", ["O6/12/2O25", "06/l2/2025", "2025-O6-I2", "Jun l2, 2025", "12 Jvn 25", "l2 Jun 25"])
def test_letters_in_the_place_of_digits_make_it_less_sure(seen):
    found = read_printed_date(seen)
    assert found is None or (found.value == JUNE_12 and found.certainty < 1)
    assert found is not None or "Jvn" in seen


@pytest.mark.parametrize(
    ("seen", "meant"),
    [("0ct 3, 2025", date(2025, 10, 3)), ("Ju1 4, 2025", date(2025, 7, 4)), ("5ep 4 2025", date(2025, 9, 4))],
)
def test_digits_in_the_place_of_letters_are_read(seen, meant):
    found = read_printed_date(seen)
    assert found
    assert found.value == meant
    assert found.certainty < 1


def test_a_day_that_can_be_no_month_is_read_and_not_trusted():
    found = read_printed_date("25/12/2025")
    assert found
    assert (found.value, found.certainty) == (date(2025, 12, 25), 0.7)


@pytest.mark.parametrize(
    "text",
    [
        "(320) 555-0114",
        "985112003456781",
        "Benson, MN 56215",
        "June 31, 2025",
        "25-3316",
        "02/30/2025",
        "June 2025",
        "1925-06-12",
    ],
)
def test_what_is_no_date_is_none(text):
    assert read_printed_date(text) is None


def test_the_first_of_two_is_taken():
    found = read_printed_date("given 06/12/2025 due 06/12/2028")
    assert found
    assert found.value == JUNE_12
