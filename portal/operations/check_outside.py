"""The outside world: files, letters, cards, texts. Each is asked as the portal asks it, and nothing is sent."""

import io
import os
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from urllib.parse import urlsplit

from portal.city import CityFileError, load_city
from portal.composition import city_file, processor_from
from portal.gateways.mail.bounce_box import BoxUnavailable, bounce_box_from
from portal.gateways.mail.door import MailDeferred, SmtpMailer, mailer_from
from portal.gateways.payments.processor import ProcessorRefused, ProcessorUnavailable
from portal.gateways.payments.stripe_checkout import StripeCheckout
from portal.gateways.scanning import ScannerAway, scanner_from
from portal.gateways.storage.store import UNFINISHED, FileMissing, StorageUnavailable, new_key
from portal.gateways.storage.url import BadStorageUrl, storage_from
from portal.operations.check_database import clock_finding
from portal.operations.findings import Finding, Installation, advice, well, wrong

CONNECT_SECONDS = 10.0
TEST_KEY = "sk_test_"


def look_at_storage(installation: Installation) -> Iterator[Finding]:
    """Write a file, read it and let it go."""
    url = installation.settings.storage_url
    fix = f"Let the portal's account read and write {url.partition('?')[0]}, or correct STORAGE_URL."
    # Of the kind that the sweep takes away when we are killed here.
    key, content = new_key(UNFINISHED), os.urandom(1000)
    try:
        storage = storage_from(url)
        storage.put(key, io.BytesIO(content))
        with storage.open(key) as kept:
            is_same = kept.read() == content
        storage.delete(key)
        with suppress(FileMissing):
            storage.open(key).close()
            yield wrong("storage", "A file that was let go is still there", "Let the portal's account delete files.")
    except BadStorageUrl as failure:
        yield wrong("storage", str(failure), "Correct STORAGE_URL.")
    except (StorageUnavailable, FileMissing, OSError) as failure:
        reason = failure.why if isinstance(failure, StorageUnavailable) else type(failure).__name__
        yield wrong("storage", f"A file could not be kept there ({reason})", fix)
    else:
        if is_same:
            yield well("storage", "A file was written, read and let go")
        else:
            yield wrong("storage", "A file came back with other bytes", "Look at the disk: it spoils files.")


def look_at_mail(installation: Installation) -> Iterator[Finding]:
    """Connect to the mail server and log in; send nothing."""
    settings = installation.settings
    try:
        mailer = mailer_from(
            settings.mail_url, sender=settings.mail_from, folder=settings.mail_folder, announce=lambda _: None
        )
    except ValueError as failure:
        yield wrong("mail", str(failure), "Correct MAIL_URL and MAIL_FROM.")
        return
    if not isinstance(mailer, SmtpMailer):
        yield advice("mail", f"Letters are files in {settings.mail_folder}", "Set MAIL_URL to a mail server.")
        return
    try:
        mailer.reach()
    except MailDeferred as failure:
        yield wrong("mail", str(failure), "Correct MAIL_URL: host, port, smtps or smtp+starttls, name and password.")
    else:
        yield well("mail", f"{mailer.host} lets us in")


def look_at_bounces(installation: Installation) -> Iterator[Finding]:
    """Open the mailbox of letters that came back; nothing in it is read or marked."""
    fix = "Correct BOUNCE_URL: host, name, password and folder."
    try:
        box = bounce_box_from(installation.settings.bounces.url)
        if box is None:
            yield advice("bounces", "Nobody reads which letters come back", "Set BOUNCE_ADDRESS and BOUNCE_URL.")
            return
        box.reach()
    except ValueError as failure:
        yield wrong("bounces", str(failure), fix)
    except BoxUnavailable as failure:
        yield wrong("bounces", f"The mailbox of letters that came back can't be opened ({failure})", fix)
    else:
        yield well("bounces", "The mailbox of letters that came back opens")


def look_at_scanner(installation: Installation) -> Iterator[Finding]:
    """Ask the virus scanner whether it is there, and let it look at a file as large as people may send."""
    try:
        city = load_city(city_file(installation.settings.city))
    except (CityFileError, OSError):
        return  # `look_at_city` has told
    try:
        scanner = scanner_from(installation.settings.clamd_url)
    except ValueError as failure:
        yield wrong("scanner", str(failure), "Correct CLAMD_URL.")
        return
    if scanner is None:
        what = "Originals wait" if city.uploads.unscanned_files_wait else "Files are taken"
        yield advice("scanner", f"Nobody looks for viruses. {what} unscanned", "Install clamd and set CLAMD_URL.")
        return
    try:
        scanner.scan(io.BytesIO(bytes(city.uploads.max_file_bytes)))
    except ScannerAway as failure:
        fix = "Start clamd, let the portal's account reach its socket, and let StreamMaxLength be at least max_file_mb."
        yield wrong("scanner", f"The virus scanner gave no verdict ({failure})", fix)
    else:
        yield well("scanner", "The virus scanner looks at files as large as people may send")


def look_at_processor(installation: Installation) -> Iterator[Finding]:
    """Ask the card processor for anything at all with our key, and for its clock."""
    settings = installation.settings
    if settings.stripe.is_practice:
        yield advice("payments", "Cards are practice cards: no money moves", "Set STRIPE_SECRET_KEY for real ones.")
        return
    processor = processor_from(settings)
    if not isinstance(processor, StripeCheckout):
        return
    try:
        now = processor.reach()
    except ProcessorUnavailable as failure:
        kind = type(failure.__cause__).__name__
        yield wrong("payments", f"The processor does not answer ({kind})", "Let this machine reach api.stripe.com:443.")
    except ProcessorRefused:
        yield wrong("payments", "The processor does not take our key", "Copy STRIPE_SECRET_KEY anew.")
    else:
        if settings.stripe.secret_key.startswith(TEST_KEY) and not settings.is_local:
            yield advice("payments", "The key is for tests: no money moves", "Set STRIPE_SECRET_KEY to the live key.")
        else:
            yield well("payments", "The processor takes our key")
        if now is not None:
            yield clock_finding("the payment processor", (datetime.now(UTC) - now).total_seconds())


def look_at_texts(installation: Installation) -> Iterator[Finding]:
    """Whether the provider's address can be reached; nothing is asked of it, since every question is a text."""
    if (url := installation.settings.sms.url) is None:
        return
    parts = urlsplit(url)
    host, is_secret = parts.hostname or "", parts.scheme not in ("http", "twilio+http")
    port = parts.port or (443 if is_secret else 80)
    try:
        with socket.create_connection((host, port), CONNECT_SECONDS) as opened:
            if is_secret:
                ssl.create_default_context().wrap_socket(opened, server_hostname=host).close()
    except OSError as failure:
        yield wrong("texts", f"{host} can't be reached ({type(failure).__name__})", "Correct SMS_URL.")
    else:
        yield well("texts", f"{host} can be reached")
