"""The name a message goes by outside: its id, signed, so that only what we sent can come back as ours."""

import hashlib
import hmac
from collections.abc import Iterable
from uuid import UUID

from portal.services.secrets import is_same

SIGNED_CHARACTERS = 12


def message_token(message_id: UUID, *, key: str) -> str:
    """In a Message-ID and in the address a letter is returned to; hexadecimal, since servers change the case."""
    told = f"message sent:{message_id}".encode()
    return f"{message_id}.{hmac.new(key.encode(), told, hashlib.sha256).hexdigest()[:SIGNED_CHARACTERS]}"


def message_in(token: str, *, keys: Iterable[str]) -> UUID | None:
    """Which message it names; None unless one of the keys signed it."""
    try:
        message_id = UUID(token.partition(".")[0])
    except ValueError:
        return None
    return message_id if any(is_same(token, message_token(message_id, key=key)) for key in keys) else None
