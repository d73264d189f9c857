"""Staff sign in with a code and a second step; neither alone opens anything."""

from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from portal.gateways.totp import code_at
from portal.schema.staff import StaffRole
from portal.services.staff.members import remove_staff
from tests.support.desk import CLERK, OFFICER, app_code, types_the_code


@pytest.fixture
def newcomer(arrive, desk_app, employ):
    """Somebody who was added, and has set up nothing yet."""
    employ(OFFICER, StaffRole.OFFICER, has_app=False)
    return arrive(OFFICER, app=desk_app)


@pytest.fixture
def known(arrive, desk_app, employ):
    """Somebody whose app is set up."""
    employ()
    return arrive(OFFICER, app=desk_app)


def test_a_newcomer_sets_up_an_app_and_signs_in_with_it_from_then_on(newcomer, arrive, desk_app, gateways, clock):
    types_the_code(newcomer)
    assert newcomer.h1 == "Set up the second step"
    [secret] = [one.get("value") for one in newcomer.page.document.iter("input") if one.get("id") == "app-key"]
    newcomer.submit(code="000000", status=422)
    assert newcomer.errors == ["The app shows another code by now. Type the six digits it shows"]
    newcomer.submit(code=code_at(secret, clock.now()))
    assert newcomer.h1 == "Your recovery codes"
    codes = [one.text for one in newcomer.page.document.iter("code")]
    assert len(codes) == 8
    newcomer.click("I have kept them")
    assert newcomer.h1 == "Queue"
    clock.move_to(clock.now() + timedelta(minutes=1))
    again = types_the_code(arrive(OFFICER, app=desk_app))
    assert again.h1 == "The second step"
    again.submit(code=code_at(secret, clock.now()))
    assert again.h1 == "Queue"
    on_paper = types_the_code(arrive(OFFICER, app=desk_app))
    on_paper.submit(code=codes[0].lower())
    assert on_paper.h1 == "Queue"
    twice = types_the_code(arrive(OFFICER, app=desk_app))
    twice.submit(code=codes[0], status=422)
    assert twice.errors == ["That is neither the code of the app nor a recovery code that is left"]


def test_a_code_of_the_app_is_taken_once(known, arrive, desk_app, gateways):
    types_the_code(known).submit(code=app_code(gateways))
    assert known.h1 == "Queue"
    behind = types_the_code(arrive(OFFICER, app=desk_app))
    behind.submit(code=app_code(gateways), status=422)
    assert behind.h1 == "The second step"


def test_the_code_of_the_message_alone_opens_nothing(known):
    types_the_code(known)
    for path in ("/desk", "/desk/keys", "/desk/sign-in/set-up", "/desk/sign-in/recovery-codes"):
        known.visit(path)
        assert known.h1 == "The second step"


def test_guessing_at_the_second_step_ends_soon(known, gateways):
    types_the_code(known)
    for guess in range(6):
        known.submit(code=f"00000{guess}", status=422)
    known.submit(code=app_code(gateways), status=429)


def test_nobody_learns_who_works_here(arrive, desk_app, known, outbox):
    stranger = arrive("mallory@example.com", app=desk_app)
    stranger.visit("/desk/sign-in").submit(email="mallory@example.com")
    known.visit("/desk/sign-in").submit(email=OFFICER)
    assert stranger.text.replace("mallory@example.com", OFFICER) == known.text
    assert outbox.messages(to="mallory@example.com") == []
    stranger.submit(code="123456", status=422)
    assert stranger.errors == ["That is not the code we sent. Check the newest message and type its six digits"]


def test_a_code_works_in_the_browser_that_asked_and_not_for_long(known, outbox, clock):
    known.visit("/desk/sign-in").submit(email=OFFICER)
    code = outbox.messages(to=OFFICER, template="staff_code")[-1].context["code"]
    clock.move_to(clock.now() + timedelta(minutes=11))
    known.submit(code=code, status=422)
    assert known.errors == ["This code is used up or too old. Ask for a new one"]


def test_an_hour_without_a_page_and_the_end_of_a_shift_sign_out(officer, clock):
    assert officer.visit("/desk").h1 == "Queue"
    for _ in range(3):
        clock.move_to(clock.now() + timedelta(minutes=50))
        assert officer.visit("/desk").h1 == "Queue"
    clock.move_to(clock.now() + timedelta(minutes=61))
    assert officer.visit("/desk").h1 == "Sign in to the desk"


def test_someone_who_left_is_out_at_once(officer, desk_engine, clock, database):
    assert officer.visit("/desk").h1 == "Queue"
    with Session(desk_engine) as session, session.begin():
        remove_staff(session, email=OFFICER, by="console", clock=clock)
    assert officer.visit("/desk").h1 == "Sign in to the desk"
    told = [row.kind for row in database.rows("SELECT kind FROM animal_control.event ORDER BY id")]
    assert told[-1] == "staff.removed"


def test_a_week_after_being_added_the_mailbox_alone_sets_up_nothing(newcomer, clock):
    clock.move_to(clock.now() + timedelta(days=8))
    types_the_code(newcomer)
    newcomer.submit(code="123456", status=422)
    assert newcomer.errors == ["The week to set up a second step is over. Ask for `portal staff add` once more"]


def test_signing_out_ends_it_everywhere(officer, database):
    officer.visit("/desk/sign-in/out").submit(button="Sign out")
    assert officer.visit("/desk").h1 == "Sign in to the desk"
    assert database.value("SELECT ended_at IS NOT NULL FROM portal.staff_sign_in")


def test_a_residents_cookie_opens_nothing_at_the_desk(resident, arrive, desk_app):
    intruder = arrive(app=desk_app)
    cookie = resident.client.get_cookie("portal", domain="localhost")
    intruder.client.set_cookie("desk", cookie.value, domain="localhost")
    assert intruder.visit("/desk").h1 == "Sign in to the desk"


def test_a_clerk_signs_in_too(arrive, desk_app, employ, gateways):
    employ(CLERK, StaffRole.CLERK)
    clerk = types_the_code(arrive(CLERK, app=desk_app)).submit(code=app_code(gateways))
    assert clerk.h1 == "Queue"
