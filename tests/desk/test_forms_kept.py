"""What is typed at the desk is not lost with the sign-in: it is there again for its writer, and for nobody else."""

from datetime import timedelta

import pytest

from portal.schema.staff import StaffRole
from portal.services.desk.kept_answers import LASTS
from portal.views.desk.identity import IDLE
from tests.support.desk import CLERK, OFFICER, app_code, types_the_code
from tests.support.documents import corners, saved

WORDS = "We went there at nine.\nNobody was home."
STAY = {"species": "dog", "place": "Behind the school", "basis": "at_large"}


@pytest.fixture
def report(officer, reporting):
    """An officer has a report open."""
    sent = reporting.send()
    officer.visit(f"/desk/reports/{sent.id}")
    return sent


@pytest.fixture
def an_hour_passes(clock):
    return lambda: clock.move_to(clock.now() + IDLE + timedelta(minutes=1))


def signs_in(person, gateways, email=None):
    """Both steps, from the page that asks for the mailbox."""
    person.email = email or person.email
    person.submit(email=person.email)
    code = person.outbox.messages(to=person.email, template="staff_code")[-1].context["code"]
    return person.submit(code=code).submit(code=app_code(gateways))


def test_what_was_typed_after_an_hour_is_there_again_and_can_be_sent(
    officer, report, an_hour_passes, gateways, database
):
    an_hour_passes()
    before = database.content(except_for=("portal.desk_kept_answers", "portal.rate_limit", "portal.desk_rate_limit"))
    officer.submit(button="Say how it stands", words=WORDS)
    assert officer.path == f"/desk/sign-in?next=/desk/reports/{report.id}"
    assert "What you typed is kept: sign in as the same person" in officer.text
    unchanged = database.content(except_for=("portal.desk_kept_answers", "portal.rate_limit", "portal.desk_rate_limit"))
    assert unchanged == before
    signs_in(officer, gateways)
    assert officer.path == f"/desk/reports/{report.id}"
    assert officer.page.values["words"][0].split() == WORDS.split()
    assert "What you typed is here again, and nothing was done with it yet." in officer.page.html
    officer.submit(button="Say how it stands")
    assert database.value("SELECT text FROM animal_control.report_update") == WORDS
    assert database.value("SELECT count(*) FROM portal.desk_kept_answers") == 0
    assert "What you typed is here again" not in officer.visit(f"/desk/reports/{report.id}").page.html


def test_the_next_person_at_this_computer_never_sees_it(officer, report, an_hour_passes, gateways, employ, database):
    employ("moen@benson.example", StaffRole.OFFICER)
    an_hour_passes()
    officer.submit(button="Say how it stands", words=WORDS)
    signs_in(officer, gateways, email="moen@benson.example")
    assert officer.path == f"/desk/reports/{report.id}"
    assert "Nobody was home" not in officer.page.html
    assert "What you typed" not in officer.page.html


def test_in_another_browser_it_is_not_there(officer, report, an_hour_passes, gateways, arrive, desk_app):
    an_hour_passes()
    officer.submit(button="Say how it stands", words=WORDS)
    elsewhere = types_the_code(arrive(OFFICER, app=desk_app)).submit(code=app_code(gateways))
    assert "Nobody was home" not in elsewhere.visit(f"/desk/reports/{report.id}").page.html


def test_it_lies_sealed_and_is_swept(officer, report, an_hour_passes, database, clock):
    an_hour_passes()
    officer.submit(button="Say how it stands", words=WORDS)
    [kept] = database.rows("SELECT sealed, token_hash FROM portal.desk_kept_answers")
    assert "Nobody" not in kept.sealed
    with officer.client.session_transaction(base_url=officer.origin) as cookie:
        assert cookie["kept"]["token"] not in (kept.token_hash, kept.sealed)
        assert "Nobody" not in str(dict(cookie))


def test_what_no_page_of_ours_sent_is_not_kept(officer, report, an_hour_passes, database):
    an_hour_passes()
    officer.client.post(f"/desk/reports/{report.id}", data={"words": WORDS})
    officer.client.post(f"/desk/reports/{report.id}", data={"words": WORDS, "csrf_token": "forged"})
    assert database.value("SELECT count(*) FROM portal.desk_kept_answers") == 0


def test_whoever_signed_out_leaves_nothing_and_a_stranger_keeps_nothing(officer, report, arrive, desk_app, database):
    page = officer.page
    officer.visit("/desk/sign-in/out").submit()
    token = page.values["csrf_token"][0]
    officer.client.post(f"/desk/reports/{report.id}", data={"words": WORDS, "csrf_token": token})
    arrive(app=desk_app).client.post(f"/desk/reports/{report.id}", data={"words": WORDS})
    assert database.value("SELECT count(*) FROM portal.desk_kept_answers") == 0


def test_a_picture_that_was_chosen_is_kept_and_sent_along(officer, an_hour_passes, gateways, database):
    picture = saved(corners(64, 48), "JPEG")
    officer.visit("/desk/pound/new")
    an_hour_passes()
    officer.submit(STAY | {"file": (picture, "brown dog.jpg")})
    signs_in(officer, gateways)
    assert officer.path == "/desk/pound/new"
    assert "brown dog.jpg is kept too" in officer.page.html
    assert officer.page.values["place"] == ["Behind the school"]
    officer.submit()
    assert database.value("SELECT photo_id IS NOT NULL FROM animal_control.impoundment")


def test_a_mistake_after_it_came_back_loses_neither(officer, an_hour_passes, gateways, database):
    officer.visit("/desk/pound/new")
    an_hour_passes()
    officer.submit(STAY | {"file": (saved(corners(64, 48), "JPEG"), "brown dog.jpg")})
    signs_in(officer, gateways)
    officer.submit(species="", status=422)
    officer.submit(species="dog")
    assert database.value("SELECT photo_id IS NOT NULL FROM animal_control.impoundment")


def test_it_waits_two_days(officer, report, an_hour_passes, gateways, clock):
    an_hour_passes()
    officer.submit(button="Say how it stands", words=WORDS)
    clock.move_to(clock.now() + LASTS + timedelta(minutes=1))
    officer.visit(f"/desk/sign-in?next=/desk/reports/{report.id}")
    signs_in(officer, gateways)
    assert "Nobody was home" not in officer.page.html


def test_reasons_that_were_chosen_are_chosen_again(working, registrations, an_hour_passes, gateways):
    clerk = working(CLERK, StaffRole.CLERK)
    dog = registrations.dog()
    clerk.visit(f"/desk/certificates/{dog.vaccination_id}")
    an_hour_passes()
    clerk.submit(button="Send back", own_words="The lot is missing.", reason="cut_off")
    signs_in(clerk, gateways)
    assert clerk.page.values["own_words"] == ["The lot is missing."]
    assert clerk.page.values["reason"] == ["cut_off"]
