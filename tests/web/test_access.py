"""Who may reach what: the whole table, and that nobody gets past it."""

import pytest
from flask import Flask
from sqlalchemy import text

from portal.views.access import Access, access_of, open_to
from portal.views.work import transaction
from tests.support.database import Database
from tests.support.outbox import Outbox
from tests.support.people import Arrival, Person
from tests.support.portal import AppMaker
from tests.web.routes import ACCESS, Things, endpoints_of, forms_of, methods_of, rule_of

RESIDENTS_PAGES = endpoints_of(Access.RESIDENT)


def test_every_address_says_who_may_reach_it_here_and_there(app: Flask) -> None:
    assert {endpoint: access_of(app, endpoint) for endpoint in app.view_functions} == ACCESS


def test_a_route_that_does_not_say_who_may_reach_it_stops_the_start(app: Flask) -> None:
    bare = Flask("bare")
    bare.add_url_rule("/", "open", lambda: "everybody’s")
    with pytest.raises(LookupError, match="open does not say"):
        access_of(bare, "open")


def test_someone_signed_out_is_sent_to_sign_in_and_back(app: Flask, visitor: Person, things: Things) -> None:
    for address in [things.address(app, endpoint) for endpoint in RESIDENTS_PAGES]:
        visitor.visit(address, status=303, follow=False)
        assert visitor.location == f"/sign-in?next={address}"


def test_the_way_back_keeps_the_query(visitor: Person) -> None:
    visitor.visit("/dogs?sort=name&page=2", status=303, follow=False)
    assert visitor.location == "/sign-in?next=/dogs?sort%3Dname%26page%3D2"


def test_someone_signed_out_is_moved_as_a_whole_when_the_page_asks_by_script(visitor: Person) -> None:
    answer = visitor.client.get("/dogs", headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, "/sign-in?next=/dogs")


def test_what_is_someone_elses_does_not_exist(
    app: Flask, another_resident: Person, things: Things, database: Database
) -> None:
    another_resident.visit("/register")
    token = {"csrf_token": another_resident.page.values["csrf_token"]}
    before, found = database.content(), {}
    for endpoint in RESIDENTS_PAGES:
        address = things.address(app, endpoint)
        if not rule_of(app, endpoint).arguments:
            continue
        found[f"GET {endpoint}"] = another_resident.client.get(address, follow_redirects=True).status_code
        if "POST" in methods_of(app, endpoint):
            found[f"POST {endpoint}"] = another_resident.client.post(address, data=token).status_code
    assert {what: status for what, status in found.items() if status != 404} == {}
    assert database.content() == before


def test_what_is_ones_own_is_there(app: Flask, resident: Person, things: Things) -> None:
    """Else the test above would prove nothing."""
    found = {endpoint: resident.client.get(things.address(app, endpoint)).status_code for endpoint in RESIDENTS_PAGES}
    assert {endpoint: status for endpoint, status in found.items() if status not in (200, 303)} == {}


@pytest.mark.parametrize("who", ["resident", "visitor"])
def test_a_form_without_its_token_changes_nothing(
    request: pytest.FixtureRequest, app: Flask, things: Things, database: Database, who: str
) -> None:
    person: Person = request.getfixturevalue(who)
    person.visit(things.address(app, "sign_in.link"))
    person.visit(things.address(app, "vet_link.link"))
    person.visit(things.address(app, "invitations.link"))
    person.visit(things.address(app, "me.email_link"))
    person.visit(things.address(app, "tags.link"))
    person.visit(things.address(app, "notices.open_link"))
    person.visit(things.address(app, "reports.open_link"))
    person.visit(things.address(app, "reports.confirm_link"))
    person.visit(things.address(app, "dangerous.link"))
    before, found = database.content(), {}
    for endpoint in forms_of(app):
        found[endpoint] = person.client.post(things.address(app, endpoint)).status_code
    assert {endpoint: status for endpoint, status in found.items() if status not in (303, 403, 422)} == {}
    assert database.content() == before


def test_a_form_of_another_site_is_turned_away(
    app: Flask, resident: Person, things: Things, database: Database
) -> None:
    resident.visit("/register")
    token = {"csrf_token": resident.page.values["csrf_token"]}
    before, found = database.content(), {}
    for endpoint in forms_of(app):
        address, headers = things.address(app, endpoint), {"Sec-Fetch-Site": "cross-site"}
        found[endpoint] = resident.client.post(address, data=token, headers=headers).status_code
    assert found == dict.fromkeys(forms_of(app), 403)
    assert database.content() == before


def test_a_webhook_that_is_not_signed_is_refused_and_changes_nothing(app: Flask, database: Database) -> None:
    before = database.content()
    answer = app.test_client().post("/stripe/webhook", json={"type": "checkout.session.completed"})
    assert answer.status_code == 400
    assert database.content() == before


def test_nobody_comes_to_a_transaction_past_a_token(make_app: AppMaker, database: Database) -> None:
    """Should a view forget the form's token, it fails; it does not write."""
    app = make_app()

    def forgetful() -> str:
        with transaction() as db:
            db.execute(text("INSERT INTO portal.account (email, email_key) VALUES ('a', 'a')"))
        return "written"

    app.add_url_rule("/forgetful", view_func=open_to(Access.ANYONE)(forgetful), methods=["POST"])
    assert app.test_client().post("/forgetful").status_code == 500
    assert database.counts() == {}


def test_a_forged_host_is_refused(visitor: Person) -> None:
    """A3."""
    for host in ("evil.example", "localhost.evil.example", "evil.example:80", "localhost@evil.example"):
        answer = visitor.client.get("/sign-in", headers={"Host": host})
        assert answer.status_code == 400
        assert "evil" not in answer.text


@pytest.mark.parametrize("trusted_proxies", [0, 1])
def test_links_are_built_from_the_configured_address_alone(
    make_app: AppMaker, arrive: Arrival, outbox: Outbox, trusted_proxies: int
) -> None:
    person = arrive(app=make_app(trusted_proxies=trusted_proxies))
    person.client.environ_base["HTTP_X_FORWARDED_HOST"] = "evil.example"
    person.client.environ_base["HTTP_FORWARDED"] = "host=evil.example"
    person.visit("/sign-in").submit(email="pat@example.com")
    (message,) = outbox.messages()
    assert message.context["link"].startswith(person.origin + "/")
    assert "evil" not in person.page.html


@pytest.mark.parametrize(
    ("trusted_proxies", "addresses"), [pytest.param(0, 1, id="forged"), pytest.param(1, 3, id="behind a proxy of ours")]
)
def test_a_forwarded_address_counts_only_behind_our_own_proxy(
    make_app: AppMaker, arrive: Arrival, database: Database, trusted_proxies: int, addresses: int
) -> None:
    app = make_app(trusted_proxies=trusted_proxies)
    for number in range(3):
        person = arrive(f"pat{number}@example.com", app=app)
        person.client.environ_base["HTTP_X_FORWARDED_FOR"] = f"203.0.113.{number}"
        person.visit("/sign-in").submit(email=person.email)
    counted = "SELECT count(*) FROM portal.rate_limit WHERE key LIKE '%sign-in-address%'"
    assert database.value(counted) == addresses


@pytest.mark.parametrize(
    ("trusted_proxies", "forwarded"),
    [pytest.param(1, "6.6.6.{}, 203.0.113.7", id="one"), pytest.param(2, "6.6.6.{}, 203.0.113.7, 10.0.0.1", id="two")],
)
def test_what_a_client_writes_before_our_proxies_own_words_does_not_count(
    make_app: AppMaker, arrive: Arrival, database: Database, trusted_proxies: int, forwarded: str
) -> None:
    app = make_app(trusted_proxies=trusted_proxies)
    for number in range(3):
        person = arrive(f"pat{number}@example.com", app=app)
        person.client.environ_base["HTTP_X_FORWARDED_FOR"] = forwarded.format(number)
        person.visit("/sign-in").submit(email=person.email)
    counted = "SELECT count(*) FROM portal.rate_limit WHERE key LIKE '%sign-in-address%'"
    assert database.value(counted) == 1


@pytest.mark.parametrize(("trusted_proxies", "is_secure"), [(0, False), (1, True), (2, True)])
def test_a_forwarded_scheme_counts_only_behind_our_own_proxy(
    make_app: AppMaker, trusted_proxies: int, is_secure: bool
) -> None:
    client = make_app(trusted_proxies=trusted_proxies).test_client()
    answer = client.get("/sign-in", headers={"X-Forwarded-Proto": "https"})
    assert ("Strict-Transport-Security" in answer.headers) is is_secure
