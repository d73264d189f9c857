"""Secrets that have to be read again, sealed under the portal's own keys; the only module that knows cryptography."""

import base64
import hashlib
from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

PURPOSE = b"portal: sealed secrets"


class BrokenSeal(Exception):
    """Sealed under a key that is not ours any more, or not sealed by us."""


class Sealing:
    """Seals under the first key and opens under any, so that keys can be changed."""

    def __init__(self, secret_keys: Sequence[str]) -> None:
        self._box = MultiFernet([Fernet(_derived(key)) for key in secret_keys])

    def seal(self, secret: str) -> str:
        """What may be stored."""
        return self._box.encrypt(secret.encode()).decode()

    def renew(self, sealed: str) -> str:
        """The same, sealed under the first key; raises BrokenSeal. Only then can the earlier keys be dropped."""
        try:
            return self._box.rotate(sealed.encode()).decode()
        except InvalidToken as failure:
            raise BrokenSeal("A sealed secret can't be opened") from failure

    def open(self, sealed: str) -> str:
        """The secret; raises BrokenSeal."""
        try:
            return self._box.decrypt(sealed.encode()).decode()
        except InvalidToken as failure:
            raise BrokenSeal("A sealed secret can't be opened") from failure


def _derived(key: str) -> bytes:
    return base64.urlsafe_b64encode(hashlib.blake2b(PURPOSE, key=key.encode()[:64], digest_size=32).digest())
