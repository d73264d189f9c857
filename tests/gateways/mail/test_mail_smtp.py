"""Letters handed to a real SMTP server: what is for now, what is for good, and what stays private."""

import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from portal.gateways.mail.door import Letter, MailboxRefused, MailDeferred, MailRefused
from portal.gateways.mail.smtp import Encryption, SmtpMailer

LETTER = Letter(
    to="gavin@example.com",
    subject="Pepper’s license 🐶",
    text="Pepper is licensed.\n.\nReally.\n",
    html="<p>Pepper is licensed.</p>",
    message_id="7c9e@example.gov",
)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@dataclass
class Postman:
    """Takes letters, or answers a step of the conversation as it is told to."""

    says: dict[str, str] = field(default_factory=dict)
    taken: list[Envelope] = field(default_factory=list)

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return self.says.get("MAIL", "250 OK")

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.rcpt_tos.append(address)
        return self.says.get("RCPT", "250 OK")

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.says.get("DATA") == "hang up":
            server.transport.close()
            return "421 Gone"
        self.taken.append(envelope)
        return self.says.get("DATA", "250 Taken")

    async def handle_QUIT(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        return self.says.get("QUIT", "221 Bye")


@dataclass
class PostOffice:
    """A running server and a mailer that knows its address."""

    postman: Postman
    mailer: SmtpMailer


@pytest.fixture
def post_office() -> Iterator[Callable[..., PostOffice]]:
    """Opens a server with the options given to aiosmtpd."""
    open_now: list[Controller] = []

    def begin(**options: object) -> PostOffice:
        controller = Controller(Postman(), hostname="127.0.0.1", port=free_port(), **options)  # type: ignore[arg-type]
        controller.start()
        open_now.append(controller)
        mailer = SmtpMailer("127.0.0.1", controller.port, "Benson <animals@example.gov>")
        return PostOffice(controller.handler, replace(mailer, time_out_seconds=60))

    yield begin
    for controller in open_now:
        controller.stop()


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for 127.0.0.1 that only those who are given it trust."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "post office")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(datetime.now(UTC) - timedelta(days=1))
        .not_valid_after(datetime.now(UTC) + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "post-office.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def private(certificate, post_office) -> PostOffice:
    """A server that takes letters only after STARTTLS and a login."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)

    def authenticator(server, session, envelope, mechanism, data) -> AuthResult:
        return AuthResult(success=data == LoginPassword(b"city", b"p@ss"), handled=False)  # the server says so

    office = post_office(tls_context=context, require_starttls=True, auth_required=True, authenticator=authenticator)
    mailer = replace(office.mailer, encryption=Encryption.STARTTLS, username="city", password="p@ss")
    return replace(office, mailer=replace(mailer, tls=ssl.create_default_context(cafile=certificate)))


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A server that takes the call and never speaks."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_a_letter_arrives_whole(post_office):
    office = post_office()
    office.mailer.send(LETTER)
    (taken,) = office.postman.taken
    assert (taken.mail_from, taken.rcpt_tos) == ("animals@example.gov", ["gavin@example.com"])
    message = message_from_bytes(taken.content, policy=default)
    assert message["Subject"] == "Pepper’s license 🐶"
    assert message["Message-ID"] == "<7c9e@example.gov>"
    assert message.get_body(("plain",)).get_content().splitlines() == LETTER.text.splitlines()


def test_a_letter_that_cannot_be_delivered_comes_back_to_an_address_that_names_it(post_office):
    office = post_office()
    replace(office.mailer, bounces="bounces@example.gov").send(LETTER)
    (taken,) = office.postman.taken
    assert taken.mail_from == "bounces+7c9e@example.gov"
    assert message_from_bytes(taken.content, policy=default)["From"].addresses[0].addr_spec == "animals@example.gov"


@pytest.mark.parametrize(("answer", "is_dead"), [("550 5.1.1 No such user", True), ("552 5.2.2 Full", False)])
def test_a_mailbox_that_is_not_there_is_told_from_a_full_one(post_office, answer, is_dead):
    office = post_office()
    office.postman.says["RCPT"] = answer
    with pytest.raises(MailboxRefused) as refused:
        office.mailer.send(LETTER)
    assert refused.value.is_dead is is_dead


def test_e1_a_bent_subject_adds_no_receiver_and_the_next_letter_still_goes(post_office):
    office = post_office()
    office.mailer.send(replace(LETTER, subject="Rex\r\nBcc: all@evil.example\r\n\r\nhello"))
    with pytest.raises(MailRefused):
        office.mailer.send(replace(LETTER, to="a@example.com>\r\nRCPT TO:<all@evil.example"))
    office.mailer.send(LETTER)
    assert [taken.rcpt_tos for taken in office.postman.taken] == [["gavin@example.com"]] * 2


@pytest.mark.parametrize(
    ("step", "answer", "expected"),
    [
        ("RCPT", "550 No such person", MailRefused),
        ("RCPT", "450 Mailbox busy", MailDeferred),
        ("DATA", "554 We do not like it", MailRefused),
        ("DATA", "451 Not now", MailDeferred),
        ("DATA", "hang up", MailDeferred),
        ("MAIL", "552 Too big", MailRefused),
        ("MAIL", "550 You may not send as this", MailDeferred),
        ("MAIL", "451 Not now", MailDeferred),
    ],
)
def test_what_the_server_answers_is_for_now_or_for_good(post_office, step, answer, expected):
    office = post_office()
    office.postman.says[step] = answer
    with pytest.raises(expected):
        office.mailer.send(LETTER)


def test_a_bad_good_bye_does_not_send_a_letter_twice(post_office):
    office = post_office()
    office.postman.says["QUIT"] = "421 Something else"
    office.mailer.send(LETTER)
    assert len(office.postman.taken) == 1


def test_an_address_in_another_script_goes_where_the_server_can_write_it(post_office):
    able, unable = post_office(enable_SMTPUTF8=True), post_office(enable_SMTPUTF8=False)
    able.mailer.send(replace(LETTER, to="фото@example.com"))
    assert able.postman.taken[0].rcpt_tos == ["фото@example.com"]
    with pytest.raises(MailRefused):
        unable.mailer.send(replace(LETTER, to="фото@example.com"))


def test_nobody_at_the_other_end_is_for_now():
    with pytest.raises(MailDeferred):
        SmtpMailer("127.0.0.1", 9, "animals@example.gov").send(LETTER)


def test_a_server_that_says_nothing_is_not_waited_for(silent_port):
    with pytest.raises(MailDeferred):
        SmtpMailer("127.0.0.1", silent_port, "animals@example.gov", time_out_seconds=0.2).send(LETTER)


def test_a_private_letter_goes_by_tls_after_a_login(private):
    private.mailer.send(LETTER)
    assert len(private.postman.taken) == 1


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"password": "wrong"}, id="a wrong password"),
        pytest.param({"tls": ssl.create_default_context()}, id="a certificate nobody vouches for"),
        pytest.param({"encryption": Encryption.FROM_THE_START}, id="TLS where the server does not begin with it"),
    ],
)
def test_our_own_settings_never_cost_a_letter(private, changes):
    with pytest.raises(MailDeferred):
        replace(private.mailer, **changes).send(LETTER)
    assert private.postman.taken == []


def test_a_server_that_lost_its_tls_gets_nothing(post_office):
    office = post_office()
    with pytest.raises(MailDeferred):
        replace(office.mailer, encryption=Encryption.STARTTLS).send(LETTER)
    assert office.postman.taken == []
