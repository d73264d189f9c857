"""How often one may ask to sign in: a whole library may, a mailbox is not flooded, and nobody learns who is known."""

import hashlib
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from math import ceil

import pytest
from flask import Flask

from portal.gateways.rate_limits import MAILBOX, MAILBOX_A_DAY
from tests.support.by_the_watch import told_apart
from tests.support.database import Database
from tests.support.outbox import Outbox
from tests.support.people import Arrival, Person
from tests.support.watching import Statements

Queries = Callable[[], AbstractContextManager[Statements]]

PEOPLE = [f"reader{number}@example.com" for number in range(15)]


def test_fifteen_people_sign_in_from_one_library(arrive: Arrival, database: Database) -> None:
    readers = [arrive(email) for email in PEOPLE]
    for reader in readers:
        reader.visit("/sign-in?next=/register").submit(email=reader.email)
    for reader in readers:
        reader.submit(code=reader.outbox.code(reader.email))
        assert reader.path == "/register"
    assert database.counts()["portal.sign_in"] == len(PEOPLE)


def test_a_mailbox_is_not_flooded_whatever_address_is_claimed(app: Flask, arrive: Arrival, outbox: Outbox) -> None:
    statuses = []
    attacker = arrive("victim@example.com")
    attacker.visit("/sign-in")
    form = {"csrf_token": attacker.page.values["csrf_token"][0], "email": "victim@example.com"}
    for number in range(100):
        headers = {"X-Forwarded-For": f"203.0.113.{number}", "X-Real-IP": f"203.0.113.{number}"}
        statuses.append(attacker.client.post("/sign-in", data=form, headers=headers).status_code)
    sent = MAILBOX.item.amount
    assert statuses == [303] * sent + [429] * (100 - sent)
    assert len(outbox.messages(to="victim@example.com")) == sent


def test_the_limit_tells_how_long_to_wait(arrive: Arrival) -> None:
    person = arrive()
    for _ in range(MAILBOX.item.amount):
        person.visit("/sign-in").submit(email=person.email)
    person.visit("/sign-in").submit(email=person.email, status=429)
    seconds = int(person.answer.headers["Retry-After"])
    assert 10 * 60 < seconds <= 15 * 60
    assert person.h1 == f"Please wait {ceil(seconds / 60)} minutes"
    assert "Police" in person.text


def test_capitals_and_blanks_count_as_the_same_mailbox(arrive: Arrival) -> None:
    person = arrive()
    for _ in range(MAILBOX.item.amount):
        person.visit("/sign-in").submit(email=" PAT@example.com")
    person.visit("/sign-in").submit(email="pat@example.com", status=429)


def test_another_mailbox_is_not_held_up(arrive: Arrival) -> None:
    person = arrive()
    for _ in range(MAILBOX.item.amount + 1):
        person.visit("/sign-in").submit(email="pat@example.com", status=None)
    assert person.answer.status_code == 429
    arrive("gavin@example.com").sign_in()


def test_a_mailbox_gets_so_many_messages_a_day(arrive: Arrival, database: Database, outbox: Outbox) -> None:
    person = arrive()
    for number in range(MAILBOX_A_DAY.item.amount + 1):
        if number % MAILBOX.item.amount == 0:  # a quarter of an hour goes by
            database.run("DELETE FROM portal.rate_limit WHERE key LIKE '%/sign-in-mailbox/%'")
        person.visit("/sign-in").submit(email=person.email, status=None)
    assert person.answer.status_code == 429
    assert len(outbox.messages(to=person.email)) == MAILBOX_A_DAY.item.amount


def test_a_limit_is_kept_without_the_mailbox_or_the_address(arrive: Arrival, database: Database) -> None:
    arrive().visit("/sign-in").submit(email="pat@example.com")
    keys = [row.key for row in database.rows("SELECT key FROM portal.rate_limit")]
    assert keys
    assert not [key for key in keys if "pat@" in key or "127.0.0.1" in key]
    guesses = [hashlib.sha256(guess).hexdigest()[:32] for guess in (b"pat@example.com", b"127.0.0.1")]
    assert not [key for key in keys for guess in guesses if guess in key]


@pytest.fixture
def known(arrive: Arrival) -> str:
    """The mailbox of someone who has an account."""
    return arrive("known@example.com").sign_in().email


def test_a_known_and_an_unknown_mailbox_are_answered_the_same(arrive: Arrival, known: str) -> None:
    answers = []
    for email in (known, "never@example.com"):
        person = arrive(email).visit("/sign-in").submit(email=email)
        told = person.page.text.replace(email, "the mailbox")
        (letter,) = person.outbox.letters(to=email)[-1:]
        answers.append((person.moves, person.page.status, told, letter.subject))
    assert answers[0] == answers[1]


def test_a_known_and_an_unknown_mailbox_take_the_same_steps(arrive: Arrival, known: str, queries: Queries) -> None:
    """V3: what cannot differ in its steps does not differ in its time."""
    steps = []
    for email in (known, "never@example.com"):
        person = arrive(email).visit("/sign-in")
        with queries() as counted:
            person.submit(email=email, follow=False, status=303)
        steps.append(counted.sent)
    assert steps[0] == steps[1]
    assert "portal.account" not in " ".join(steps[0])


def test_a_known_and_an_unknown_mailbox_take_as_long(arrive: Arrival, known: str, database: Database) -> None:
    """V3 by the watch; by chance alone this fails once in 65,695 runs at most."""
    person = arrive()

    def seconds(email: str) -> float:
        database.run("DELETE FROM portal.rate_limit")
        person.visit("/sign-in")
        begun = time.perf_counter()
        person.client.post("/sign-in", data={**_token(person), "email": email})
        return time.perf_counter() - begun

    assert not told_apart(lambda: seconds(known), lambda: seconds("never@example.com"))


def test_the_webhook_is_not_limited(app: Flask) -> None:
    client = app.test_client()
    assert {client.post("/stripe/webhook", data=b"{}").status_code for _ in range(200)} == {400}


def _token(person: Person) -> dict[str, str]:
    return {"csrf_token": person.page.values["csrf_token"][0]}
