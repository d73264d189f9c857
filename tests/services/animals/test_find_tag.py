"""What is read as the number of a tag."""

import pytest

from portal.services.animals.find_tag import TagNumber, read_tag_number


@pytest.mark.parametrize(
    ("typed", "number", "year"),
    [
        ("2026-0042", 42, 2026),
        ("2026-42", 42, 2026),
        ("2026 0042", 42, 2026),
        ("2026 / 42", 42, 2026),
        ("2026/42", 42, 2026),
        ("20260042", 42, 2026),
        ("2026-0042-2", 42, 2026),
        ("42 2026", 42, 2026),
        ("0042", 42, None),
        (" #42 ", 42, None),
        ("No. 42", 42, None),
        ("Tag 2026-42", 42, 2026),
        ("2026", 2026, None),
        ("0000", None, None),
        ("", None, None),
        ("R12345", None, None),
        ("26-0413 B", None, None),
        ("٤٢", None, None),
        ("4" * 4000, None, None),
    ],
)
def test_a_number_is_read_however_it_was_typed(typed, number, year):
    assert read_tag_number(typed) == (None if number is None else TagNumber(number, year))
