"""When to remind somebody of a day: before a license year ends, before a certificate lapses, after an order was opened.

Chapter 90 asks nobody to remind. The city says how many days before (or after) the day each step lies; here is what
becomes of a step whose day was missed.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta

# How long a step that was missed is still worth a letter, once both its own day and the day it leads up to are past.
# Within it, a letter about a license or a certificate says that it has ended; after it, nobody is written to.
CAUGHT_UP_FOR = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class ReminderSteps:
    """The city's steps, in days.

    Before the license year ends (90.04(B)(5)), before a certificate lapses (90.04(D)(1)), before a young dog needs a
    license (90.04(B)(1)), before a day of a designated dog (90.13); after an order was opened, after an application was
    last touched.
    """

    renewal_days: tuple[int, ...]
    certificate_days: tuple[int, ...]
    puppy_days: tuple[int, ...]
    unpaid_days: tuple[int, ...]
    unfinished_days: tuple[int, ...]
    dangerous_days: tuple[int, ...]


def after(days: Collection[int]) -> tuple[int, ...]:
    """Steps that lie after their day, counted as all steps are: so many days less than none before it."""
    return tuple(-count for count in days)


def step_due(
    due_on: date, steps: Collection[int], *, on: date, since: date | None = None, sent: int | None = None
) -> int | None:
    """The step to remind of on a day: the newest one reached, unless it, or a later one, was sent. None for nothing.

    So a day on which nobody was at work is caught up, and never with two letters at once. A step that had passed
    before there was anything to remind of (`since`) was not missed.
    """
    reached = [step for step in steps if (since or date.min) <= _day_of(due_on, step) <= on]
    newest = min(reached, default=None)
    if newest is None or (sent is not None and sent <= newest):
        return None
    return newest if on <= max(due_on, _day_of(due_on, newest)) + CAUGHT_UP_FOR else None


def days_in_question(steps: Collection[int], *, on: date) -> tuple[date, date]:
    """The first and the last day that could be reminded of on a day; any other can be left aside."""
    longest_after = timedelta(days=max(0, -min(steps, default=0)))
    return on - CAUGHT_UP_FOR - longest_after, on + timedelta(days=max(steps, default=0))


def _day_of(due_on: date, step: int) -> date:
    return due_on - timedelta(days=step)
