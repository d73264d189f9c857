"""Texts that come in: what the provider delivers, signed with a secret that it shares with us."""

import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import datetime

from portal.gateways.several import several

TOLERANCE_SECONDS = 300


class BadTextSignature(Exception):
    """Not signed by the provider, or too long ago."""


class UnreadableText(Exception):
    """Signed, but not a text with a phone."""


@dataclass(frozen=True)
class IncomingText:
    """What somebody texted, and from which phone, as the provider wrote it."""

    phone: str
    words: str


def read_incoming(body: bytes, *, timestamp: str, signature: str, secret: str, now: datetime) -> IncomingText:
    """{"from": ..., "text": ...}, signed within five minutes of now."""
    expected = [sign_incoming(body, timestamp, secret=one) for one in several(secret)]
    if not any(hmac.compare_digest(signature.encode(), one.encode()) for one in expected):
        raise BadTextSignature("The signature is not ours")
    if not timestamp.isdecimal() or abs(int(timestamp) - now.timestamp()) > TOLERANCE_SECONDS:
        raise BadTextSignature("The text was signed too long ago")
    try:
        told = json.loads(body)
        return IncomingText(str(told["from"]), str(told["text"]))
    except (ValueError, TypeError, KeyError) as problem:
        raise UnreadableText("The text is not JSON with “from” and “text”") from problem


def sign_incoming(body: bytes, timestamp: str, *, secret: str) -> str:
    """HMAC-SHA256 in hexadecimal over the timestamp (seconds since 1970), a full stop and the body."""
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
