"""Which reminder is due on a day: each step once, missed days caught up, and never two at once."""

from datetime import date, timedelta

import pytest

from portal.ordinance.reminders import after, days_in_question, step_due

YEAR_END = date(2026, 12, 31)
RENEWAL = (60, 30, 7)
ORDERED = date(2026, 3, 1)
UNPAID = after((3, 10))


@pytest.mark.parametrize(
    ("on", "sent", "expected"),
    [
        pytest.param(date(2026, 10, 31), None, None, id="61 days before: nothing yet"),
        pytest.param(date(2026, 11, 1), None, 60, id="60 days before"),
        pytest.param(date(2026, 11, 1), 60, None, id="60 days before, and sent"),
        pytest.param(date(2026, 11, 9), None, 60, id="a missed day is caught up"),
        pytest.param(date(2026, 12, 1), 60, 30, id="30 days before"),
        pytest.param(date(2026, 12, 24), 30, 7, id="7 days before"),
        pytest.param(date(2026, 12, 24), None, 7, id="three missed: the newest alone"),
        pytest.param(date(2026, 12, 31), 7, None, id="the last day, all sent"),
        pytest.param(date(2027, 1, 14), 30, 7, id="ended 14 days ago and the last step missed: it says so"),
        pytest.param(date(2027, 1, 15), 30, None, id="ended longer ago: nobody is written to"),
        pytest.param(date(2026, 12, 5), 7, None, id="a later step went out: an earlier one never follows"),
    ],
)
def test_which_step_before_the_end_of_the_license_year_is_due(on, sent, expected):
    """90.04(B)(5), issue 4: 60, 30 and 7 days."""
    assert step_due(YEAR_END, RENEWAL, on=on, sent=sent) == expected


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        pytest.param(date(2027, 3, 15), None, id="31 days before"),
        pytest.param(date(2027, 3, 16), 30, id="30 days before"),
        pytest.param(date(2027, 4, 1), 14, id="14 days before"),
        pytest.param(date(2027, 4, 14), 1, id="the day before"),
        pytest.param(date(2027, 4, 20), 1, id="caught up: it has run out"),
    ],
)
def test_example_24_a_certificate_due_on_15_april(on, expected):
    """Issued to the year's end, reminded 30, 14 and 1 days before, not revoked (T14)."""
    assert step_due(date(2027, 4, 15), (30, 14, 1), on=on) == expected


@pytest.mark.parametrize(
    ("on", "sent", "expected"),
    [
        pytest.param(ORDERED, None, None, id="on the day itself"),
        pytest.param(date(2026, 3, 4), None, -3, id="3 days after"),
        pytest.param(date(2026, 3, 10), -3, None, id="between the two"),
        pytest.param(date(2026, 3, 11), -3, -10, id="10 days after"),
        pytest.param(date(2026, 3, 25), -3, -10, id="caught up for 14 days"),
        pytest.param(date(2026, 3, 26), -3, None, id="and no longer"),
    ],
)
def test_which_step_after_an_order_was_opened_is_due(on, sent, expected):
    assert step_due(ORDERED, UNPAID, on=on, sent=sent) == expected


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        pytest.param(date(2026, 11, 1), 30, id="licensed before"),
        pytest.param(date(2026, 12, 1), 30, id="licensed on the step’s own day"),
        pytest.param(date(2026, 12, 2), None, id="licensed after it: nothing was missed"),
    ],
)
def test_a_step_that_had_passed_before_there_was_a_license_was_not_missed(since, expected):
    assert step_due(YEAR_END, RENEWAL, on=date(2026, 12, 5), since=since) == expected


def test_a_kind_that_the_city_has_switched_off_is_never_due():
    assert step_due(YEAR_END, (), on=YEAR_END) is None


@pytest.mark.parametrize("steps", [RENEWAL, UNPAID, (1,), ()])
def test_every_day_that_may_be_reminded_of_is_in_question(steps):
    on = date(2026, 6, 15)
    due = {due_on for back in range(-100, 101) if step_due(due_on := on + timedelta(days=back), steps, on=on)}
    first, last = days_in_question(steps, on=on)
    assert all(first <= due_on <= last for due_on in due)
    assert due or not steps
