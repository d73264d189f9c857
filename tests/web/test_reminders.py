"""What people want of reminders: chosen when signed in, stopped by one click without (RFC 8058, TCPA)."""

from datetime import datetime
from uuid import uuid4

import pytest

from portal.schema.reminders import ReminderChoice
from portal.services.messages.reminder_choices import CONSENT, CONSENTS
from portal.services.reminders.signed_links import Purpose, account_in, signed
from tests.support.portal import CHICAGO

PAT = "pat@example.com"
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def pepper(registrations):
    return registrations.licensed()


@pytest.fixture
def token(pepper, settings):
    """Makes the token of a link in a letter to Pepper's keeper."""

    def token(purpose=Purpose.STOP):
        return signed(pepper.account_id, purpose, key=settings.secret_keys[0])

    return token


@pytest.fixture
def choice(database):
    """What the one account has chosen."""

    def choice():
        (found,) = database.all(ReminderChoice)
        return found

    return choice


def test_reminders_are_stopped_without_signing_in_and_wanted_again(visitor, token, choice):
    visitor.visit(f"/reminders/stop/{token()}")
    assert visitor.h1 == "Stop reminders?"
    visitor.submit(button="Stop reminders")
    assert visitor.h1 == "Reminders are stopped"
    assert choice().stopped_at is not None
    visitor.submit(button="Send me reminders again")
    assert visitor.h1 == "Stop reminders?"
    assert choice().stopped_at is None


def test_looking_at_the_link_changes_nothing_and_shows_nobody(visitor, token, database, pepper):
    for path in (f"/reminders/stop/{token()}", f"/reminders/stop/{token()}/one-click"):
        visitor.visit(path)
        assert not any(told in visitor.page.html for told in (PAT, "Pepper", "O’Brien", str(pepper.animal_id)))
    assert database.all(ReminderChoice) == []


def test_the_mail_program_stops_them_with_one_request(app, token, choice):
    answer = app.test_client().post(f"/reminders/stop/{token()}/one-click", data=ONE_CLICK)
    assert (answer.status_code, answer.text) == (200, "stopped")
    assert choice().stopped_at is not None
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "body",
    [pytest.param({}, id="a post that says nothing"), pytest.param({"List-Unsubscribe": "x"}, id="another word")],
)
def test_any_other_post_is_no_click(app, token, database, body):
    assert app.test_client().post(f"/reminders/stop/{token()}/one-click", data=body).status_code == 400
    assert database.all(ReminderChoice) == []


def test_a_link_that_nobody_signed_stops_nothing(app, visitor, token, database):
    forged = [signed(uuid4(), Purpose.STOP, key="x" * 40), token()[:-2], token(Purpose.OPEN), "a", "é", "-" * 200]
    for one in forged:
        visitor.visit(f"/reminders/stop/{one}", status=410)
        visitor.visit(f"/reminders/again/{one}", status=410)
        assert app.test_client().post(f"/reminders/stop/{one}/one-click", data=ONE_CLICK).status_code == 400
    assert database.all(ReminderChoice) == []


def test_links_outlive_a_change_of_the_secret_key():
    account_id = uuid4()
    link = signed(account_id, Purpose.STOP, key="the old key")
    assert account_in(link, Purpose.STOP, keys=["the new key", "the old key"]) == account_id
    assert account_in(link, Purpose.STOP, keys=["the new key"]) is None


def test_a_reminder_opens_the_page_once_the_mailbox_is_proved(visitor, token, pepper, outbox):
    visitor.visit(f"/reminders/open/{token(Purpose.OPEN)}/dogs/{pepper.animal_id}/renew")
    assert visitor.h1 == "Go on from your reminder"
    assert PAT not in visitor.page.html
    assert "Pepper" not in visitor.page.html
    visitor.submit(button="Send me the code")
    assert "the mailbox that got the reminder" in visitor.text
    assert PAT not in visitor.page.html
    assert PAT.encode().hex() not in visitor.answer.headers.get("Set-Cookie", "").encode().hex()
    visitor.submit(code=outbox.code(PAT))
    assert visitor.path == f"/dogs/{pepper.animal_id}/renew"


def test_whoever_is_signed_in_goes_straight_on(resident, token, pepper):
    resident.visit(f"/reminders/open/{token(Purpose.OPEN)}/dogs/{pepper.animal_id}/gone")
    assert resident.path == f"/dogs/{pepper.animal_id}/gone"


def test_somebody_else_gets_nothing_out_of_the_link(another_resident, token, pepper):
    another_resident.visit(f"/reminders/open/{token(Purpose.OPEN)}/dogs/{pepper.animal_id}/renew")
    assert another_resident.h1 == "Go on from your reminder"
    assert "Pepper" not in another_resident.page.html


@pytest.mark.parametrize("wanted", ["/evil.example/dogs", "\\evil.example", "dogs"])
def test_a_link_opens_pages_of_the_portal_alone(visitor, token, wanted):
    visitor.visit(f"/reminders/open/{token(Purpose.STOP)}/{wanted}", status=None)
    assert visitor.path.startswith("/sign-in")


def test_texts_are_agreed_to_by_a_box_that_is_not_ticked(resident, choice, database, outbox):
    resident.visit("/dogs").click("Reminders")
    assert "checked" not in str(resident.page.html).split('name="wants_texts"')[1].split(">")[0]
    consent = CONSENTS[CONSENT].format(city="City of Benson")
    assert consent in resident.text
    resident.submit(wants_reminders="yes", wants_texts=True, phone="(320) 555-0142")
    assert "What you chose is kept." in resident.text
    kept = choice()
    assert (kept.sms_phone, kept.sms_consent_text) == ("+13205550142", CONSENT)
    assert kept.sms_consented_at is not None
    assert [message.to for message in outbox.messages(template="agreed")] == ["+13205550142"]


def test_the_words_somebody_agreed_to_are_kept_for_good():
    assert set(CONSENTS) == {"2026-11"}
    assert "automated texts" in CONSENTS["2026-11"]
    assert "not a condition" in CONSENTS["2026-11"]


def test_a_phone_is_needed_for_texts_and_read_as_it_is_typed(resident, database):
    resident.visit("/reminders").submit(wants_reminders="yes", wants_texts=True, status=422)
    assert resident.errors == ["Enter the phone number that we may text"]
    resident.submit(wants_texts=True, phone="555", status=422)
    assert resident.title.startswith("Error: ")
    assert database.all(ReminderChoice) == []


def test_another_phone_is_another_agreement(resident, choice, outbox, clock):
    resident.visit("/reminders").submit(wants_reminders="yes", wants_texts=True, phone="320-555-0142")
    first = choice().sms_consented_at
    clock.move_to(datetime(2026, 12, 1, 10, tzinfo=CHICAGO))
    resident.visit("/reminders").submit(phone="320-555-0143")
    assert choice().sms_phone == "+13205550143"
    assert choice().sms_consented_at > first
    resident.visit("/reminders").submit(wants_texts=False)
    assert choice().sms_stopped_at is not None
    assert len(outbox.messages(template="agreed")) == 2


def test_a_choice_that_changes_nothing_writes_nothing(resident, database):
    resident.visit("/reminders").submit(wants_reminders="yes")
    assert database.all(ReminderChoice) == []
    resident.visit("/reminders").submit(wants_reminders="no")
    assert len(database.all(ReminderChoice)) == 1
    assert "wants_reminders" in resident.page.html


def test_a_city_without_texts_offers_none(make_app, arrive, settings):
    app = make_app()
    app.config["OFFERS_TEXTS"] = False
    someone = arrive(app=app).sign_in(then="/reminders")
    assert "Texts" not in someone.text
    someone.submit(wants_reminders="no")
    assert "What you chose is kept." in someone.text
