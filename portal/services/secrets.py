"""Tokens that open something: made here, kept only as hashes."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable

# Crockford's base 32: no I, L, O or U, so that a code read aloud or typed from paper comes out right.
SPOKEN = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
REFERENCE_LENGTH = 8


def new_token() -> str:
    """256 random bits, safe in an address."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is stored of a token; the token itself is never."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def derived_token(what: str, *, key: str) -> str:
    """A token that the same `what` gives again, and that nobody finds without the portal's own key."""
    digest = hmac.new(key.encode(), what.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def new_code() -> str:
    """Six digits to type."""
    return f"{secrets.randbelow(1_000_000):06d}"


def code_hash(code: str, *, salt: str, key: str) -> str:
    """What is stored of a code: six digits are few, so the hash is keyed and salted."""
    return hmac.new(key.encode(), f"{salt}:{code}".encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def is_code(code: str, kept_hash: str, *, salt: str, keys: Iterable[str]) -> bool:
    """Whether it is the code that the hash was made of, under any of the keys: they can change while it is good."""
    return any(is_same(kept_hash, code_hash(code, salt=salt, key=key)) for key in keys)


def is_same(one: str, other: str) -> bool:
    """Compared in constant time."""
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass"))


def spoken_code(length: int, *, group: int = 4) -> str:
    """A random code of `length` characters in groups, five bits each, easy to read aloud."""
    characters = [secrets.choice(SPOKEN) for _ in range(length)]
    return "-".join("".join(characters[i : i + group]) for i in range(0, length, group))


def new_reference() -> str:
    """A short reference to quote; it gives no access."""
    return spoken_code(REFERENCE_LENGTH)


def read_spoken_code(typed: str, *, group: int = 4) -> str:
    """A spoken code as it was made, whatever way it was typed."""
    plain = typed.upper().translate(str.maketrans("OIL", "011"))
    characters = [character for character in plain if character in SPOKEN]
    return "-".join("".join(characters[i : i + group]) for i in range(0, len(characters), group))


def whole_spoken_code(typed: str, *, length: int) -> str | None:
    """The same where it has as many characters as a code of this kind; else None, and nothing need be looked up."""
    code = read_spoken_code(typed)
    return code if len(code.replace("-", "")) == length else None
