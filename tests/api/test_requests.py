"""Who is let in, and requests that are too large, too many or no JSON at all."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from portal.gateways.child_processes.running import AllTurnsTaken
from portal.gateways.clock import FixedClock
from portal.gateways.rate_limits import CLINIC_SOFTWARE, WRONG_TOKENS
from portal.services.files.scans import HeldBack
from portal.views.access import Access, open_to
from tests.api.conftest import ADDRESS, PEPPER, Software
from tests.support.database import Database
from tests.support.portal import AppMaker


def shut_out(software: Software) -> str:
    answer = software.ask("GET", status=401)
    return answer.headers["WWW-Authenticate"]


def test_without_a_token_nobody_is_let_in(app: Flask) -> None:
    for headers in ({}, {"Authorization": "Basic YTpi"}, {"Authorization": "Bearer"}):
        answer = app.test_client().get(ADDRESS, headers=headers)
        assert (answer.status_code, answer.content_type) == (401, "application/problem+json")
        assert answer.headers["WWW-Authenticate"] == "Bearer realm=Certificates"
        assert "Set-Cookie" not in answer.headers


def test_an_unknown_token_is_shut_out(software: Software) -> None:
    assert "invalid_token" in shut_out(replace(software, token="a" * 43))


def test_a_token_taken_back_is_shut_out(software: Software, database: Database) -> None:
    software.ask("GET", status=200)
    database.run("UPDATE portal.clinic_token SET revoked_at = now()")
    assert "invalid_token" in shut_out(software)


@pytest.mark.parametrize("state", ["suspended", "refused"])
def test_a_clinic_that_may_not_file_is_shut_out(software: Software, database: Database, state: str) -> None:
    database.run("UPDATE animal_control.clinic SET state = :state", state=state)
    assert "invalid_token" in shut_out(software)


def test_the_last_use_is_kept_to_the_hour(software: Software, clock: FixedClock, token_row: Any) -> None:
    begin, seen = clock.now(), []
    for minutes in (0, 59, 61):
        clock.move_to(begin + timedelta(minutes=minutes))
        software.ask("GET", status=200)
        seen.append((token_row().last_used_at - begin).total_seconds() // 60)
    assert seen == [0, 0, 61]


def test_too_many_requests_are_told_when_to_come_again(software: Software, database: Database) -> None:
    software.ask("GET", status=200)
    database.run(
        "UPDATE portal.rate_limit SET count = :count WHERE key LIKE '%software-token%'",
        count=CLINIC_SOFTWARE.item.amount,
    )
    answer = software.ask("GET", status=429)
    assert 1 <= int(answer.headers["Retry-After"]) <= 60


def test_guessing_tokens_is_told_to_wait_and_holds_up_nobody_else(software: Software, database: Database) -> None:
    """One address may hide many clinics: their good tokens go on working."""
    guess = replace(software, token="a" * 43)
    guess.ask("GET", status=401)
    database.run(
        "UPDATE portal.rate_limit SET count = :count WHERE key LIKE '%wrong-token%'", count=WRONG_TOKENS.item.amount
    )
    assert 1 <= int(guess.ask("GET", status=429).headers["Retry-After"]) <= 300
    software.ask("GET", status=200)


def test_ten_megabytes_of_json_are_too_much(software: Software) -> None:
    software.ask("POST", data=b'"' + b"a" * 10_000_000 + b'"', content_type="application/json", status=413)


UNREADABLE = {
    "cut short": b'{"owner_name": ',
    "not UTF-8": b'{"owner_name": "\xff"}',
    "nested without end": b"[" * 50_000,
    "a number without end": b'{"duration_years": ' + b"9" * 5000 + b"}",
}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_the_senders_fault(software: Software, content: bytes) -> None:
    software.ask("POST", data=content, content_type="application/json", status=400)


def test_what_is_not_said_to_be_json_is_not_read(software: Software) -> None:
    software.ask("POST", data=PEPPER, status=415)


def test_a_wrong_address_or_method_is_a_problem_too(software: Software) -> None:
    software.ask("GET", "/api/v1/dogs", status=404)
    software.ask("GET", f"{ADDRESS}/1", status=404)
    assert "POST" in software.ask("PATCH", status=405).headers["Allow"]


def test_a_fault_of_ours_gives_a_reference_and_no_more(make_app: AppMaker) -> None:
    def broken() -> str:
        raise RuntimeError("the private parts")

    app = make_app()
    app.add_url_rule("/api/v1/broken", view_func=open_to(Access.ANYONE)(broken))
    answer = app.test_client().get("/api/v1/broken")
    assert (answer.status_code, answer.content_type) == (500, "application/problem+json")
    assert answer.json is not None
    assert answer.json["reference"]
    assert "private" not in answer.text


def test_when_no_turn_comes_free_the_software_is_told_when_to_come_again(make_app: AppMaker) -> None:
    def busy() -> str:
        raise AllTurnsTaken(7)

    app = make_app()
    app.add_url_rule("/api/v1/busy", view_func=open_to(Access.ANYONE)(busy))
    answer = app.test_client().get("/api/v1/busy")
    assert (answer.status_code, answer.content_type) == (503, "application/problem+json")
    assert answer.headers["Retry-After"] == "7"


@pytest.mark.parametrize(
    ("address", "media_type", "said"),
    [
        pytest.param("/api/v1/held", "application/problem+json", {"status": 409}, id="practice software"),
        pytest.param("/open311/v2/held.json", "application/json; charset=utf-8", {"code": 409}, id="Open311"),
    ],
)
@pytest.mark.parametrize("is_infected", [True, False])
def test_of_a_file_that_is_held_back_software_hears_in_its_own_words(
    make_app: AppMaker, address: str, media_type: str, said: dict[str, int], is_infected: bool
) -> None:
    def held() -> str:
        raise HeldBack(is_infected=is_infected)

    app = make_app()
    app.add_url_rule(address, view_func=open_to(Access.ANYONE)(held))
    answer = app.test_client().get(address)
    assert (answer.status_code, answer.content_type) == (409, media_type)
    told = answer.json if isinstance(answer.json, dict) else (answer.json or [{}])[0]
    assert said.items() <= told.items()
    assert ("something harmful" if is_infected else "not been checked") in answer.text
