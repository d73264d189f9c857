"""Codes of an authenticator app (RFC 6238: six digits, thirty seconds); the only module that knows pyotp."""

from datetime import datetime

import pyotp

STEP_SECONDS = 30
# Phones are a little fast or slow: the half-minute before and the one after count too.
STEPS_AROUND = (0, -1, 1)


def new_secret() -> str:
    """160 random bits, in base 32 as apps take it."""
    return pyotp.random_base32()


def app_address(secret: str, *, account: str, issuer: str) -> str:
    """What the picture says that the app scans."""
    return pyotp.TOTP(secret).provisioning_uri(name=account, issuer_name=issuer)


def step_of_code(secret: str, code: str, *, at: datetime) -> int | None:
    """The half-minute this code belongs to, or None when it is none of now. Whoever takes it remembers the step."""
    totp, now = pyotp.TOTP(secret), int(at.timestamp()) // STEP_SECONDS
    for step in (now + around for around in STEPS_AROUND):
        if pyotp.utils.strings_equal(code, totp.at(step * STEP_SECONDS)):
            return step
    return None


def code_at(secret: str, at: datetime) -> str:
    """What the app shows at that moment."""
    return pyotp.TOTP(secret).at(at)
