"""The city's desk as the tests meet it: the application, and people who work there."""

import socket
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.desk_app import create_desk
from portal.forms.desk import NO_BUTTON
from portal.gateways.rate_limits import DESK, RateLimits
from portal.gateways.sealing import Sealing
from portal.gateways.totp import code_at, new_secret
from portal.schema.staff import FactorKind, StaffRole, StaffSignIn
from portal.services.secrets import new_token, token_hash
from portal.services.staff.members import add_staff
from portal.services.staff.sign_in import SHIFT_LASTS
from portal.settings import Desk, Settings
from portal.views.desk.identity import SEEN, TOKEN
from tests.support.database import Database
from tests.support.page_checker import PageChecker
from tests.support.people import Arrival, Person
from tests.support.practice import free_socket, serving, url_of
from tests.support.watching import Watch

OFFICER = "olsen@benson.example"
CLERK = "clark@benson.example"
SECRET = new_secret()
STRANGE: tuple[dict[str, str], ...] = ({}, {"decision": ""}, {"decision": "yes"})
BY_LOOKING = ("portal.desk_opening",)


def types_the_code(person: Person) -> Person:
    """Somebody asks for a code and types it; they come to the second step."""
    person.visit("/desk/sign-in").submit(email=person.email)
    code = person.outbox.messages(to=person.email, template="staff_code")[-1].context["code"]
    return person.submit(code=code)


@pytest.fixture(scope="session")
def desk_listener() -> Iterator[socket.socket]:
    """Where `desk_server` listens: known before, since passkeys are good for one address."""
    with free_socket() as listener:
        yield listener


@pytest.fixture(scope="session")
def desk_gateways(settings: Settings, shared_gateways: Gateways, desk_engine: Engine, session_watch: Watch) -> Gateways:
    """The same gateways as the public pages have, in the role of the desk."""
    session_watch.attach(desk_engine)
    limits = RateLimits(desk_engine, secret_key=settings.secret_keys[0], table=DESK)
    return replace(shared_gateways, engine=desk_engine, limits=limits)


@pytest.fixture(scope="session")
def shared_desk_app(
    settings: Settings,
    desk_gateways: Gateways,
    desk_listener: socket.socket,
    finish: Callable[[Flask], Flask],
) -> Flask:
    alone = replace(settings, desk=Desk.ALONE, base_url=url_of(desk_listener).replace("127.0.0.1", "localhost"))
    return finish(create_desk(alone, gateways=desk_gateways))


@pytest.fixture
def desk_app(shared_desk_app: Flask, gateways: Gateways, page_checker: PageChecker) -> Iterator[Flask]:
    """The desk's application, acting as `city_desk`."""
    yield shared_desk_app
    page_checker.check_rest()


@pytest.fixture(scope="session")
def shared_desk_server(shared_desk_app: Flask, desk_listener: socket.socket) -> Iterator[str]:
    with serving(shared_desk_app, desk_listener):
        yield url_of(desk_listener).replace("127.0.0.1", "localhost")


@pytest.fixture
def desk_server(shared_desk_server: str, desk_app: Flask) -> str:
    """The address of the desk behind waitress."""
    return shared_desk_server


@pytest.fixture
def employ(desk_engine: Engine, gateways: Gateways, settings: Settings) -> Callable[..., str]:
    """Add somebody to the staff, their app set up: `employ(OFFICER, StaffRole.OFFICER)`; the app's secret."""

    def employ(email: str = OFFICER, role: StaffRole = StaffRole.OFFICER, *, has_app: bool = True) -> str:
        with Session(desk_engine) as session, session.begin():
            staff = add_staff(session, email=email, role=role, by="console", clock=gateways.clock)
            if has_app:
                staff.app_secret = Sealing(settings.secret_keys).seal(SECRET)
        return SECRET

    return employ


@pytest.fixture
def working(
    arrive: Arrival, desk_app: Flask, employ: Callable[..., str], desk_engine: Engine, gateways: Gateways
) -> Callable[..., Person]:
    """Somebody signed in at the desk: `working()`, `working(CLERK, StaffRole.CLERK)`."""

    def working(email: str = OFFICER, role: StaffRole = StaffRole.OFFICER) -> Person:
        employ(email, role)
        token, now = new_token(), gateways.clock.now()
        with Session(desk_engine) as session, session.begin():
            staff = add_staff(session, email=email, role=role, by="console", clock=gateways.clock)
            session.add(
                StaffSignIn(
                    staff_id=staff.id,
                    token_hash=token_hash(token),
                    proved_by=FactorKind.APP,
                    proved_at=now,
                    expires_at=now + SHIFT_LASTS,
                )
            )
        person = arrive(email, app=desk_app)
        with person.client.session_transaction(base_url=person.origin) as cookie:
            cookie[TOKEN], cookie[SEEN] = token, int(now.timestamp())
        return person

    return working


@pytest.fixture
def officer(working: Callable[..., Person]) -> Person:
    """An officer at the desk."""
    return working()


@pytest.fixture
def clerk(working: Callable[..., Person]) -> Person:
    """A clerk at the desk."""
    return working(CLERK, StaffRole.CLERK)


@pytest.fixture
def press_nothing(officer: Person, database: Database) -> Callable[..., None]:
    """The page that is open is sent without a button of its own: it says so, keeps what was typed, decides nothing."""

    def press_nothing(button: str, **typed: str) -> None:
        before = database.content(except_for=BY_LOOKING)
        form = officer.page.form(button=button)
        sent = form.filled(typed, button=button)
        del sent["decision"]
        for said in STRANGE:
            answer = officer.client.post(officer.path, data={**sent, **said}, base_url=officer.origin)
            assert (answer.status_code, NO_BUTTON in answer.text) == (422, True)
            assert all(words in answer.text for words in typed.values())
        assert database.content(except_for=BY_LOOKING) == before

    return press_nothing


def app_code(gateways: Gateways) -> str:
    """What the authenticator app shows now."""
    return code_at(SECRET, gateways.clock.now())
