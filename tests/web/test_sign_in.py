"""Signing in by the code or the link of one message; looking at a page spends nothing."""

import logging
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from flask import Flask

from portal.gateways.clock import FixedClock
from portal.services.signing_in.sign_in import CODE_IS_OVER, WRONG_CODE
from tests.support.database import Database
from tests.support.people import Arrival, Person
from tests.support.portal import AppMaker

ACCOUNTS = "SELECT email, email_key FROM portal.account ORDER BY created_at"
LIVE = "SELECT count(*) FROM portal.sign_in WHERE ended_at IS NULL"
ASKED_BY = "SELECT id FROM portal.sign_in_request WHERE email = :email"


@pytest.fixture
def asked(visitor: Person) -> Person:
    """Someone who has asked for a code."""
    return visitor.visit("/sign-in?next=/register/owner").submit(email="pat@example.com")


def link_of(person: Person) -> str:
    return person.outbox.link(person.email)


def code_of(person: Person) -> str:
    return person.outbox.code(person.email)


def another_code(code: str) -> str:
    """Six digits that are not these."""
    return f"{(int(code) + 1) % 1_000_000:06d}"


def test_a_person_signs_in_with_the_code_of_the_message(asked: Person) -> None:
    assert asked.h1 == "Type the code we sent you"
    asked.submit(code=code_of(asked))
    assert asked.path == "/register/owner"


@pytest.mark.parametrize("typed", ["{0} {1}", " {0}{1} ", "{0}-{1}"])
def test_a_code_is_taken_however_it_is_spaced(asked: Person, typed: str) -> None:
    code = code_of(asked)
    asked.submit(code=typed.format(code[:3], code[3:]))
    assert asked.path == "/register/owner"


def test_the_link_opens_a_page_whose_button_signs_in(asked: Person, arrive: Arrival) -> None:
    """The link works on another device: that is where many people read their mail."""
    phone = arrive()
    phone.visit(link_of(asked))
    assert "pat@example.com" in phone.text
    phone.submit(button="Sign in")
    assert phone.path == "/register/owner"


def test_the_link_leaves_the_address_bar_at_once(asked: Person) -> None:
    link = link_of(asked)
    asked.visit(link, status=303, follow=False)
    assert asked.location == "/sign-in/confirm"
    asked.follow()
    assert link.rpartition("/")[2] not in asked.page.html


def test_opening_the_link_spends_nothing_and_signs_nobody_in(
    app: Flask, asked: Person, arrive: Arrival, database: Database
) -> None:
    """A mail scanner asks for the head, then for the page, then for the page again with its scripts running."""
    link, before = link_of(asked), database.content()
    scanner = arrive()
    assert scanner.client.head(link, follow_redirects=True).status_code == 200
    for _ in range(2):
        scanner.visit(link)
        assert scanner.h1 == "Sign in"
    scanner.visit("/dogs", status=303, follow=False)
    assert database.content() == before
    asked.visit(link).submit(button="Sign in")
    assert asked.path == "/register/owner"


def test_the_code_still_works_after_the_link_was_looked_at(asked: Person, arrive: Arrival) -> None:
    arrive().visit(link_of(asked))
    asked.submit(code=code_of(asked))
    assert asked.path == "/register/owner"


@pytest.mark.parametrize("first", ["code", "link"])
def test_a_message_signs_in_once(asked: Person, arrive: Arrival, database: Database, first: str) -> None:
    code, link = code_of(asked), link_of(asked)
    if first == "code":
        asked.submit(code=code)
    else:
        arrive().visit(link).submit(button="Sign in")
    later = arrive().visit(link, status=410)
    assert later.h1 == "This link is used up or too old"
    assert later.links["Send me a new one"] == "/sign-in"
    assert database.value(LIVE) == 1


def test_a_used_code_is_told_from_a_wrong_one(asked: Person, arrive: Arrival) -> None:
    code = code_of(asked)
    arrive().visit(link_of(asked)).submit(button="Sign in")
    asked.submit(code=code, status=422)
    assert asked.errors == [CODE_IS_OVER]


def test_two_presses_of_the_links_button_sign_in_once(asked: Person, arrive: Arrival, database: Database) -> None:
    phone, tablet = arrive().visit(link_of(asked)), arrive().visit(link_of(asked))
    phone.submit(button="Sign in")
    tablet.submit(button="Sign in", status=410)
    assert tablet.h1 == "This link is used up or too old"
    assert database.value(LIVE) == 1


def test_a_wrong_code_is_explained_beside_the_answer(asked: Person) -> None:
    asked.submit(code=another_code(code_of(asked)), status=422)
    assert asked.errors == [WRONG_CODE]
    assert asked.title.startswith("Error: ")


def test_after_five_wrong_codes_the_right_one_is_over_too(asked: Person) -> None:
    code = code_of(asked)
    for _ in range(5):
        asked.submit(code=another_code(code), status=422)
        assert asked.errors == [WRONG_CODE]
    asked.submit(code=code, status=422)
    assert asked.errors == [CODE_IS_OVER]
    assert asked.visit(link_of(asked), status=410).h1 == "This link is used up or too old"


def test_four_wrong_codes_leave_the_right_one_good(asked: Person) -> None:
    code = code_of(asked)
    for _ in range(4):
        asked.submit(code=another_code(code), status=422)
    asked.submit(code=code)
    assert asked.path == "/register/owner"


def test_a_code_works_in_the_browser_that_asked_alone(asked: Person, arrive: Arrival, database: Database) -> None:
    """Someone who got a person to read out a code asks for one of their own and types the other's."""
    thief = arrive("thief@example.com")
    thief.visit("/sign-in").submit(email="thief@example.com")
    thief.submit(code=code_of(asked), status=422)
    assert thief.errors == [WRONG_CODE]
    with thief.client.session_transaction() as cookie:
        cookie["sign_in_asked"] = {"id": str(database.value(ASKED_BY, email="pat@example.com")), "email": "x"}
    thief.submit(code=code_of(asked), status=422)
    assert thief.errors == [CODE_IS_OVER]
    assert database.value(LIVE) == 0


@pytest.mark.parametrize("by", ["code", "link"])
def test_a_message_is_good_for_half_an_hour(asked: Person, clock: FixedClock, by: str) -> None:
    clock.move_to(clock.now() + timedelta(minutes=30))
    if by == "code":
        asked.submit(code=code_of(asked), status=422)
        assert asked.errors == [CODE_IS_OVER]
    else:
        assert asked.visit(link_of(asked), status=410).h1 == "This link is used up or too old"


def test_a_link_that_was_never_sent_is_explained(visitor: Person) -> None:
    assert visitor.visit("/sign-in/link/" + "x" * 43, status=410).h1 == "This link is used up or too old"
    assert visitor.visit("/sign-in/confirm", status=410).h1 == "This link is used up or too old"


def test_the_code_page_without_having_asked_leads_to_the_question(visitor: Person) -> None:
    visitor.visit("/sign-in/code")
    assert visitor.path == "/sign-in"


def test_capitals_and_blanks_make_no_second_account(arrive: Arrival, database: Database) -> None:
    arrive().sign_in("Gavin@Example.com ")
    arrive().sign_in("gavin@example.com")
    assert [row.email_key for row in database.rows(ACCOUNTS)] == ["gavin@example.com"]


def test_a_plus_makes_another_account_which_is_written_to_as_typed(arrive: Arrival, database: Database) -> None:
    arrive().sign_in("gavin@example.com")
    person = arrive().sign_in("Gavin+dogs@example.com")
    assert [row.email for row in database.rows(ACCOUNTS)] == ["gavin@example.com", "Gavin+dogs@example.com"]
    assert [message.to for message in person.outbox.messages()][-1] == "Gavin+dogs@example.com"


def test_nothing_that_opens_something_is_stored_or_logged(
    asked: Person, arrive: Arrival, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """V5: the link's token and the browser's are kept as hashes; the message is emptied once it is sent."""
    caplog.set_level(logging.DEBUG)
    code, token = code_of(asked), link_of(asked).rpartition("/")[2]
    arrive().visit(link_of(asked)).submit(button="Sign in", follow=False, status=303)
    asked.visit("/sign-in").submit(email="pat@example.com").submit(code=code_of(asked))
    with asked.client.session_transaction() as cookie:
        secrets = [token, cookie["sign_in"]]
    stored = [row for name, row in database.content() if name != "portal.outgoing_message"]
    assert not [row for row in stored for secret in secrets if secret in row]
    assert not [row for row in stored if f'"{code}"' in row]
    assert not [record for record in caplog.records for secret in secrets if secret in record.getMessage()]


def test_a_sign_in_message_is_marked_to_be_emptied_once_sent(asked: Person) -> None:
    (message,) = asked.outbox.messages()
    assert message.is_secret


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "javascript:alert(1)",
        "evil.example",
        "http:evil.example",
        "/register\r\nLocation: https://evil.example",
        "",
    ],
)
def test_signing_in_leads_nowhere_but_to_our_own_pages(visitor: Person, wanted: str) -> None:
    visitor.visit(f"/sign-in?{urlencode({'next': wanted})}").submit(email=visitor.email)
    visitor.submit(code=code_of(visitor), status=303, follow=False)
    assert visitor.location == "/dogs"
    assert visitor.visit("/sign-in", status=303, follow=False).location == "/dogs"


def test_whoever_is_signed_in_is_not_asked_again(resident: Person) -> None:
    resident.visit("/sign-in?next=/register")
    assert resident.path == "/register"


def test_signing_out_ends_the_sign_in_everywhere(resident: Person, app: Flask, database: Database) -> None:
    """A copy of the cookie is worth nothing afterwards."""
    thief = app.test_client()
    cookie = resident.client.get_cookie("portal")
    assert cookie
    thief.set_cookie("portal", cookie.value)
    assert thief.get("/dogs").status_code == 200
    resident.visit("/dogs").submit(button="Sign out")
    assert resident.path == "/"
    assert thief.get("/dogs").status_code == 303
    assert database.value(LIVE) == 0
    resident.visit("/dogs", status=303, follow=False)


def test_signing_out_here_leaves_other_devices_signed_in(resident: Person, arrive: Arrival) -> None:
    phone = arrive("pat@example.com").sign_in()
    resident.visit("/dogs").submit(button="Sign out")
    phone.visit("/dogs")


def test_a_sign_in_lasts_thirty_days(resident: Person, clock: FixedClock) -> None:
    clock.move_to(clock.now() + timedelta(days=30, minutes=-1))
    resident.visit("/dogs")
    clock.move_to(clock.now() + timedelta(minutes=1))
    resident.visit("/dogs", status=303, follow=False)


def test_a_new_sign_in_starts_the_browsers_session_anew(visitor: Person) -> None:
    """What was in the cookie before, somebody else may have put there."""
    with visitor.client.session_transaction() as cookie:
        cookie["planted"] = "by someone else"
        cookie["browser"] = "known to someone else"
    visitor.sign_in()
    with visitor.client.session_transaction() as cookie:
        assert "planted" not in cookie
        assert cookie.get("browser") != "known to someone else"


def test_a_key_that_is_changed_leaves_people_signed_in(app: Flask, make_app: AppMaker, resident: Person) -> None:
    changed = make_app(secret_keys=("another-key-that-is-long-enough-to-be-taken", app.config["SECRET_KEY"]))
    cookie = resident.client.get_cookie("portal")
    assert cookie
    client = changed.test_client()
    client.set_cookie("portal", cookie.value)
    assert client.get("/dogs").status_code == 200
