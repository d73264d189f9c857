"""The door to e-mail: letters, and the mailer that the settings ask for."""

import ipaddress
from collections.abc import Callable
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from portal.gateways.mail.files import FileMailer
from portal.gateways.mail.letter import Letter, MailboxRefused, MailDeferred, Mailer, MailRefused, sender_address
from portal.gateways.mail.smtp import Encryption, SmtpMailer

__all__ = [
    "FileMailer",
    "Letter",
    "MailDeferred",
    "MailRefused",
    "MailboxRefused",
    "Mailer",
    "SmtpMailer",
    "mailer_from",
]

USUAL_PORTS = {Encryption.NONE: 25, Encryption.FROM_THE_START: 465, Encryption.STARTTLS: 587}


def mailer_from(
    url: str | None, *, sender: str, folder: Path, announce: Callable[[str], None], bounces: str | None = None
) -> Mailer:
    """The mailer for MAIL_URL: smtp:, smtps: or smtp+starttls:, or files in a folder without one.

    A name and password go before the host, percent-encoded: smtps://name:pass%40word@mail.example:465
    Raises ValueError, at the start and not at the first letter, when the address or the sender cannot work.
    """
    sender_address(sender)
    if not url:
        return FileMailer(folder=folder, sender=sender, announce=announce)
    parts = urlsplit(url)
    if parts.scheme not in set(Encryption) or not parts.hostname:
        raise ValueError("MAIL_URL must start with smtp://, smtps:// or smtp+starttls:// and name a host")
    encryption = Encryption(parts.scheme)
    if encryption is Encryption.NONE and parts.username and not _is_this_machine(parts.hostname):
        raise ValueError("MAIL_URL would send a password unencrypted: use smtps:// or smtp+starttls://")
    return _smtp_mailer(parts, encryption, sender, bounces)


def _smtp_mailer(parts: SplitResult, encryption: Encryption, sender: str, bounces: str | None) -> SmtpMailer:
    return SmtpMailer(
        host=parts.hostname or "",
        port=parts.port or USUAL_PORTS[encryption],
        sender=sender,
        encryption=encryption,
        username=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
        bounces=bounces,
    )


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
