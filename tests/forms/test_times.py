"""Times of day as people write them."""

from datetime import time

import pytest

from portal.forms.times import read_time


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("00:30", time(0, 30)),
        ("12:30 AM", time(0, 30)),
        ("12:30 p.m.", time(12, 30)),
        ("9pm", time(21)),
        ("9 PM", time(21)),
        ("9:05", time(9, 5)),
        ("2130", time(21, 30)),
        ("21:30:00", time(21, 30)),
        ("9.30 pm", time(21, 30)),
        ("noon", time(12)),
        (" 7 ", time(7)),
        ("13 pm", None),
        ("24:00", None),
        ("9:75", None),
        ("nine", None),
        ("", None),
        ("٩:٣٠", None),
    ],
)
def test_a_time_is_read_however_it_was_written(typed, meant):
    assert read_time(typed) == meant
