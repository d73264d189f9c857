"""Letters that come back: what a delivery status notification (RFC 3464) says, as far as it is about a letter of ours.

Anybody can write such a notification. So of its addresses none is believed: it counts only for the letter whose signed
token it brings back, in the address it was returned to or in the Message-ID of the letter it quotes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from email.policy import compat32

from portal.gateways.mail.letter import one_line
from portal.gateways.mail.status import is_dead

# Where a mail server says to which address it was returned, and where a quoted letter says which it was.
RETURNED_TO = ("To", "Delivered-To", "X-Original-To", "Envelope-To")
QUOTED = ("Message-ID", "References", "In-Reply-To")
TOKEN = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{12}", re.IGNORECASE)
LONGEST_REASON = 200
FAILED = "failed"


@dataclass(frozen=True)
class Bounce:
    """A letter that did not arrive: the tokens it may be known by, what was said, and whether the mailbox is gone."""

    tokens: tuple[str, ...]
    said: str
    is_dead: bool


def read_bounce(content: bytes) -> Bounce | None:
    """What it says; None for what is no notification of a final failure: delays, receipts, answers of people."""
    message = message_from_bytes(content, policy=compat32)
    if not is_report(str(message.get("Content-Type", ""))):
        return None
    parts = list(message.walk())
    failed = [block for block in _recipients(parts) if str(block.get("Action", "")).strip().lower() == FAILED]
    if not failed:
        return None
    said = [_said(block) for block in failed]
    return Bounce(tuple(dict.fromkeys(_tokens(message, parts))), said[0], any(is_dead(one) for one in said))


def is_report(content_type: str) -> bool:
    """Whether a message of this type can be a notification."""
    lowered = content_type.lower()
    return "multipart/report" in lowered and "delivery-status" in lowered


def _recipients(parts: list[Message]) -> Iterator[Message]:
    """The blocks about recipients, which follow the one about the message (RFC 3464, section 2.1)."""
    for part in parts:
        if part.get_content_type() == "message/delivery-status" and part.is_multipart():
            blocks: list[Message] = part.get_payload()  # type: ignore[assignment]
            yield from blocks[1:]


def _said(block: Message) -> str:
    """The status first, then what the other server answered."""
    _, _, answer = str(block.get("Diagnostic-Code", "")).rpartition(";")
    return one_line(f"{block.get('Status', '')} {answer}")[:LONGEST_REASON]


def _tokens(message: Message, parts: list[Message]) -> Iterator[str]:
    yield from _tokens_in(message, RETURNED_TO)
    for part in parts:
        yield from _tokens_in(part, QUOTED)
    for part in parts:
        if part.get_content_type() == "text/rfc822-headers":  # some servers send back the headers alone, as text
            headers = part.get_payload(decode=True) or b""
            yield from _tokens_in(message_from_bytes(headers, policy=compat32), QUOTED)  # type: ignore[arg-type]


def _tokens_in(part: Message, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        for value in part.get_all(name, []):
            yield from (found.lower() for found in TOKEN.findall(str(value)))
