"""Every address of both applications by every kind of person, from their maps of routes: a new one is never forgotten.

`tests/web/routes.py` and `tests/desk/routes.py` say who may reach an address; here stands what that comes to for each.
"""

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import FileSystemBytecodeCache
from sqlalchemy.orm import Session
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from portal.app import create_app
from portal.composition import Gateways
from portal.schema.accounts import Account, SignIn
from portal.schema.clinic_access import ClinicMember
from portal.schema.staff import StaffRole
from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.clinics.tokens import make_token
from portal.services.secrets import new_token, token_hash
from portal.services.signing_in.sign_in import email_key
from portal.settings import Settings
from portal.views.access import Access
from portal.views.desk.access import Desk
from portal.views.identity import TOKEN
from tests.desk import routes as desk_routes
from tests.support.database import Database
from tests.support.desk import CLERK, OFFICER
from tests.support.filings import Filings
from tests.support.people import Person
from tests.web import routes
from tests.web.routes import Things

OWNER, OTHER, VET, OTHER_VET = "pat@example.com", "gavin@example.com", "karin@clinic.example", "ole@other.example"
RESIDENTS, CLINICS, STAFF = (OWNER, OTHER), (VET, OTHER_VET), (CLERK, OFFICER)
NOBODY = "nobody"
EVERYBODY = (NOBODY, *RESIDENTS, *CLINICS, *STAFF)

THERE, NOT_THERE, FORBIDDEN, SIGN_IN, NO_KEY, REFUSED = (
    "there",
    "not there",
    "forbidden",
    "sign in",
    "no key",
    "refused",
)
LINKS = {
    "sign_in.link",
    "dangerous.link",
    "invitations.link",
    "me.email_link",
    "tags.link",
    "reports.open_link",
    "reports.confirm_link",
    "notices.open_link",
    "vet_link.link",
}
# For Prometheus, which shows a token: for people it is not there.
NEEDS_A_TOKEN = {"metrics.show", "machines.metrics"}
# Open to anyone who holds the link of a letter, and to nobody by who they are: here nobody has opened one.
NEEDS_A_LINK = {
    *("sign_in.confirm", "dangerous.answer", "invitations.answer", "me.confirm_email", "vet_link.answer"),
    *("tags.talk", "tags.end", "tags.leave", "tags.picture"),
    *("reports.confirm", "reports.show", "reports.answer", "reports.add_files", "reports.file", "reports.identity"),
    *("reports.not_public", "reports.withdraw", "reports.reopen", "reports.forget", "reports.barking_log"),
    *("reports.log_sheet", "reports.invite"),
    *("notices.own", "notices.own_picture", "notices.another", "notices.change", "notices.keep_shown"),
    *("notices.home", "notices.withdraw", "notices.forget", "notices.talk", "notices.end_talk"),
    "notices.talk_picture",
}
# There is none of these among the things: a picture, an answer, a record that somebody has not made yet.
MAY_BE_MISSING = {
    *("open311.service", "open311.one_request", "open311.token", "reports.new_picture"),
    *("notices.picture", "notices.new_picture", "vet.certificate_picture", "vet.table_to_correct"),
    *("me.details", "me.address", "me.moved"),
}
OUTCOMES = {
    **dict.fromkeys((200, 303), THERE),
    **dict.fromkeys((404, 410), NOT_THERE),
    **dict.fromkeys((400, 415, 422), REFUSED),
    401: NO_KEY,
    403: FORBIDDEN,
}
PRIVATE = (Access.RESIDENT, Access.CLINIC, Access.CLINIC_API)
SAID_TO_EVERYBODY = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@pytest.fixture
def served(
    settings: Settings, gateways: Gateways, desk_gateways: Gateways, compiled_templates: FileSystemBytecodeCache
) -> Flask:
    """Public pages and the desk beside them, as `portal run` serves them."""
    served = create_app(settings, gateways=gateways, desk=desk_gateways)
    served.jinja_env.bytecode_cache = compiled_templates
    return served


@pytest.fixture
def clinic_things(filings: Filings, database: Database, gateways: Gateways) -> dict[str, object]:
    """A clinic's filing, colleague and token; another clinic has none of them."""
    clinic_id, other_id = filings.clinic(), filings.clinic("Other Vets")
    with Session(gateways.engine) as session, session.begin():
        for clinic, email in ((clinic_id, VET), (other_id, OTHER_VET), (clinic_id, "nils@clinic.example")):
            session.add(ClinicMember(clinic_id=clinic, email=email, email_key=email, added_by="test"))
        make_token(session, ClinicStaff(clinic_id, "Prairie Vet Clinic", VET), name="Desk")
    return {
        "filing_id": filings.file(clinic_id),
        "member_id": database.value("SELECT id FROM portal.clinic_member WHERE email LIKE 'nils%'"),
        "token_id": database.value("SELECT id FROM portal.clinic_token"),
    }


@pytest.fixture
def browsers(
    served: Flask, gateways: Gateways, working: Callable[..., Person], things: Things
) -> dict[str, FlaskClient]:
    """Everybody at a browser of their own."""
    found = {NOBODY: served.test_client()}
    for email in (*RESIDENTS, *CLINICS):
        found[email] = served.test_client()
        with found[email].session_transaction() as cookie:
            cookie[TOKEN] = _signed_in(gateways, email)
    for email, role in zip(STAFF, (StaffRole.CLERK, StaffRole.OFFICER), strict=True):
        at_the_desk = working(email, role).client.get_cookie("desk")
        assert at_the_desk is not None
        found[email] = served.test_client()
        found[email].set_cookie("desk", at_the_desk.value)
    return found


def test_everybody_reaches_what_is_theirs_and_nothing_else(
    served: Flask,
    browsers: dict[str, FlaskClient],
    things: Things,
    clinic_things: dict[str, object],
    database: Database,
) -> None:
    things.usual.update(clinic_things | {"ending": "json"})
    before, wrong = database.content(), {}
    for endpoint in sorted(routes.ACCESS, key=LINKS.__contains__):
        address, rule = things.address(served, endpoint), routes.rule_of(served, endpoint)
        for who, browser in browsers.items():
            found = outcome(
                browser, address, rule, is_private=routes.ACCESS[endpoint] in PRIVATE or endpoint in NEEDS_A_LINK
            )
            allowed = allowed_in_public(endpoint, who, rule)
            if found not in allowed:
                wrong[f"{endpoint} by {who}"] = f"{found}, not {' or '.join(sorted(allowed))}"
    assert wrong == {}
    assert database.content(except_for=("portal.open311_key",)) == before


def test_at_the_desk_everybody_reaches_what_their_work_needs(
    served: Flask, desk_app: Flask, browsers: dict[str, FlaskClient]
) -> None:
    """Of things that are not there: whether somebody comes that far is decided before."""
    wrong = {}
    for rule in desk_app.url_map.iter_rules():
        values = {name: uuid4() if f"<uuid:{name}>" in rule.rule else 1 for name in rule.arguments}
        with desk_app.test_request_context():
            address = desk_app.url_for(rule.endpoint, **values)
        for who, browser in browsers.items():
            found = outcome(browser, address, rule, is_private=True)
            allowed = allowed_at_the_desk(rule.endpoint, who)
            if found not in allowed:
                wrong[f"{rule.endpoint} by {who}"] = f"{found}, not {' or '.join(sorted(allowed))}"
    assert wrong == {}


def allowed_in_public(endpoint: str, who: str, rule: Rule) -> set[str]:
    """What may come of it, by the access that the route's row states; with arguments it is about something of Pat's."""
    access, is_signed_in, has_thing = routes.ACCESS[endpoint], who in (*RESIDENTS, *CLINICS), bool(rule.arguments)
    if endpoint in NEEDS_A_TOKEN:
        return {NOT_THERE}
    if endpoint in NEEDS_A_LINK:
        return {NOT_THERE} if is_signed_in else {NOT_THERE, SIGN_IN}
    if endpoint in MAY_BE_MISSING and is_signed_in:
        return {THERE, NOT_THERE} if who in (OWNER, VET) or access is Access.ANYONE else {NOT_THERE}
    if access is Access.RESIDENT:
        return {SIGN_IN} if not is_signed_in else {NOT_THERE} if has_thing and who != OWNER else {THERE}
    if access is Access.CLINIC:
        is_theirs = who == VET or (who == OTHER_VET and not has_thing)
        return {SIGN_IN} if not is_signed_in else {THERE} if is_theirs else {NOT_THERE}
    if access is Access.CLINIC_API:
        return {NO_KEY}
    if access is Access.PROCESSOR:
        return {REFUSED, NOT_THERE}  # without a provider there is nobody to send
    if endpoint in MAY_BE_MISSING:
        return {THERE, NOT_THERE}
    return {THERE} if "GET" in (rule.methods or ()) else {THERE, REFUSED}


def allowed_at_the_desk(endpoint: str, who: str) -> set[str]:
    """Nobody but staff comes in, and of them only officers to what is an officer's."""
    access = desk_routes.ACCESS[endpoint]
    if endpoint in NEEDS_A_TOKEN:
        return {NOT_THERE}
    if access is Desk.ANYONE:
        return {THERE, REFUSED, SIGN_IN}
    if who not in STAFF:
        return {SIGN_IN}
    if access is Desk.OFFICER and who == CLERK:
        return {FORBIDDEN}
    return {THERE, NOT_THERE, REFUSED}


def says_what_it_should(answer: TestResponse, *, is_private: bool) -> None:
    """Nothing runs that is not ours, no frame shows it, and no browser keeps what is private."""
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy, answer.request.path
    assert "unsafe" not in policy, answer.request.path
    assert "*" not in policy, answer.request.path
    assert {name: answer.headers[name] for name in SAID_TO_EVERYBODY} == SAID_TO_EVERYBODY
    if is_private:
        # Pictures may be kept for an hour; signing out clears them away.
        kept = "private, max-age=3600" if answer.mimetype.startswith("image/") else "no-store"
        assert answer.headers["Cache-Control"] in ("no-store", kept), answer.request.path


def outcome(browser: FlaskClient, address: str, rule: Rule, *, is_private: bool) -> str:
    """What comes of looking at it; where there is nothing to look at, of sending an empty form."""
    method = next(one for one in ("GET", "PUT", "DELETE", "POST") if one in (rule.methods or ()))
    with browser.open(address, method=method) as answer:
        says_what_it_should(answer, is_private=is_private)
        where = answer.headers.get("Location", "")
        if answer.status_code == 303 and where.startswith(("/sign-in?", "/desk/sign-in")):
            return SIGN_IN
        if answer.status_code == 303 and method == "GET":
            with browser.get(where, follow_redirects=True) as landed:
                return OUTCOMES.get(landed.status_code, f"{landed.status_code}")
        return OUTCOMES.get(answer.status_code, f"{answer.status_code}")


def _signed_in(gateways: Gateways, email: str) -> str:
    token, now = new_token(), gateways.clock.now()
    with Session(gateways.engine) as session, session.begin():
        account = session.query(Account).filter_by(email_key=email_key(email)).one_or_none()
        if account is None:
            account = Account(email=email, email_key=email_key(email))
            session.add(account)
            session.flush()
        session.add(SignIn(account_id=account.id, token_hash=token_hash(token), expires_at=now + timedelta(days=1)))
    return token
