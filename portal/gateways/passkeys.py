"""Passkeys (WebAuthn): a phone, a computer or a key to plug in; the only module that knows webauthn.

What goes to the browser and what it answers is JSON. A passkey is asked to know who holds it (a finger, a face, a PIN).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    UserVerificationRequirement,
)

NEEDED = UserVerificationRequirement.REQUIRED


class PasskeyRefused(Exception):
    """The answer is not of a passkey that may open this."""


@dataclass(frozen=True)
class Site:
    """For whom a passkey is good: the address of the desk, and what the browser calls it."""

    origin: str
    name: str

    @property
    def rp_id(self) -> str:
        """The host alone."""
        return urlsplit(self.origin).hostname or "localhost"


@dataclass(frozen=True)
class Passkey:
    """What is kept of one; ids and keys in base64url."""

    credential_id: str
    public_key: str
    sign_count: int


@dataclass(frozen=True)
class Asked:
    """What the browser is told, as JSON, and the challenge that its answer has to sign."""

    options: str
    challenge: str


def ask_to_create(site: Site, *, email: str, staff_id: UUID, known: Sequence[str]) -> Asked:
    """A new passkey; none of the `known` once more."""
    options = generate_registration_options(
        rp_id=site.rp_id,
        rp_name=site.name,
        user_name=email,
        user_id=staff_id.bytes,
        authenticator_selection=AuthenticatorSelectionCriteria(user_verification=NEEDED),
        exclude_credentials=_described(known),
    )
    return Asked(options_to_json(options), bytes_to_base64url(options.challenge))


def created(site: Site, answer: str, *, challenge: str) -> Passkey:
    """The passkey the browser made; raises PasskeyRefused."""
    try:
        made = verify_registration_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.rp_id,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as failure:
        raise PasskeyRefused(type(failure).__name__) from failure
    return Passkey(
        bytes_to_base64url(made.credential_id), bytes_to_base64url(made.credential_public_key), made.sign_count
    )


def ask_to_use(site: Site, *, known: Sequence[str]) -> Asked:
    """One of the passkeys somebody has."""
    options = generate_authentication_options(
        rp_id=site.rp_id, allow_credentials=_described(known), user_verification=NEEDED
    )
    return Asked(options_to_json(options), bytes_to_base64url(options.challenge))


def used(site: Site, answer: str, passkey: Passkey, *, challenge: str) -> int:
    """How often it has signed by now, as it says; raises PasskeyRefused."""
    try:
        checked = verify_authentication_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.rp_id,
            expected_origin=site.origin,
            credential_public_key=base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as failure:
        raise PasskeyRefused(type(failure).__name__) from failure
    return checked.new_sign_count


def credential_of(answer: str) -> str:
    """Which passkey answers, as it says itself; raises PasskeyRefused."""
    try:
        said: Any = json.loads(answer)
        return bytes_to_base64url(base64url_to_bytes(said["rawId"]))
    except (ValueError, KeyError, TypeError) as failure:
        raise PasskeyRefused(type(failure).__name__) from failure


def _described(known: Sequence[str]) -> list[PublicKeyCredentialDescriptor]:
    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in known]
