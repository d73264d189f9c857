"""Letters by SMTP (RFC 5321), with TLS (RFC 8314, RFC 3207) and a login where the server asks for one."""

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from enum import StrEnum

from portal.gateways.mail.letter import (
    Letter,
    MailboxRefused,
    MailDeferred,
    MailRefused,
    compose,
    mailbox,
    returned_to,
    sender_address,
)

TIME_OUT_SECONDS = 20.0
MESSAGE_TOO_BIG = 552


class Encryption(StrEnum):
    """How the connection is kept private, by the scheme of its URL."""

    NONE = "smtp"
    FROM_THE_START = "smtps"
    STARTTLS = "smtp+starttls"


@dataclass(frozen=True)
class SmtpMailer:
    """Hands each letter to a mail server over a connection of its own."""

    host: str
    port: int
    sender: str
    encryption: Encryption = Encryption.NONE
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    bounces: str | None = None
    """Where letters come back to that can't be delivered; the sender itself when it is not said."""
    tls: ssl.SSLContext = field(default_factory=ssl.create_default_context, repr=False)
    time_out_seconds: float = TIME_OUT_SECONDS

    def send(self, letter: Letter) -> None:
        message = compose(letter, sender=self.sender, sent_at=datetime.now(UTC))
        with self._connection() as connection:
            _hand_over(connection, message, sender=self._returned_to(letter), to=mailbox(letter.to).addr_spec)

    def reach(self) -> None:
        """Connect and log in as for a letter, and send none; raises MailDeferred."""
        with self._connection() as connection:
            connection.noop()

    def _returned_to(self, letter: Letter) -> str:
        """The sender on the envelope, which nobody reads but mail servers (RFC 5321, section 4.4)."""
        if self.bounces is None:
            return sender_address(self.sender).addr_spec
        return returned_to(self.bounces, letter.message_id)

    @contextmanager
    def _connection(self) -> Iterator[smtplib.SMTP]:
        """Whatever goes wrong before the letter is named is not the letter's fault: it waits."""
        try:
            connection = self._connect()
        except (smtplib.SMTPException, OSError) as problem:
            raise MailDeferred(f"The mail server cannot be used now: {problem}") from problem
        try:
            self._prepare(connection)
            yield connection
        finally:
            _leave(connection)

    def _connect(self) -> smtplib.SMTP:
        if self.encryption is Encryption.FROM_THE_START:
            return smtplib.SMTP_SSL(self.host, self.port, timeout=self.time_out_seconds, context=self.tls)
        return smtplib.SMTP(self.host, self.port, timeout=self.time_out_seconds)

    def _prepare(self, connection: smtplib.SMTP) -> None:
        try:
            if self.encryption is Encryption.STARTTLS:
                connection.starttls(context=self.tls)
            if self.username is not None:
                connection.login(self.username, self.password or "")
            connection.ehlo_or_helo_if_needed()
        except (smtplib.SMTPException, OSError) as problem:
            raise MailDeferred(f"The mail server does not let us in: {problem}") from problem


def _hand_over(connection: smtplib.SMTP, message: EmailMessage, *, sender: str, to: str) -> None:
    try:
        connection.send_message(message, from_addr=sender, to_addrs=[to])
    except smtplib.SMTPRecipientsRefused as refused:
        (code, reason), *_ = refused.recipients.values()
        raise _answer(code, reason, for_good=MailboxRefused) from refused
    except smtplib.SMTPSenderRefused as refused:
        # A refused sender is our own setting, not the letter; only its size is the letter's.
        if refused.smtp_code == MESSAGE_TOO_BIG:
            raise _answer(refused.smtp_code, refused.smtp_error) from refused
        raise MailDeferred(f"The mail server refuses our own address: {refused}") from refused
    except smtplib.SMTPResponseException as refused:
        raise _answer(refused.smtp_code, refused.smtp_error) from refused
    except smtplib.SMTPNotSupportedError as refused:
        raise MailRefused("The mail server cannot write to an address in this script") from refused
    except (smtplib.SMTPException, OSError) as problem:
        raise MailDeferred(f"The mail server did not take the letter: {problem}") from problem


def _answer(code: int, reason: bytes | str, *, for_good: type[MailRefused] = MailRefused) -> MailDeferred | MailRefused:
    """RFC 5321 section 4.2.1: 4yz is for now, 5yz is for good."""
    said = f"{code} {reason.decode('utf-8', 'replace') if isinstance(reason, bytes) else reason}"
    return for_good(said) if 500 <= code <= 599 else MailDeferred(said)


def _leave(connection: smtplib.SMTP) -> None:
    """The letter has been taken or not by now; a bad good-bye changes nothing and must not look like a failure."""
    try:
        connection.quit()
    except (smtplib.SMTPException, OSError):
        connection.close()
