"""Malformed requests to every route: no fault of ours, nothing written, nothing of the inside shown."""

import math
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TypeVar

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from jinja2 import FileSystemBytecodeCache
from sqlalchemy.orm import Session
from werkzeug.routing import Rule

from portal.app import create_app
from portal.composition import Gateways
from portal.schema.accounts import SignIn
from portal.services.secrets import new_token, token_hash
from portal.settings import Settings
from portal.views.identity import TOKEN
from tests.attacks.malformed import WORDS, Malformed, requests_to
from tests.support.database import Database
from tests.support.people import Person
from tests.support.registrations import Registrations
from tests.web.routes import Things

Drawn = TypeVar("Drawn")
Target = TypeVar("Target")
REQUESTS = int(os.environ.get("ATTACKS", "170"))
SEED = int(os.environ.get("ATTACKS_SEED", "1"))
# What tells of our inside, and of nobody's mistake.
INSIDE = ("Traceback", "sqlalchemy", "psycopg", "werkzeug", "/portal/", ".py&#34;", "jinja2")
# Who looked at what at the desk; what a passkey is asked to sign, drawn when its page is opened; and what somebody sent
# whose sign-in had ended, which is kept for a while on purpose.
LEFT_BY_LOOKING = ("portal.desk_reading", "portal.desk_opening", "portal.staff_sign_in", "portal.kept_answers")
GENTLY = settings(deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
BOX = re.compile(r'<(?:input|textarea|select|button)[^>]* name="([^"]+)"')
CSRF = re.compile(r'name="csrf_token"[^>]* value="([^"]+)"')
# What an address of the desk is about: by the name of its argument, or by its blueprint where that is `item_id`.
TABLES = {
    "account_id": "portal.account",
    "animal_id": "animal_control.animal",
    "person_id": "animal_control.person",
    "premises_id": "animal_control.premises",
    "stay_id": "animal_control.impoundment",
    "year_id": "animal_control.dangerous_registration",
    "payment_id": "animal_control.payment",
    "bounced": "portal.outgoing_message",
    "certificates": "animal_control.vaccination",
    "counter": "animal_control.fee_order",
    "dangerous_rows": "animal_control.dangerous_requirement",
    "merging": "animal_control.report",
    "pet_notices": "animal_control.pet_notice",
    "repeats": "animal_control.report",
    "reports": "animal_control.report",
}
NOTHING = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
LEAST_FORMS = 70  # of some 180: the others answer that their thing is not there, or lead on
CLEARS = "DELETE FROM portal.rate_limit; DELETE FROM portal.desk_rate_limit"


@pytest.fixture
def served(
    settings: Settings, gateways: Gateways, desk_gateways: Gateways, compiled_templates: FileSystemBytecodeCache
) -> Flask:
    """Public pages and the desk beside them."""
    served = create_app(settings, gateways=gateways, desk=desk_gateways)
    served.jinja_env.bytecode_cache = compiled_templates
    return served


@pytest.fixture
def senders(
    served: Flask, gateways: Gateways, working: Callable[..., Person], registrations: Registrations
) -> list[FlaskClient]:
    """Nobody, a resident, and an officer at the desk."""
    nobody, resident, officer = (served.test_client() for _ in range(3))
    token, now = new_token(), gateways.clock.now()
    with Session(gateways.engine) as session, session.begin():
        account_id = registrations.account("pat@example.com")
        session.add(SignIn(account_id=account_id, token_hash=token_hash(token), expires_at=now + timedelta(days=1)))
    with resident.session_transaction() as cookie:
        cookie[TOKEN] = token
    at_the_desk = working().client.get_cookie("desk")
    assert at_the_desk is not None
    officer.set_cookie("desk", at_the_desk.value)
    return [nobody, resident, officer]


def test_whatever_is_sent_is_answered_and_nothing_is_written(
    served: Flask, desk_app: Flask, things: Things, senders: list[FlaskClient], database: Database
) -> None:
    targets = [*public_targets(served, things), *desk_targets(desk_app, database)]
    before, outcome = database.content(except_for=LEFT_BY_LOOKING), Outcome()

    def attack(drawn: tuple[Malformed, FlaskClient]) -> None:
        request, who = drawn
        outcome.note(f"{request.method} {request.path}", *send(who, request), repr(request))

    for number, (rule, address) in enumerate(spread(targets)):
        repeat(
            attack, st.tuples(requests_to(rule, address), st.sampled_from(senders)), number, times=each(len(targets))
        )
        database.run(CLEARS)
    outcome.tell(f"malformed requests to {len(targets)} routes")
    assert outcome.wrong == {}
    assert database.content(except_for=LEFT_BY_LOOKING) == before


def test_a_form_with_its_token_and_horrors_in_every_box_is_taken_or_explained(
    served: Flask, desk_app: Flask, things: Things, senders: list[FlaskClient], database: Database
) -> None:
    """Each form as its page has it; what is typed may even be taken, since people are called all sorts of things."""
    _, resident, officer = senders
    forms = [(resident, address) for rule, address in public_targets(served, things) if takes_a_form(rule)]
    forms += [(officer, address) for rule, address in desk_targets(desk_app, database) if takes_a_form(rule)]
    # All are opened before any is sent: what one takes may be what another asks about.
    opened = [(who, address, *boxes(who, address)) for who, address in spread(forms)]
    reached = [(who, address, names, token) for who, address, names, token in opened if names and token]
    outcome = Outcome()
    for number, (who, address, names, token) in enumerate(reached):
        typed = st.dictionaries(st.sampled_from(names), WORDS.map(lambda one: one.decode(errors="replace")), max_size=9)
        repeat(partial(fill_in, who, address, token, outcome), typed, number, times=each(len(forms)))
        database.run(CLEARS)
    outcome.tell(f"forms sent with their token, to {len(reached)} of {len(forms)} pages")
    assert outcome.wrong == {}
    assert len(reached) >= LEAST_FORMS


def boxes(who: FlaskClient, address: str) -> tuple[list[str], str]:
    """What can be typed on a page, and its token; neither where the page is not there."""
    with who.get(address) as page:
        token = CSRF.search(page.text)
        return sorted(set(BOX.findall(page.text))), token[1] if token else ""


@dataclass
class Outcome:
    """How many answers of each kind came, and those that are wrong."""

    answers: Counter[int] = field(default_factory=Counter)
    wrong: dict[str, str] = field(default_factory=dict)

    def note(self, what: str, status: int, shown: str, sent: str) -> None:
        self.answers[status] += 1
        if status >= 500 or any(word in shown for word in INSIDE):
            self.wrong[what[:300]] = f"{status} {sent[:600]}"

    def tell(self, what: str) -> None:
        """For whoever runs it with -s."""
        print(f"{self.answers.total()} {what}: {dict(sorted(self.answers.items()))}")  # noqa: T201


def repeat(attack: Callable[[Drawn], None], what: st.SearchStrategy[Drawn], number: int, *, times: int) -> None:
    """So many examples, the same in every run."""

    @seed(SEED + number)
    @settings(GENTLY, max_examples=times)
    @given(drawn=what)
    def run(drawn: Drawn) -> None:
        attack(drawn)

    run()


def each(targets: int) -> int:
    return max(1, math.ceil(REQUESTS / targets))


def spread(targets: list[Target]) -> list[Target]:
    """All of them; or, where there are fewer requests than routes, as many evenly among them."""
    step = max(1, len(targets) // REQUESTS)
    return targets[::step]


def fill_in(who: FlaskClient, address: str, token: str, outcome: Outcome, typed: dict[str, str]) -> None:
    """Type it and press the button."""
    with who.post(address, data={**typed, "csrf_token": token}) as answer:
        outcome.note(address, answer.status_code, answer.get_data().decode(errors="replace"), repr(typed))


def takes_a_form(rule: Rule) -> bool:
    """Signing out ends the walk, and so does closing the account."""
    return {"GET", "POST"} <= (rule.methods or set()) and rule.endpoint not in ("sign_in.out", "me.close")


def send(who: FlaskClient, request: Malformed) -> tuple[int, str]:
    """The status, and what of the answer is text."""
    environ = {"wsgi.input_terminated": True}
    with who.open(
        request.path,
        method=request.method,
        query_string=request.query.decode("latin-1"),
        headers=list(request.headers),
        content_type=request.kind,
        data=request.body,
        environ_overrides=environ,
    ) as answer:
        is_text = answer.mimetype.startswith("text/") or answer.mimetype.endswith("json")
        return answer.status_code, answer.get_data(as_text=False).decode(errors="replace") if is_text else ""


def public_targets(app: Flask, things: Things) -> list[tuple[Rule, str]]:
    things.usual.update(
        {"ending": "json", "filing_id": things.usual["animal_id"], "member_id": things.usual["animal_id"]}
    )
    things.usual["token_id"] = things.usual["animal_id"]
    return [(rule, things.address(app, rule.endpoint)) for rule in app.url_map.iter_rules()]


def desk_targets(app: Flask, database: Database) -> list[tuple[Rule, str]]:
    found = []
    for rule in app.url_map.iter_rules():
        about = {name: about_what(rule, name, database) for name in rule.arguments}
        with app.test_request_context():
            found.append((rule, app.url_for(rule.endpoint, **about)))
    return found


def about_what(rule: Rule, name: str, database: Database) -> object:
    """One that is there, where the walk has made one."""
    if f"<uuid:{name}>" not in rule.rule:
        return 1
    table = TABLES.get(rule.endpoint.partition(".")[0] if name == "item_id" else name)
    first = f"SELECT id FROM {table} ORDER BY id LIMIT 1"  # noqa: S608 - a table named above
    return (table and database.value(first)) or NOTHING
