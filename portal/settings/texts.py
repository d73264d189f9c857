"""Texts to phones: a provider of one's own, Twilio, or files where the portal is local."""

import hashlib
import hmac
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import unquote, urlsplit

from portal.settings.reading import LOCAL_HOSTS, Values, host_of, listed, scheme_problems, split

TOGETHER = ("SMS_URL", "SMS_TOKEN", "SMS_SECRET")


@dataclass(frozen=True)
class SmsSettings:
    """Where texts go: a provider's address, or files where the portal is local; and what signs those that come in."""

    url: str | None = field(repr=False)
    token: str = field(repr=False)
    secret: str = field(repr=False)
    is_offered: bool
    twilio_token: str = field(default="", repr=False)
    """What Twilio signs with, where it is the provider."""

    @classmethod
    def of(cls, values: Values, secret_key: str, *, is_local: bool) -> Self:
        """Without a provider, a local portal keeps texts as files and takes answers signed with a derived secret."""
        if _is_twilio(values):
            token = unquote(urlsplit(values["SMS_URL"]).password or "")
            return cls(values["SMS_URL"], "", "", is_offered=True, twilio_token=token)
        if "SMS_URL" in values:
            return cls(values["SMS_URL"], values["SMS_TOKEN"], values["SMS_SECRET"], is_offered=True)
        practice_secret = hmac.new(secret_key.encode(), b"practice texts", hashlib.sha256).hexdigest()
        return cls(None, "", practice_secret if is_local else "", is_offered=is_local)


def text_problems(values: Values) -> list[str]:
    """An address without what signs, or one that would carry a token in the open."""
    problems = scheme_problems(values, "SMS_URL", "https", "http", "twilio", "twilio+http")
    given = [name for name in TOGETHER if name in values]
    if _is_twilio(values):
        return problems + _twilio_problems(values, given)
    if len(given) not in (0, len(TOGETHER)):
        problems.append(f"{listed(list(TOGETHER))} go together: {listed(given)} alone can’t send texts")
    if values.get("SMS_URL", "").startswith("http:") and host_of(values["SMS_URL"]) not in LOCAL_HOSTS:
        problems.append("SMS_URL must begin with https: because it carries a token and phones")
    return problems


def _is_twilio(values: Values) -> bool:
    return values.get("SMS_URL", "").startswith("twilio")


def _twilio_problems(values: Values, given: list[str]) -> list[str]:
    """Its address has the account and the token; there is no other secret."""
    problems = []
    parts = split(values["SMS_URL"])
    if len(given) > 1:
        problems.append("SMS_TOKEN and SMS_SECRET are not for Twilio: its token stands in SMS_URL")
    if parts is None or not parts.username or not parts.password or not parts.hostname or len(parts.path) <= 1:
        problems.append("SMS_URL for Twilio must look like twilio://ACCOUNT:TOKEN@api.twilio.com/+13205550100")
    elif parts.scheme == "twilio+http" and parts.hostname not in LOCAL_HOSTS:
        problems.append("SMS_URL must begin with twilio: because it carries a token and phones")
    return problems
