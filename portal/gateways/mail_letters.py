"""A letter by e-mail, and how it becomes a message that nothing typed by a person can bend."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr
from typing import Protocol


class MailDeferred(Exception):
    """It did not go out now; it may later."""


class MailRefused(Exception):
    """It will never go out as it is."""


@dataclass(frozen=True)
class Letter:
    """One message to one person. The same letter sent again keeps its message id."""

    to: str
    subject: str
    text: str
    html: str
    message_id: str
    reply_to: str | None = None


class Mailer(Protocol):
    """Sends letters from the city's address."""

    def send(self, letter: Letter) -> None:
        """Hand the letter over; raises MailDeferred (try again) or MailRefused (never)."""
        ...


def compose(letter: Letter, *, sender: str, sent_at: datetime) -> EmailMessage:
    """RFC 5322 message with a text and an HTML part; RFC 3834 marks it as sent by a machine."""
    try:
        to = mailbox(letter.to)
        message = EmailMessage(policy=SMTP if to.addr_spec.isascii() else SMTP.clone(utf8=True))
        message["From"] = sender_address(sender)
        message["To"] = to
        if letter.reply_to:
            message["Reply-To"] = mailbox(letter.reply_to)
        message["Subject"] = one_line(letter.subject)
        message["Message-ID"] = f"<{one_line(letter.message_id).strip('<>')}>"
        message["Date"] = sent_at
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(letter.text)
        message.add_alternative(letter.html, subtype="html")
    except ValueError as problem:  # a lone surrogate, say: no encoding can carry it
        raise MailRefused(f"The letter cannot be written: {problem}") from problem
    return message


def mailbox(address: str) -> Address:
    """Exactly one address, without a display name; the domain in the ASCII form that every server knows."""
    local, _, domain = address.strip().rpartition("@")
    if not local or not domain or any(_is_unprintable(c) or c.isspace() for c in address.strip()):
        raise MailRefused("That is not one e-mail address")
    try:
        return Address(username=local, domain=domain.encode("idna").decode())
    except UnicodeError as problem:
        raise MailRefused("The part after the @ is not a domain") from problem


def sender_address(sender: str) -> Address:
    """The one address of a From line such as `City of Benson <animals@example.gov>`; ValueError if it is not one."""
    name, address = parseaddr(sender)
    if not address or one_line(sender) != sender:
        raise ValueError(f"Not a sender's address: {sender!r}")
    return Address(display_name=name, addr_spec=address)


def one_line(text: str) -> str:
    """Text for a header or a console: whatever breaks lines or reorders them becomes a blank."""
    return " ".join("".join(" " if _is_unprintable(c) else c for c in text).split())


def _is_unprintable(character: str) -> bool:
    category = unicodedata.category(character)
    return category in {"Cc", "Zl", "Zp"} or "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069"
