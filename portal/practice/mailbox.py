"""The practice mailbox: what the portal would have mailed, readable in a browser."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from urllib.parse import urlsplit

from flask import Blueprint, abort, make_response, render_template
from flask.typing import ResponseReturnValue
from markupsafe import Markup, escape

from portal.practice.office import office
from portal.practice.settings import origin_of

mailbox = Blueprint("mailbox", __name__, url_prefix="/mail")

MOST_SHOWN = 100
NAME = re.compile(r"[\w-][\w.-]*\.eml", re.ASCII)
LINK = re.compile(r"https?://[^\s<>\"']+")
# The letter's own styles may show; nothing is fetched, nothing runs, and links in the frame are dead.
LETTER_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'"


@dataclass(frozen=True)
class ReceivedLetter:
    """A letter as its reader sees it; one that cannot be read is shown as such and never breaks the list."""

    name: str
    to: str
    sender: str
    subject: str
    date: str
    text: str
    html: str | None


@mailbox.get("")
def letters() -> ResponseReturnValue:
    """Newest first."""
    return render_template("mailbox.html", letters=list(_newest(office().settings.mail_folder)))


@mailbox.get("/<name>")
def letter(name: str) -> ResponseReturnValue:
    """The text, with links to the portal that work, and the HTML in a locked frame."""
    found = _named(name)
    return render_template("letter.html", letter=found, text=with_portal_links(found.text))


@mailbox.get("/<name>/html")
def html(name: str) -> ResponseReturnValue:
    """The HTML part alone, for the frame."""
    found = _named(name)
    if found.html is None:
        abort(404)
    response = make_response(found.html)
    response.headers["Content-Security-Policy"] = LETTER_POLICY
    return response


def with_portal_links(text: str) -> Markup:
    """Addresses of the portal become links; any other address may have been typed by somebody and stays text."""
    parts: list[str] = []
    end = 0
    for found in LINK.finditer(text):
        address = found[0].rstrip(".,;:!?)")
        if origin_of(address) == office().settings.portal_origin and "@" not in urlsplit(address).netloc:
            parts += [escape(text[end : found.start()]), Markup('<a href="{0}">{0}</a>').format(address)]
            end = found.start() + len(address)
    return Markup("").join([*parts, escape(text[end:])])


def _newest(folder: Path) -> Iterator[ReceivedLetter]:
    """The names begin with the time of sending."""
    names = sorted((path.name for path in folder.glob("*.eml") if NAME.fullmatch(path.name)), reverse=True)
    for name in names[:MOST_SHOWN]:
        yield _read(folder / name)


def _named(name: str) -> ReceivedLetter:
    path = office().settings.mail_folder / name
    if not NAME.fullmatch(name) or not path.is_file():
        abort(404)
    return _read(path)


def _read(path: Path) -> ReceivedLetter:
    try:
        message = message_from_bytes(path.read_bytes(), policy=default)
        headers = {name: _readable(str(message.get(name, ""))) for name in ("To", "From", "Subject", "Date")}
        text, html = _part(message, "plain"), _part(message, "html")
    except (OSError, ValueError, LookupError, AttributeError) as problem:
        return ReceivedLetter(path.name, "", "", "(a letter that cannot be read)", "", str(problem), None)
    return ReceivedLetter(
        name=path.name,
        to=headers["To"],
        sender=headers["From"],
        subject=headers["Subject"] or "(no subject)",
        date=headers["Date"],
        text=text or "",
        html=html,
    )


def _readable(header: str) -> str:
    """RFC 6532 lets a header be UTF-8 as it is, which the parser leaves undecoded."""
    return header.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _part(message: EmailMessage, kind: str) -> str | None:
    part = message.get_body(preferencelist=(kind,))
    return None if part is None else str(part.get_content())
