"""Every key can be changed while people work: the new one beside the old one, and the old one dropped later."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.desk_app import create_desk
from portal.gateways.payments.processor import BadSignature
from portal.gateways.payments.stripe_checkout import StripeCheckout, sign_event
from portal.gateways.sealing import Sealing
from portal.gateways.storage.s3 import s3_client
from portal.gateways.texts.incoming import BadTextSignature, read_incoming, sign_incoming
from portal.gateways.totp import code_at
from portal.schema.staff import Staff
from portal.services.reminders.signed_links import Purpose, account_in, signed
from portal.services.staff.members import reseal_apps
from tests.support.desk import SECRET, types_the_code

NEW = "the-next-key-for-tests-that-is-long-enough"
EVENT = '{"type": "not.ours"}'


@pytest.fixture
def restart(make_app, settings):
    """The portal is started again with other keys; a browser goes on where it was."""

    def restart(person, *keys):
        person.client.application = make_app(secret_keys=keys or (NEW, settings.secret_keys[0]))

    return restart


def test_a_sign_in_and_an_open_form_survive_a_new_key(resident, registrations, restart):
    registrations.dog()
    resident.visit("/me/details")
    restart(resident)
    resident.submit(owner_name="Pat Moe", status=None)
    assert "This page was open a long time" not in resident.text
    assert resident.answer.status_code in (200, 422)
    resident.visit("/dogs")
    assert resident.path == "/dogs"


def test_who_signed_in_under_the_new_key_stays_when_the_old_one_is_dropped(make_app, settings, arrive, restart):
    early, late = arrive("early@example.com"), arrive("late@example.com", app=make_app(secret_keys=(NEW, "o" * 32)))
    early.sign_in()
    late.sign_in()
    for person in (early, late):
        restart(person, NEW)
        person.visit("/dogs")
    assert late.path == "/dogs"
    assert early.path.startswith("/sign-in")


def test_a_code_that_was_asked_for_before_is_good_after(visitor, outbox, restart):
    visitor.visit("/sign-in?next=/register").submit(email="gavin@example.com")
    restart(visitor)
    visitor.submit(code=outbox.code("gavin@example.com"), status=None)
    assert not visitor.path.startswith("/sign-in")


def test_a_link_in_a_letter_is_good_as_long_as_its_key_is_there(registrations):
    account_id = registrations.account("pat@example.com")
    link = signed(account_id, Purpose.STOP, key="old")
    assert account_in(link, Purpose.STOP, keys=["new", "old"]) == account_id
    assert account_in(link, Purpose.STOP, keys=["new"]) is None


def test_staff_stay_signed_in_and_their_apps_work_when_the_old_key_is_gone(
    officer, employ, arrive, settings, desk_gateways, desk_app, desk_engine, clock
):
    def desk(*keys):
        return create_desk(replace(settings, secret_keys=keys), gateways=desk_gateways)

    old = settings.secret_keys[0]
    officer.client.application = desk(NEW, old)
    assert officer.visit("/desk").path == "/desk"
    with Session(desk_engine) as session, session.begin():
        assert reseal_apps(session, sealing=Sealing((NEW, old))) == (1, [])
    clock.move_to(clock.now() + timedelta(minutes=1))
    again = arrive(officer.email, app=desk(NEW))
    types_the_code(again).submit(code=code_at(SECRET, clock.now()))
    assert again.path == "/desk"


def test_an_app_that_was_not_sealed_anew_is_named(employ, desk_engine):
    employ("officer@example.com")
    with Session(desk_engine) as session, session.begin():
        assert reseal_apps(session, sealing=Sealing((NEW,))) == (0, ["officer@example.com"])
        assert session.scalar(select(Staff.app_secret)) is not None


def test_two_secrets_of_the_processor_hold_while_one_is_changed():
    processor = StripeCheckout(secret_key="sk", webhook_secret="whsec_new, whsec_old")
    for secret in ("whsec_new", "whsec_old"):
        assert processor.read_event(EVENT.encode(), sign_event(EVENT, secret=secret)) is None
    for other in ("whsec_other", "whsec_new, whsec_old", ""):
        with pytest.raises(BadSignature):
            processor.read_event(EVENT.encode(), sign_event(EVENT, secret=other))


def test_two_secrets_of_the_sender_of_texts_hold_while_one_is_changed(clock):
    body, at = b'{"from": "+13205550142", "text": "STOP"}', str(int(clock.now().timestamp()))

    def read(secret):
        signature = sign_incoming(body, at, secret=secret)
        return read_incoming(body, timestamp=at, signature=signature, secret="new,old", now=clock.now()).words

    assert [read("new"), read("old")] == ["STOP", "STOP"]
    with pytest.raises(BadTextSignature):
        read("new,old")


def test_the_file_store_is_asked_with_the_keys_of_the_environment_at_the_start(monkeypatch):
    """Both hold at the store while the processes are started again, one after the other."""
    for key in ("AKIDOLD", "AKIDNEW"):
        monkeypatch.setattr("boto3.DEFAULT_SESSION", None)  # as in a new process
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", key)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        client = s3_client(endpoint="http://127.0.0.1:9", region="us-east-1", style="path")
        assert key in client.generate_presigned_url("get_object", Params={"Bucket": "b", "Key": "k"})
