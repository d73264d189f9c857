"""Texts by Twilio, from its public description of the Messages resource and of how it signs what it sends us.

https://www.twilio.com/docs/messaging/api/message-resource and https://www.twilio.com/docs/usage/webhooks/webhooks-security
"""

import hashlib
import hmac
import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.error import HTTPError
from urllib.parse import unquote, urlencode, urlsplit
from urllib.request import Request

from portal.gateways.texts.http import TIME_OUT_SECONDS, open_without_redirects
from portal.gateways.texts.sending import Text, TextDeferred, TextRefused

API = "https://api.twilio.com"
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1"})
# About the phone or the words: not a number, unsubscribed, unreachable from ours, not a mobile, too long, a landline.
# Every other 400 is about our account or number: that is ours to mend, and costs no text meanwhile.
REFUSED_CODES = frozenset({21211, 21214, 21217, 21610, 21612, 21614, 21617, 21635})
# Told of a text that was taken and did not arrive: unknown or disconnected, a landline, unsubscribed.
DEAD_CODES = frozenset({"30005", "30006", "21610", "21614"})
UNDELIVERED = frozenset({"failed", "undelivered"})
SERVICE_PREFIX = "MG"
LARGEST_ANSWER_BYTES = 20_000


@dataclass(frozen=True)
class TwilioTextSender:
    """Each text is a Message of one account, from a number of it or by a messaging service."""

    account: str
    token: str = field(repr=False)
    sender: str
    status_url: str | None = None
    """Where Twilio tells what became of a text."""
    api: str = API
    time_out_seconds: float = TIME_OUT_SECONDS

    def send(self, text: Text) -> None:
        """Twilio knows no key of ours: a text whose answer was lost on the way is sent again, and may come twice."""
        try:
            with open_without_redirects(self._request(text), time_out_seconds=self.time_out_seconds):
                return
        except HTTPError as answer:
            with answer:
                code = _code(answer.read(LARGEST_ANSWER_BYTES))
            # What Twilio says in words quotes the phone: the numbers are enough.
            is_refused = answer.code == HTTPStatus.BAD_REQUEST and code in REFUSED_CODES
            said = f"Twilio answered {answer.code}, code {code}"
            raise (TextRefused if is_refused else TextDeferred)(said) from None
        except OSError as problem:
            raise TextDeferred(f"Twilio can't be reached: {type(problem).__name__}") from None

    def _request(self, text: Text) -> Request:
        by = "MessagingServiceSid" if self.sender.startswith(SERVICE_PREFIX) else "From"
        told = {"To": text.to, by: self.sender, "Body": text.words}
        if self.status_url:
            told["StatusCallback"] = self.status_url
        login = b64encode(f"{self.account}:{self.token}".encode()).decode()
        return Request(  # noqa: S310 - https, or this machine's own: twilio_from checks it
            f"{self.api}/2010-04-01/Accounts/{self.account}/Messages.json",
            data=urlencode(told).encode(),
            headers={"Authorization": f"Basic {login}", "Content-Type": "application/x-www-form-urlencoded"},
            method="POST",
        )


def twilio_from(url: str, *, status_url: str | None = None) -> TwilioTextSender:
    """The sender of twilio://ACCOUNT:TOKEN@api.twilio.com/+13205550100, or of a messaging service (/MG...).

    ValueError when that cannot work. For a stand-in on this machine: twilio+http://...@127.0.0.1:8080/...
    """
    parts = urlsplit(url)
    sender = unquote(parts.path.strip("/"))
    if not parts.hostname or not parts.username or not parts.password or not sender.startswith(("+", SERVICE_PREFIX)):
        raise ValueError("SMS_URL for Twilio must look like twilio://ACCOUNT:TOKEN@api.twilio.com/+13205550100")
    if parts.scheme == "twilio+http" and parts.hostname not in LOCAL_HOSTS:
        raise ValueError("SMS_URL would send a token unencrypted: use twilio://")
    api = f"{'http' if parts.scheme == 'twilio+http' else 'https'}://{parts.netloc.rpartition('@')[2]}"
    return TwilioTextSender(unquote(parts.username), unquote(parts.password), sender, status_url, api)


def is_signed_by_twilio(url: str, form: Mapping[str, Sequence[str]], signature: str, *, token: str) -> bool:
    """Whether Twilio called this address with this form: HMAC-SHA1 of the address and the sorted, joined answers."""
    told = url + "".join(name + value for name in sorted(form) for value in sorted(set(form[name])))
    expected = b64encode(hmac.new(token.encode(), told.encode(), hashlib.sha1).digest())
    return bool(token) and hmac.compare_digest(signature.encode(), expected)


def is_dead_phone(status: str, code: str) -> bool:
    """Whether no text will ever arrive there."""
    return status in UNDELIVERED and code in DEAD_CODES


def _code(answer: bytes) -> int | None:
    try:
        code = json.loads(answer)["code"]
    except (ValueError, TypeError, KeyError):
        return None
    return code if isinstance(code, int) else None
