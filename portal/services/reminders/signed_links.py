"""Links in letters that need no sign-in: signed for one account and one purpose, so that nobody can make one up."""

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from enum import StrEnum
from uuid import UUID

from portal.services.secrets import is_same

SIGNATURE_BYTES = 20
KEY_BYTES = 16


class Purpose(StrEnum):
    """What a link is good for; one made for one purpose is good for no other."""

    STOP = "stop reminders"
    OPEN = "open a reminder"


def signed(account_id: UUID, purpose: Purpose, *, key: str) -> str:
    """The token of a link, safe in an address."""
    return urlsafe_b64encode(account_id.bytes + _signature(account_id, purpose, key)).decode().rstrip("=")


def account_in(token: str, purpose: Purpose, *, keys: Iterable[str]) -> UUID | None:
    """Whose link it is; None unless one of the keys signed it for this purpose."""
    try:
        account_id = UUID(bytes=urlsafe_b64decode(token + "=" * (-len(token) % 4))[:KEY_BYTES])
    except ValueError:  # not base 64, or too short for a key
        return None
    is_ours = any(is_same(token, signed(account_id, purpose, key=key)) for key in keys)
    return account_id if is_ours else None


def _signature(account_id: UUID, purpose: Purpose, key: str) -> bytes:
    told = f"{purpose.value}:{account_id}".encode()
    return hmac.new(key.encode(), told, hashlib.sha256).digest()[:SIGNATURE_BYTES]
