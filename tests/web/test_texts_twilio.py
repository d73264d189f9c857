"""Twilio delivers what people answer and what became of a text; nobody else can."""

import hashlib
import hmac
from base64 import b64encode
from dataclasses import replace

import pytest
from sqlalchemy.orm import Session

from portal.schema.reminders import ReminderChoice
from portal.services.messages.reminder_choices import Choices, choose

PHONE = "+13205550142"
TOKEN = "a-token-of-twilio"


@pytest.fixture
def agreed(registrations, gateways, clock):
    """Pat has agreed to texts."""
    account_id = registrations.account("pat@example.com")
    with Session(gateways.engine) as session, session.begin():
        choose(session, Choices(wants_texts=True, phone=PHONE), account_id=account_id, clock=clock)


@pytest.fixture
def calls(make_app, settings):
    """Twilio calls one of our addresses with a form; the answer."""
    client = make_app(sms=replace(settings.sms, twilio_token=TOKEN)).test_client()

    def calls(path, *, token=TOKEN, signed_for=settings.base_url, **form):
        told = f"{signed_for}{path}" + "".join(name + form[name] for name in sorted(form))
        signature = b64encode(hmac.new(token.encode(), told.encode(), hashlib.sha1).digest()).decode()
        return client.post(path, data=form, headers={"X-Twilio-Signature": signature})

    return calls


def stopped(database):
    [choice] = database.all(ReminderChoice)
    return choice.sms_stopped_at is not None


def answers(outbox):
    return [message.template for message in outbox.messages(to=PHONE)][1:]


def test_stop_counts_and_is_answered_once(agreed, calls, database, outbox):
    answer = calls("/sms/twilio/incoming", From=PHONE, Body="Stop texting me", MessageSid="SM1")
    assert (answer.status_code, answer.mimetype) == (200, "text/xml")
    assert stopped(database)
    assert answers(outbox) == ["stopped"]


def test_what_twilio_answered_itself_is_not_answered_again(agreed, calls, database, outbox):
    calls("/sms/twilio/incoming", From=PHONE, Body="STOP", OptOutType="STOP")
    assert stopped(database)
    assert answers(outbox) == []


@pytest.mark.parametrize("path", ["/sms/twilio/incoming", "/sms/twilio/status"])
@pytest.mark.parametrize(
    "forged", [{"token": "another"}, {"signed_for": "https://elsewhere.example"}], ids=["another token", "elsewhere"]
)
def test_what_twilio_did_not_sign_for_our_address_changes_nothing(agreed, calls, database, path, forged):
    form = {"From": PHONE, "To": PHONE, "Body": "STOP", "MessageStatus": "undelivered", "ErrorCode": "30005"}
    assert calls(path, **forged, **form).status_code == 403
    assert not stopped(database)


def test_a_phone_that_no_text_will_reach_gets_none_any_more(agreed, calls, database):
    calls("/sms/twilio/status", To=PHONE, MessageStatus="undelivered", ErrorCode="30003")
    assert not stopped(database), "it was off"
    calls("/sms/twilio/status", To=PHONE, MessageStatus="delivered")
    assert not stopped(database)
    calls("/sms/twilio/status", To=PHONE, MessageStatus="undelivered", ErrorCode="30005")
    assert stopped(database)


def test_where_twilio_is_not_the_provider_there_is_no_such_page(app):
    for path in ("/sms/twilio/incoming", "/sms/twilio/status"):
        assert app.test_client().post(path, data={"From": PHONE, "Body": "STOP"}).status_code == 404
