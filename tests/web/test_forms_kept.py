"""What was typed is never lost: not with the sign-in, not with the page's token, not with a mistake."""

from datetime import timedelta

import pytest

from portal.forms.base import PAGE_TOO_OLD
from portal.gateways.clock import FixedClock
from portal.services.signing_in.kept_answers import LASTS
from tests.support.database import Database
from tests.support.people import Arrival, Person

OWNER = {"owner_name": "Mai-Lee Nguyễn", "phone": "(320) 555-0100 x12", "is_adult": "yes"}
LONG = "The dog next door. " * 400


@pytest.fixture
def begun(visitor: Person) -> Person:
    """Someone on the way to register a dog, at the owner's page."""
    visitor.visit("/register").submit(situation="resident_dog")
    visitor.submit({"age": "2", "age-unit": "year"})
    return visitor.submit().submit(email=visitor.email).submit(code=visitor.outbox.code(visitor.email))


def end_the_sign_in(database: Database) -> None:
    database.run("UPDATE portal.sign_in SET ended_at = now()")


def sign_in_again(person: Person) -> None:
    person.submit(email=person.email).submit(code=person.outbox.code(person.email))


def shown(person: Person, *names: str) -> list[str]:
    return [person.page.values[name][0] for name in names]


def test_answers_posted_after_the_sign_in_ended_come_back(begun: Person, database: Database) -> None:
    """F1: the same page, all of its text, a fresh token, and the button works."""
    assert begun.path == "/register/owner"
    end_the_sign_in(database)
    begun.submit(OWNER)
    assert begun.path == "/sign-in?next=/register/owner"
    assert "You were signed out meanwhile. What you typed is kept" in begun.text
    sign_in_again(begun)
    assert begun.path == "/register/owner"
    assert shown(begun, *OWNER) == list(OWNER.values())
    begun.submit()
    assert begun.path == "/register/home"


def test_nobody_is_told_of_answers_who_typed_none(begun: Person, database: Database) -> None:
    end_the_sign_in(database)
    begun.visit("/register/owner")
    assert begun.path == "/sign-in?next=/register/owner"
    assert "You were signed out" not in begun.text


def test_answers_sent_by_script_come_back_too(begun: Person, database: Database) -> None:
    end_the_sign_in(database)
    begun.submit(OWNER, htmx=True)
    assert begun.answer.status_code == 200
    sign_in_again(begun)
    assert shown(begun, *OWNER) == list(OWNER.values())


def test_nothing_is_acted_on_before_the_person_is_back(begun: Person, database: Database) -> None:
    before = database.content(except_for=("portal.kept_answers", "portal.sign_in"))
    end_the_sign_in(database)
    begun.submit(OWNER)
    assert database.content(except_for=("portal.kept_answers", "portal.sign_in")) == before


def test_kept_answers_come_back_in_their_own_browser_alone(begun: Person, arrive: Arrival, database: Database) -> None:
    end_the_sign_in(database)
    begun.submit(OWNER)
    elsewhere = arrive(begun.email).sign_in(then="/register/owner")
    assert "Mai-Lee" not in elsewhere.page.html


def test_the_next_person_at_a_library_computer_never_sees_them(begun: Person, database: Database) -> None:
    """The sign-in ran out and nobody signed out; somebody else sits down at the same browser."""
    end_the_sign_in(database)
    begun.submit(OWNER)
    begun.sign_in("gavin@example.com", then="/register/owner")
    assert begun.path == "/register/owner"
    assert shown(begun, "owner_name", "phone") == ["", ""]


def test_first_answers_of_the_last_person_are_not_taken_for_ones_own(resident: Person, database: Database) -> None:
    resident.visit("/register").submit(situation="resident_dog")
    resident.submit({"age": "2", "age-unit": "year"})
    end_the_sign_in(database)
    resident.sign_in("gavin@example.com", then="/register/owner")
    with resident.client.session_transaction() as cookie:
        assert "registration" not in cookie


def test_what_one_has_begun_oneself_goes_on_though_somebody_else_was_signed_in_here_before(
    resident: Person, database: Database
) -> None:
    end_the_sign_in(database)
    resident.visit("/register").submit(situation="resident_dog")
    resident.submit({"age": "2", "age-unit": "year"})
    resident.submit().submit(email="gavin@example.com").submit(code=resident.outbox.code("gavin@example.com"))
    assert resident.path == "/register/owner"
    with resident.client.session_transaction() as cookie:
        assert cookie["registration"]["age_months"] == "24"


def test_kept_answers_wait_two_days(begun: Person, database: Database, clock: FixedClock) -> None:
    end_the_sign_in(database)
    begun.submit(OWNER)
    clock.move_to(clock.now() + LASTS + timedelta(minutes=1))
    begun.visit("/sign-in?next=/register/owner")
    sign_in_again(begun)
    assert shown(begun, "owner_name") == [""]


def test_the_token_and_its_secret_are_not_kept_with_the_answers(begun: Person, database: Database) -> None:
    token = begun.page.values["csrf_token"][0]
    end_the_sign_in(database)
    begun.submit(OWNER)
    (kept,) = database.rows("SELECT token_hash, fields::text AS fields FROM portal.kept_answers")
    with begun.client.session_transaction() as cookie:
        assert cookie["kept"]["token"] not in (kept.token_hash, kept.fields)
    assert token not in kept.fields
    assert "csrf_token" not in kept.fields


def test_a_page_whose_token_is_too_old_comes_back_with_all_of_its_text(begun: Person) -> None:
    stale = begun.client.post("/register/owner", data={**OWNER, "csrf_token": "from another day"})
    assert stale.status_code == 422
    begun.submit({**OWNER, "csrf_token": "from another day"}, status=422)
    assert begun.errors == [PAGE_TOO_OLD]
    assert shown(begun, *OWNER) == list(OWNER.values())
    begun.submit()
    assert begun.path == "/register/home"


def test_one_mistake_leaves_the_other_answers(begun: Person) -> None:
    begun.submit({**OWNER, "phone": "5"}, status=422)
    assert shown(begun, "owner_name", "phone", "is_adult") == ["Mai-Lee Nguyễn", "5", "yes"]


def test_a_very_long_text_is_told_its_limit_and_stays(begun: Person) -> None:
    """U5: 600 kB pasted into a box: the page names the limit and keeps the other answers."""
    huge = LONG * 80
    assert len(huge) > 600_000
    begun.submit({**OWNER, "owner_name": huge}, status=422)
    assert begun.errors[0].startswith("Use 200 characters or fewer. You have ")
    assert shown(begun, "phone") == [OWNER["phone"]]
    assert begun.page.values["owner_name"][0].startswith("The dog next door.")


def test_a_registration_goes_on_where_it_was_left_on_another_device(begun: Person, arrive: Arrival) -> None:
    begun.submit(OWNER)
    assert begun.path == "/register/home"
    phone = arrive(begun.email).sign_in(then="/register/resume")
    assert phone.path == "/register/home"
    assert shown(phone.visit("/register/owner"), *OWNER) == list(OWNER.values())


def test_the_answers_of_a_registration_lie_in_the_database_and_not_in_the_cookie(
    begun: Person, database: Database
) -> None:
    begun.submit(OWNER)
    with begun.client.session_transaction() as cookie:
        assert "Mai-Lee" not in str(dict(cookie))
        assert "registration" not in cookie
    assert "Mai-Lee" in database.value("SELECT answers::text FROM portal.draft")
