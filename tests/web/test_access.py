"""Who may reach what: the whole table, and that nobody gets past it."""

from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.schema.animals import Animal
from portal.schema.departures import DepartureKind
from portal.schema.notices import Holding, NoticeKind, NoticeMatch
from portal.services.accept_upload import note_upload
from portal.services.ask_vet import Addressee, ask_vet
from portal.services.change_email import ask_for_email_change
from portal.services.draft_answers import Registration
from portal.services.file_report import Sender
from portal.services.find_tag import TagNumber
from portal.services.keep_draft import keep, open_draft
from portal.services.sign_in import SignInAsked, ask_to_sign_in
from portal.services.signed_links import Purpose, signed
from portal.services.tell_found import Found, tell_found
from portal.services.tell_gone import GoneAnswers, tell_gone
from portal.services.tell_seen import Seen, tell_seen
from portal.services.tell_seen import Words as SeenWords
from portal.settings import Settings
from portal.views.access import Access, access_of, open_to
from portal.views.work import transaction
from tests.support.dangerous import DangerousDogs
from tests.support.database import Database
from tests.support.household import Household
from tests.support.notices import notice
from tests.support.outbox import Outbox
from tests.support.people import Arrival, Person
from tests.support.portal import AppMaker
from tests.support.pound import impounded
from tests.support.registrations import LATER, Registrations
from tests.support.reporting import ATTESTED, Reporting
from tests.web.dangerous.things import things_of
from tests.web.routes import ACCESS, Things, endpoints_of, forms_of, methods_of, rule_of

RESIDENTS_PAGES = endpoints_of(Access.RESIDENT)


@pytest.fixture
def things(
    registrations: Registrations,
    household: Household,
    database: Database,
    outbox: Outbox,
    gateways: Gateways,
    settings: Settings,
    reporting: Reporting,
    dangerous: DangerousDogs,
) -> Things:
    """Pat has a licensed dog with a picture, one that died, a registration begun, and a link to sign in elsewhere."""
    account_id, clock = registrations.account("pat@example.com"), gateways.clock
    rex = registrations.animal("Rex")
    with Session(gateways.engine) as session, session.begin():
        files = [note_upload(session, registrations.stored(), account_id=account_id).id for _ in range(3)]
    max_ = registrations.dog("Max", certificate=LATER)
    given = registrations.dog("Bella", certificate=LATER)
    pepper = registrations.licensed("Pepper", photo_upload_id=files[0])
    with Session(gateways.engine) as session, session.begin():
        keep(session, open_draft(session, account_id=account_id), Registration(animals=(rex,)), clock=clock)
        asked = SignInAsked(email="pat@example.com", browser="another", next_path="/")
        ask_to_sign_in(session, asked, clock=clock, secret_key="a", base_url="")
        died = GoneAnswers(animal_id=max_.animal_id, kind=DepartureKind.DIED, happened_on=None, note=None)
        tell_gone(session, died, person_id=pepper.person_id, clock=clock)
        vet = Addressee(name="Prairie Vet", email="desk@clinic.example")
        animal = session.get_one(Animal, pepper.animal_id)
        vet_asked = ask_vet(session, animal=animal, person_id=pepper.person_id, addressee=vet, clock=clock)
        finder = Found(
            text="She is here.",
            place=None,
            phone=None,
            email=None,
            confined_at=None,
            photo_key=registrations.stored().thumbnail_key,
            is_suspicious=False,
        )
        relay_id = uuid4()
        tell_found(
            session, finder, tag=TagNumber(1, 2026), key=relay_id, token="finder", city=gateways.city, clock=clock
        )
    household.gives_away(given)
    household.invites(pepper, "mai@example.com")
    invitation_id = database.value("SELECT id FROM portal.keeper_invitation")
    invited = household.invites(registrations.dog("Rolf", email="rolf@example.com"), "pat@example.com")
    with Session(gateways.engine) as session, session.begin():
        ask_for_email_change(session, account_id=account_id, new_email="new@example.com", clock=clock)
    [new_mailbox] = outbox.messages(to="new@example.com")
    photo_id = database.value("SELECT photo_id FROM animal_control.animal WHERE name = 'Pepper'")
    said_id = database.value("SELECT id FROM portal.relay_message")
    at_the_pound = impounded(database, animal_id=pepper.animal_id, photo_id=photo_id)
    missed, notice_talk = notice(database, link="the link of a finder"), uuid4()
    missing, match_id = missed.reference, uuid4()
    with Session(database.engine) as session, session.begin():
        session.add(NoticeMatch(id=match_id, lost_notice_id=missed.id, impoundment_id=at_the_pound.id, score=50))
    seen = Seen(
        words=SeenWords(text="She ran north."), holding=Holding.SIGHTED, place="Main Street", seen_at=clock.now()
    )
    with Session(gateways.engine) as session, session.begin():
        tell_seen(session, seen, reference=missing, key=notice_talk, token="seer", city=gateways.city, clock=clock)
    report = reporting.send()
    reporting.send(sender=Sender(attestation=ATTESTED, mailbox="robin@example.com"), place="Northside park")
    [to_confirm] = outbox.messages(to="robin@example.com")
    proof_code = "SELECT proof_code FROM animal_control.license WHERE id = :id"
    return Things(
        usual={
            "animal_id": pepper.animal_id,
            "certificate_id": pepper.vaccination_id,
            "order_id": pepper.order_id,
            "code": database.value(proof_code, id=pepper.license_id),
            "upload_id": files[2],
            "request_id": vet_asked.request_id,
            "token": outbox.link("pat@example.com").rpartition("/")[2],
            "number": 1,
            "relay_id": relay_id,
            "message_id": said_id,
            "invitation_id": invitation_id,
            "impoundment_id": at_the_pound.id,
        },
        instead={
            "register": {"animal_id": rex.id, "upload_id": files[1]},
            "dangerous": things_of(dangerous, pepper, database),
            "vet_link": {"token": vet_asked.token},
            "tags": {"token": "finder", "number": "2026-1"},
            "reports": {
                "reference": report.filed.reference,
                "token": report.token,
                "kind": "barking",
                "file_id": uuid4(),
                "episode_id": uuid4(),
            },
            "notices": {
                "kind": "lost",
                "reference": missing,
                "size": "photo",
                "token": "the link of a finder",
                "relay_id": notice_talk,
                "match_id": match_id,
            },
            "notices.write": {"reference": notice(database, "FOUND-00000", kind=NoticeKind.FOUND).reference},
            "reports.confirm_link": {"token": to_confirm.context["path"].rpartition("/")[2]},
            "dogs.new_owner": {"animal_id": given.animal_id},
            "invitations": {"token": invited.rpartition("/")[2]},
            "me": {"token": new_mailbox.context["path"].rpartition("/")[2]},
            "dogs.farewell": {"animal_id": max_.animal_id},
            "reminders": {"token": signed(account_id, Purpose.STOP, key=settings.secret_keys[0])},
            "reminders.open_page": {
                "token": signed(account_id, Purpose.OPEN, key=settings.secret_keys[0]),
                "wanted": "dogs",
            },
        },
    )


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


@pytest.mark.parametrize(("trusted_proxies", "is_secure"), [(0, False), (1, True)])
def test_a_forwarded_scheme_counts_only_behind_our_own_proxy(
    make_app: AppMaker, trusted_proxies: int, is_secure: bool
) -> None:
    client = make_app(trusted_proxies=trusted_proxies).test_client()
    answer = client.get("/sign-in", headers={"X-Forwarded-Proto": "https"})
    assert ("Strict-Transport-Security" in answer.headers) is is_secure
