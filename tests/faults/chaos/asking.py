"""Asking while everything goes wrong: what counts as an answer, and waiting until there is one."""

from collections.abc import Callable
from typing import TypeVar

import requests
from sqlalchemy.exc import DBAPIError

from tests.faults.chaos.tally import Tally
from tests.support.practice import wait_for

LONGEST_OUTAGE_SECONDS = 90

Made = TypeVar("Made")


def passing(ask: Callable[[], requests.Response]) -> requests.Response | None:
    """The answer, unless it says to come back: a fault of ours, too many at once, or no room."""
    answer = ask()
    return None if answer.status_code >= 500 or answer.status_code == 429 else answer


def press_pay(card_page: str) -> requests.Response | None:
    """Press “Pay” on the processor's page."""
    return passing(lambda: requests.post(card_page, data={"way": "card"}, timeout=20, allow_redirects=False))


def is_expected(answer: requests.Response, status: int | tuple[int, ...], kind: str, tally: Tally) -> bool:
    """A refusal is no promise, but none of these deserves one."""
    wanted = status if isinstance(status, tuple) else (status,)
    if answer.status_code in wanted:
        return True
    tally.tell(f"{kind} was answered with {answer.status_code}: {answer.text[:200]}")
    return False


def until_there(make: Callable[[], Made]) -> Made:
    """What a person had before; the database may be away just now."""

    def attempt() -> Made | None:
        try:
            return make()
        except DBAPIError:
            return None

    made = wait_for(attempt, seconds=LONGEST_OUTAGE_SECONDS)
    assert made is not None
    return made
