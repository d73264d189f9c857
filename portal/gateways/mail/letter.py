"""A letter by e-mail, and how it becomes a message that nothing typed by a person can bend."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import Protocol

from portal.gateways.mail.status import is_dead

LONGEST_PLAIN_SUBJECT = 60
DOMAIN = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
SENDER = re.compile(r"(?P<name>[^<>]*)<(?P<named>[^<>\s]+@[^<>\s]+)>|(?P<bare>[^<>\s]+@[^<>\s]+)")


class MailDeferred(Exception):
    """It did not go out now; it may later."""


class MailRefused(Exception):
    """It will never go out as it is."""


class MailboxRefused(MailRefused):
    """It will never go out, because of whom it is for; `is_dead` when there is no such mailbox at all."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.is_dead = is_dead(said)


@dataclass(frozen=True)
class Letter:
    """One message to one person. The same letter sent again keeps its message id."""

    to: str
    subject: str
    text: str
    html: str
    message_id: str
    reply_to: str | None = None
    unsubscribe_url: str | None = None


def returned_to(address: str, message_id: str) -> str:
    """Where a letter goes that can't be delivered: an address that names the letter (bounces+TOKEN@example.gov)."""
    local, _, domain = address.rpartition("@")
    return f"{local}+{message_id.strip('<>').partition('@')[0]}@{domain}"


class Mailer(Protocol):
    """Sends letters from the city's address."""

    def send(self, letter: Letter) -> None:
        """Hand the letter over; raises MailDeferred (try again) or MailRefused (never)."""
        ...


def compose(letter: Letter, *, sender: str, sent_at: datetime) -> EmailMessage:
    """RFC 5322 message with a text and an HTML part; RFC 3834 marks it as sent by a machine.

    RFC 2369 and 8058 let a mail program offer to stop letters of which nobody is in need.
    """
    from_us = sender_address(sender)
    try:
        to = mailbox(letter.to)
        message = EmailMessage(policy=SMTP if to.addr_spec.isascii() else SMTP.clone(utf8=True))
        message["From"] = from_us
        message["To"] = to
        if letter.reply_to:
            message["Reply-To"] = mailbox(letter.reply_to)
        message.set_raw("Subject", _subject(letter.subject))
        message["Message-ID"] = f"<{one_line(letter.message_id).strip('<>')}>"
        message["Date"] = sent_at
        message["Auto-Submitted"] = "auto-generated"
        if letter.unsubscribe_url:
            message["List-Unsubscribe"] = f"<{one_line(letter.unsubscribe_url)}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(letter.text)
        message.add_alternative(letter.html, subtype="html")
    except ValueError as problem:  # a lone surrogate, say: no encoding can carry it
        raise MailRefused(f"The letter cannot be written: {problem}") from problem
    return message


def _subject(typed: str) -> str:
    """RFC 2047, done here: set as text, a typed `=?utf-8?q?=0D?=` would be decoded, and long ones lose blanks."""
    text = one_line(typed)
    is_plain = text.isascii() and "=?" not in text and len(text) < LONGEST_PLAIN_SUBJECT
    return text if is_plain else Header(text, "utf-8", header_name="Subject").encode()


def mailbox(address: str) -> Address:
    """Exactly one address, without a display name; the domain in the ASCII form that every server knows."""
    local, _, domain = address.strip().rpartition("@")
    if not local or not domain or any(_is_unprintable(c) or c.isspace() for c in address.strip()):
        raise MailRefused("That is not one e-mail address")
    try:
        known_as = domain.encode("idna").decode()
    except UnicodeError as problem:
        raise MailRefused("The part after the @ is not a domain") from problem
    if not DOMAIN.fullmatch(known_as):
        raise MailRefused("The part after the @ is not a domain")
    return Address(username=local, domain=known_as)


def sender_address(sender: str) -> Address:
    """The one address of a From line such as `City of Benson <animals@example.gov>`; ValueError if it is not one."""
    if one_line(sender) != sender or not (found := SENDER.fullmatch(sender)):
        raise ValueError(f"Not a sender's address: {sender!r}")
    return Address(display_name=(found["name"] or "").strip().strip('"'), addr_spec=found["named"] or found["bare"])


def one_line(text: str) -> str:
    """Text for a header or a console: whatever breaks lines or reorders them becomes a blank."""
    return " ".join("".join(" " if _is_unprintable(c) else c for c in text).split())


def _is_unprintable(character: str) -> bool:
    category = unicodedata.category(character)
    return category in {"Cc", "Zl", "Zp"} or "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069"
