"""Letters become messages that nothing typed by a person can bend (case E1); without a server they are files."""

from datetime import UTC, datetime
from email import message_from_bytes, message_from_string
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from portal.gateways.mail.door import FileMailer, Letter, MailDeferred, MailRefused, SmtpMailer, mailer_from
from portal.gateways.mail.letter import compose

SENDER = "City of Benson, Animals <animals@example.gov>"
AT = datetime(2026, 1, 1, 0, 30, tzinfo=UTC)


def letter(**changes: str) -> Letter:
    words = {
        "to": "gavin@example.com",
        "subject": "Pepper’s license",
        "text": "Pepper is licensed.\n",
        "html": "<p>Pepper is licensed.</p>",
        "message_id": "7c9e@example.gov",
    }
    return Letter(**(words | changes))


def as_received(message: EmailMessage) -> EmailMessage:
    return message_from_string(message.as_bytes().decode(), policy=default)


def test_a_letter_has_both_parts_and_says_that_a_machine_sent_it():
    message = as_received(
        compose(letter(reply_to="clerk@example.gov"), sender='"City, of" <a@example.gov>', sent_at=AT)
    )
    assert message["From"] == '"City, of" <a@example.gov>'
    assert message["To"] == "gavin@example.com"
    assert message["Reply-To"] == "clerk@example.gov"
    assert message["Message-ID"] == "<7c9e@example.gov>"
    assert message["Date"].datetime == AT
    assert message["Auto-Submitted"] == "auto-generated"
    assert message.get_body(("plain",)).get_content().split() == ["Pepper", "is", "licensed."]
    assert message.get_body(("html",)).get_content().strip() == "<p>Pepper is licensed.</p>"


def test_a_reminder_can_be_stopped_with_one_click_in_the_mail_program():
    """RFC 2369, RFC 8058."""
    stopped = as_received(compose(letter(unsubscribe_url="https://x.example/stop"), sender=SENDER, sent_at=AT))
    assert stopped["List-Unsubscribe"] == "<https://x.example/stop>"
    assert stopped["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert as_received(compose(letter(), sender=SENDER, sent_at=AT))["List-Unsubscribe"] is None


@pytest.mark.parametrize(
    ("typed", "arrives"),
    [
        pytest.param("Rex\r\nBcc: all@evil.example", "Rex Bcc: all@evil.example", id="E1 a line break and Bcc"),
        pytest.param("Rex\n\n<script>", "Rex <script>", id="E1 the end of the headers"),
        pytest.param("Rex\u2028Bcc: x\x0b\x00y", "Rex Bcc: x y", id="other breaks and a null"),
        pytest.param("\u202egnp.xeR", "gnp.xeR", id="text that runs backwards"),
        pytest.param("[Pay now](http://evil.example)", "[Pay now](http://evil.example)", id="E1 a link"),
        pytest.param("🐶 Bailey Nguyễn O’Brien", "🐶 Bailey Nguyễn O’Brien", id="I5 names as typed"),
        pytest.param("=?utf-8?q?a=0D=0ABcc:x?=", "=?utf-8?q?a=0D=0ABcc:x?=", id="a line break in disguise"),
        pytest.param("Nguyễn 🐶 " * 40, " ".join(["Nguyễn 🐶"] * 40), id="very long"),
        pytest.param("x" * 2000, "x" * 2000, id="very long without a blank"),
    ],
)
def test_a_subject_is_one_line_of_text(typed, arrives):
    message = as_received(compose(letter(subject=typed), sender=SENDER, sent_at=AT))
    assert message["Subject"] == arrives
    assert message["Bcc"] is None
    assert len(message["To"].addresses) == 1
    assert message.get_body(("plain",)).get_content().split() == ["Pepper", "is", "licensed."]


@pytest.mark.parametrize(
    ("typed", "arrives"),
    [
        ("gavin+dogs@example.com", "gavin+dogs@example.com"),
        ("o'brien@example.com", "o'brien@example.com"),
        ("gavin@exämple.com", "gavin@xn--exmple-cua.com"),
        ("фото@example.com", "фото@example.com"),
        ("a,evil@example.com", '"a,evil"@example.com'),
    ],
)
def test_a_letter_goes_to_one_address_as_typed(typed, arrives):
    message = as_received(compose(letter(to=typed), sender=SENDER, sent_at=AT))
    assert [address.addr_spec for address in message["To"].addresses] == [arrives]


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "gavin",
        "@example.com",
        "gavin@",
        "gavin@example.com\r\nBcc: all@evil.example",
        "gavin@example.com, evil@evil.example",
        "Gavin <gavin@example.com>",
        "gavin@exa mple.com",
        "gavin@example..com",
        "gavin@example.com>",
        "\ud800@example.com",
    ],
)
def test_what_is_not_one_address_is_refused_for_good(typed):
    with pytest.raises(MailRefused):
        compose(letter(to=typed), sender=SENDER, sent_at=AT).as_bytes()


def test_text_that_no_encoding_can_carry_is_refused_for_good():
    with pytest.raises(MailRefused):
        compose(letter(text="\ud800"), sender=SENDER, sent_at=AT)


def test_without_a_server_letters_are_files_and_are_announced(tmp_path):
    said: list[str] = []
    mailer = mailer_from(None, sender=SENDER, folder=tmp_path / "mail", announce=said.append)
    mailer.send(letter(subject="Your code is\n204713"))
    mailer.send(letter(subject="фото"))
    first, second = sorted((tmp_path / "mail").iterdir())
    assert said[0] == f"Mail to gavin@example.com: Your code is 204713 ({first})"
    assert message_from_bytes(first.read_bytes(), policy=default)["Subject"] == "Your code is 204713"
    assert message_from_bytes(second.read_bytes(), policy=default)["Subject"] == "фото"


def test_a_folder_that_cannot_be_written_is_tried_again_later(tmp_path):
    (tmp_path / "mail").write_text("in the way")
    with pytest.raises(MailDeferred):
        FileMailer(tmp_path / "mail", SENDER, announce=print).send(letter())


@pytest.mark.parametrize(
    ("url", "port", "username", "password"),
    [
        ("smtp://mail.example.gov", 25, None, None),
        ("smtps://mail.example.gov", 465, None, None),
        ("smtp+starttls://city%40example.gov:p%3A%2F%40ss@mail.example.gov", 587, "city@example.gov", "p:/@ss"),
        ("smtp://me:hush@localhost:2525", 2525, "me", "hush"),
    ],
)
def test_the_address_of_the_mail_server(url, port, username, password):
    mailer = mailer_from(url, sender=SENDER, folder=Path("unused"), announce=print)
    assert isinstance(mailer, SmtpMailer)
    assert (mailer.port, mailer.username, mailer.password) == (port, username, password)
    assert password is None or password not in repr(mailer)


@pytest.mark.parametrize(
    ("url", "sender"),
    [
        pytest.param("mail.example.gov", SENDER, id="no scheme"),
        pytest.param("imap://mail.example.gov", SENDER, id="not for sending"),
        pytest.param("smtp://", SENDER, id="no host"),
        pytest.param("smtp://city:secret@mail.example.gov", SENDER, id="a password for all to read"),
        pytest.param("smtps://mail.example.gov", "City of Benson", id="a sender without an address"),
        pytest.param("smtps://mail.example.gov", "a@example.gov\nBcc: b@example.gov", id="a sender of two lines"),
    ],
)
def test_settings_that_cannot_work_stop_the_start(url, sender):
    with pytest.raises(ValueError, match=r"MAIL_URL|sender"):
        mailer_from(url, sender=sender, folder=Path("unused"), announce=print)
