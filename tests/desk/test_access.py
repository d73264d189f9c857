"""Who may reach what at the desk, and that nothing of it can be reached from the public pages."""

from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from portal.app import create_app
from portal.settings import Desk as Serving
from portal.views.desk.access import Desk, access_of
from tests.desk.routes import ACCESS
from tests.support.pound import impounded


def test_every_address_says_who_may_reach_it_here_and_there(desk_app):
    assert {endpoint: access_of(desk_app, endpoint) for endpoint in desk_app.view_functions} == ACCESS


def test_someone_signed_out_is_sent_to_sign_in_and_back(desk_app, arrive):
    person = arrive(app=desk_app)
    for rule in desk_app.url_map.iter_rules():
        if ACCESS[rule.endpoint] is Desk.ANYONE or rule.arguments or "GET" not in rule.methods:
            continue
        person.visit(rule.rule, status=303, follow=False)
        assert person.location == f"/desk/sign-in?next={rule.rule}"


def test_a_form_without_its_token_changes_nothing(officer, desk_app, registrations, database):
    dog = registrations.licensed()
    stay = impounded(database)
    things = {
        "item_id": dog.vaccination_id,
        "animal_id": dog.animal_id,
        "person_id": dog.person_id,
        "premises_id": database.value("SELECT id FROM animal_control.premises"),
        "payment_id": database.value("SELECT id FROM animal_control.payment"),
        "stay_id": stay.id,
    }
    officer.visit("/desk")
    before, found = database.content(), {}
    for rule in desk_app.url_map.iter_rules():
        if "POST" in rule.methods:
            address = rule.rule
            for name, key in things.items():
                address = address.replace(f"<uuid:{name}>", str(key))
            found[rule.endpoint] = officer.client.post(address).status_code
    assert {endpoint: status for endpoint, status in found.items() if status not in (303, 422, 404)} == {}
    assert database.content() == before


def test_one_program_serves_both(settings, gateways, desk_gateways):
    client = create_app(settings, gateways=gateways, desk=desk_gateways).test_client()
    assert "Sign in to the desk" in client.get("/desk/sign-in").text
    assert client.get("/desk").headers["Location"].startswith("/desk/sign-in")
    assert "Sign in to the desk" not in client.get("/sign-in").text
    assert client.get("/desktop").status_code == 404


def test_a_desk_alone_serves_no_public_page(settings, desk_gateways):
    app = create_app(replace(settings, desk=Serving.ALONE), desk=desk_gateways)
    assert "Sign in to the desk" in app.test_client().get("/desk/sign-in").text
    assert app.test_client().get("/sign-in").status_code == 404


def test_the_public_pages_have_no_desk_and_its_role_no_staff(app, make_app, gateways):
    assert not [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/desk")]
    assert app.test_client().get("/desk").status_code == 404
    assert make_app(desk=Serving.OFF).test_client().get("/desk").status_code == 404
    with gateways.engine.connect() as connection:
        for statement in ("SELECT * FROM portal.staff", "INSERT INTO portal.staff_sign_in DEFAULT VALUES"):
            with pytest.raises(ProgrammingError, match="permission denied"):
                connection.execute(text(statement))
            connection.rollback()
