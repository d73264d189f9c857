"""People answer a text: STOP in any words is honoured at once (TCPA, example 63)."""

import json
from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from portal.gateways.texts.incoming import sign_incoming
from portal.schema.reminders import ReminderChoice
from portal.services.messages.reminder_choices import Choices, choose

PHONE = "+13205550142"


@pytest.fixture
def agreed(registrations, gateways, clock):
    """Pat has agreed to texts."""
    account_id = registrations.account("pat@example.com")
    with Session(gateways.engine) as session, session.begin():
        choose(session, Choices(wants_texts=True, phone=PHONE), account_id=account_id, clock=clock)


@pytest.fixture
def text_in(app, settings, clock):
    """Somebody texts the city; the provider's answer status."""

    def text_in(words, phone=PHONE, *, secret=settings.sms.secret, at=None, body=None):
        body = body if body is not None else json.dumps({"from": phone, "text": words}).encode()
        timestamp = str(int((at or clock.now()).timestamp()))
        headers = {
            "X-Portal-Timestamp": timestamp,
            "X-Portal-Signature": sign_incoming(body, timestamp, secret=secret),
        }
        return app.test_client().post("/sms/incoming", data=body, headers=headers).status_code

    return text_in


@pytest.fixture
def replies(outbox):
    """The templates of the texts that went to the phone since it was agreed."""
    return lambda: [message.template for message in outbox.messages(to=PHONE)][1:]


@pytest.mark.parametrize("words", ["STOP", "please stop texting", "unsubscribe", "Quit"])
def test_example_63_please_stop_texting_is_stop(agreed, text_in, replies, database, words):
    assert text_in(words) == 200
    (choice,) = database.all(ReminderChoice)
    assert choice.sms_stopped_at is not None
    assert choice.stopped_at is None, "reminders still come by letter"
    assert replies() == ["stopped"]


def test_start_counts_where_somebody_had_agreed(agreed, text_in, replies, database):
    text_in("STOP")
    text_in("START")
    (choice,) = database.all(ReminderChoice)
    assert choice.sms_stopped_at is None
    assert replies() == ["stopped", "agreed"]


def test_start_from_a_phone_that_never_agreed_is_no_agreement(text_in, outbox, database):
    assert text_in("START", "+13205550199") == 200
    assert database.all(ReminderChoice) == []
    assert [message.template for message in outbox.messages(to="+13205550199")] == ["help"]


@pytest.mark.parametrize("words", ["HELP", "is the office open on Friday?"])
def test_anything_else_hears_whom_to_call(agreed, text_in, replies, words):
    text_in(words)
    assert replies() == ["help"]


def test_a_machine_that_answers_by_itself_is_not_answered_without_end(agreed, text_in, replies, database):
    for _ in range(10):
        assert text_in("I am away") == 200
    assert len(replies()) == 6
    text_in("stop")
    (choice,) = database.all(ReminderChoice)
    assert choice.sms_stopped_at is not None


def test_what_the_provider_did_not_sign_is_refused(agreed, text_in, database, clock):
    before = database.content()
    assert text_in("STOP", secret="another") == 400
    assert text_in("STOP", at=clock.now() - timedelta(minutes=6)) == 400
    assert text_in("STOP", at=clock.now() + timedelta(minutes=6)) == 400
    assert database.content() == before


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"from": "x", "text": "STOP"}', b"\xff", b"null"])
def test_what_is_no_text_is_refused(agreed, text_in, database, body):
    before = database.content()
    assert text_in("", body=body) == 400
    assert database.content() == before
