"""A year of 3,000 dogs, day by day: exactly the right reminders, each once (issue 4).

The worker's own job runs against PostgreSQL on every day but ten. What it should have sent is worked out here in the
slowest way there is: one person, one thing and one day after the other.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from uuid import UUID

import pytest

from portal.worker.parts import Parts
from portal.worker.reminders import send_reminders
from tests.support.database import Database
from tests.worker.town import DAYS, LAST_DAY, Town, TownAccount, TownThing, at, build

SEED = 20260301
DAYS_OFF = set(Random(SEED).sample(DAYS, 10))  # noqa: S311 - nothing secret is drawn
WHOLE_WEEKS_TOO_LATE = timedelta(days=14)

Sent = tuple[UUID, str, UUID, date, int, date]


def expected(town: Town) -> Iterator[Sent]:
    """Account, kind, thing, the day it leads up to, the step, and the day of the letter."""
    for thing in town.things:
        for account, since in thing.whose:
            yield from _letters(thing, account, since)


def _letters(thing: TownThing, account: TownAccount, keeps_it_since: date) -> Iterator[Sent]:
    """A step waits from its day on until a letter goes out or a later step takes its place."""
    waiting: int | None = None
    day_of = {thing.due_on - timedelta(days=step): step for step in thing.steps}
    day = min([*day_of, thing.not_before])
    while day <= LAST_DAY:
        if day in day_of and day >= max(thing.since, keeps_it_since):
            waiting = day_of[day]
        if waiting is not None and is_sent_on(day, thing, account, step_day=thing.due_on - timedelta(days=waiting)):
            yield account.id, thing.kind, thing.id, thing.due_on, waiting, day
            waiting = None
        day += timedelta(days=1)


def is_sent_on(day: date, thing: TownThing, account: TownAccount, *, step_day: date) -> bool:
    return not (
        day in DAYS_OFF
        or day < max(thing.not_before, DAYS[0])
        or day > max(thing.due_on, step_day) + WHOLE_WEEKS_TOO_LATE
        or account.is_left_in_peace(day)
        or thing.settled.covers(day)
        or thing.waiting.covers(day)
        or (thing.dog is not None and thing.dog.gone.covers(day))
    )


@pytest.fixture(scope="module")
def town() -> Town:
    return build(SEED)


@pytest.mark.timeout(900)
def test_a_year_of_reminders(town: Town, parts: Parts, database: Database, clock) -> None:
    town.fill(database.engine)
    for day in DAYS:
        town.live_through(database.engine, day)
        clock.move_to(at(day, 10))
        if day not in DAYS_OFF:
            send_reminders(parts, lambda: False)

    sent = database.rows("SELECT account_id, kind, subject_id, due_on, step_days, created_at FROM portal.reminder")
    found = [(*list(row.values())[:-1], row.created_at.astimezone(clock.zone).date()) for row in sent]
    wanted = set(expected(town))
    assert set(found) - wanted == set(), "sent, and should not have been"
    assert wanted - set(found) == set(), "not sent, and should have been"
    assert len(found) == len(wanted)
    assert_one_message_each(town, wanted, database, clock)


def assert_one_message_each(town: Town, wanted: set[Sent], database: Database, clock) -> None:
    """One letter a person, a day and a kind, however much it tells of; where texts are wanted, one a phone and day."""
    told = {(account_id, kind, day) for account_id, kind, *_, day in wanted}
    accounts = {account.id: account for account in town.accounts}
    letters = Counter((accounts[account_id].email, f"reminder_{kind}", day) for account_id, kind, day in told)
    texts = Counter({(phone, "reminder", day) for account_id, _, day in told if (phone := accounts[account_id].phone)})
    queued = database.rows("SELECT recipient, template, not_before FROM portal.outgoing_message")
    assert Counter((row.recipient, row.template, row.not_before.astimezone(clock.zone).date()) for row in queued) == (
        letters + texts
    )


def test_the_town_has_everything_in_it(town: Town) -> None:
    """Else the year would prove little: each kind and step, missed days, the gone, the renewed and the stopped."""
    wanted = set(expected(town))
    kinds = Counter(kind for _, kind, *_ in wanted)
    steps = Counter((kind, step) for _, kind, _, _, step, _ in wanted)
    late = [one for one in wanted if one[3] - timedelta(days=one[4]) in DAYS_OFF]
    assert len(town.dogs) >= 3_000
    assert min(kinds.values()) > 100
    assert len(kinds) == 5
    assert len(steps) == 11
    assert min(steps.values()) > 30
    assert len(late) > 20
    assert all(day not in DAYS_OFF for *_, day in wanted)
    assert sum(dog.gone.since is not None for dog in town.dogs) > 200
    assert sum(account.stopped.since is not None for account in town.accounts) > 100
    assert len({(account_id, kind, day) for account_id, kind, *_, day in wanted}) < len(wanted), "whole households"
