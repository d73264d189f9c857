"""What a returned letter says (RFC 3464), and the mailbox it is read from."""

import socket

import pytest

from portal.gateways.mail.bounce_box import BoxUnavailable, ImapBox, bounce_box_from
from portal.gateways.mail.bounces import read_bounce
from portal.gateways.mail.status import is_dead
from tests.support.imap_double import imap_double
from tests.support.returned import answered, returned

TOKEN = "0b0f4c1e-6d0a-4a57-9a43-8d1b8f3f7c11.0123456789ab"
OTHER = "7c9e6679-7425-40de-944b-e07fc1f90ae7.ba9876543210"


def test_the_letter_is_known_by_the_headers_it_quotes():
    bounce = read_bounce(returned(TOKEN))
    assert bounce is not None
    assert (bounce.tokens, bounce.said, bounce.is_dead) == ((TOKEN,), "5.1.1 550 5.1.1 No such user", True)


def test_the_letter_is_known_by_the_address_it_was_returned_to_whatever_its_case():
    bounce = read_bounce(returned("", to=f"BOUNCES+{TOKEN.upper()}@example.gov", quotes="Subject: cut away\n"))
    assert bounce is not None
    assert bounce.tokens == (TOKEN,)


def test_a_letter_quoted_whole_is_known_too():
    whole = returned(TOKEN).replace(b"text/rfc822-headers", b"message/rfc822")
    bounce = read_bounce(whole)
    assert bounce is not None
    assert bounce.tokens == (TOKEN,)


@pytest.mark.parametrize("action", ["delayed", "delivered", "relayed", "expanded"])
def test_what_is_not_a_failure_for_good_is_none(action):
    assert read_bounce(returned(TOKEN, action=action, status="4.4.1")) is None


@pytest.mark.parametrize("content", [answered(TOKEN), b"", b"\xff\x00" * 100, b"Content-Type: multipart/report\n\n"])
def test_what_a_person_writes_or_nobody_can_read_is_none(content):
    assert read_bounce(content) is None


@pytest.mark.parametrize(
    ("said", "dead"),
    [
        ("550 5.1.1 No such user", True),
        ("5.1.10 550 5.1.10 RESOLVER.ADR.RecipientNotFound", True),
        ("550 5.4.1 Recipient address rejected: Access denied", True),
        ("5.2.1 550 The email account that you tried to reach is disabled", True),
        ("550 No such person", True),
        ("5.0.0 554 delivery error", True),
        ("552 5.2.2 Mailbox full", False),
        ("550 5.7.1 We do not like your server", False),
        ("5.3.4 552 Too big", False),
        ("4.4.7 Delivery time expired", False),
        ("450 Mailbox busy", False),
    ],
)
def test_a_mailbox_that_is_not_there_is_told_from_one_that_is_full_or_choosy(said, dead):
    assert is_dead(said) is dead


@pytest.fixture
def box():
    with imap_double() as box:
        yield box


def test_each_notification_is_shown_once_and_letters_of_people_stay_unread(box):
    box.letters = [answered(TOKEN), returned(TOKEN), returned(OTHER)]
    shown: list[bytes] = []
    reader = bounce_box_from(box.url)
    assert reader is not None
    assert reader.each(shown.append) == 2
    assert shown == box.letters[1:]
    assert box.read == {2, 3}
    assert reader.each(shown.append) == 0


def test_one_that_cannot_be_noted_now_is_shown_again(box):
    box.letters = [returned(TOKEN)]
    reader = bounce_box_from(box.url)
    assert reader is not None

    def fails(_: bytes) -> None:
        raise RuntimeError("the database is away")

    with pytest.raises(RuntimeError):
        reader.each(fails)
    assert box.read == set()
    assert reader.each(lambda _: None) == 1


def test_a_wrong_password_or_nobody_there_is_for_now_and_tells_no_secret(box):
    box.password = "changed"
    reader = bounce_box_from(box.url.replace("changed", "hush"))
    assert reader is not None
    with pytest.raises(BoxUnavailable) as told:
        reader.each(lambda _: None)
    assert "hush" not in str(told.value)
    assert "hush" not in repr(reader)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(BoxUnavailable):
        ImapBox("127.0.0.1", silent.getsockname()[1], "a", "b", is_private=False, time_out_seconds=0.2).each(print)


@pytest.mark.parametrize(
    ("url", "tells"),
    [
        ("imap://a:b@mail.example.gov", "unencrypted"),
        ("pop3://a:b@mail.example.gov", "imaps://"),
        ("imaps://mail.example.gov", "imaps://"),
        ("imaps://a:b@mail.example.gov/%22%0d%0a", "folder"),
    ],
)
def test_an_address_that_cannot_work_stops_the_start(url, tells):
    with pytest.raises(ValueError, match=tells):
        bounce_box_from(url)


def test_without_an_address_nothing_is_read():
    assert bounce_box_from(None) is None
