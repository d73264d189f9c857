"""Texts by Twilio: the request as its description has it, what is refused for good, and what it signs."""

import json
import threading
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest

from portal.gateways.texts.door import Text, TextDeferred, TextRefused, TwilioTextSender, text_sender_from
from portal.gateways.texts.twilio import is_dead_phone, is_signed_by_twilio, twilio_from

TEXT = Text(to="+13205550142", words="You have a message. See https://x.example/?a=1&b", key="7c9e6679")
STATUS_URL = "https://animals.example.gov/sms/twilio/status"


@dataclass
class Twilio:
    """As much of Twilio as sending a message takes; it answers as it is told."""

    status: int = 201
    code: int | None = None
    url: str = ""
    asked: list[tuple[str, dict[str, str], dict[str, list[str]]]] = field(default_factory=list)


@pytest.fixture
def twilio() -> Iterator[Twilio]:
    twilio = Twilio()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            twilio.asked.append((self.path, dict(self.headers), form))
            answer = json.dumps({"sid": "SM1", "status": "queued", "code": twilio.code}).encode()
            self.send_response(twilio.status)
            self.send_header("Content-Length", str(len(answer)))
            self.send_header("Location", "/elsewhere")
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        twilio.url = f"twilio+http://AC123:s%2Fecret@127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield twilio
        finally:
            server.shutdown()
            thread.join()


def test_a_text_is_a_message_of_the_account(twilio):
    sender = text_sender_from(
        f"{twilio.url}/+13205550100", token="", folder=None, announce=print, status_url=STATUS_URL
    )
    assert isinstance(sender, TwilioTextSender)
    sender.send(TEXT)
    [(path, headers, form)] = twilio.asked
    assert path == "/2010-04-01/Accounts/AC123/Messages.json"
    assert b64decode(headers["Authorization"].removeprefix("Basic ")) == b"AC123:s/ecret"
    assert form == {
        "To": [TEXT.to],
        "From": ["+13205550100"],
        "Body": [TEXT.words],
        "StatusCallback": [STATUS_URL],
    }


def test_a_messaging_service_takes_the_place_of_the_number(twilio):
    twilio_from(f"{twilio.url}/MG99").send(TEXT)
    [(_, _, form)] = twilio.asked
    assert form["MessagingServiceSid"] == ["MG99"]
    assert "From" not in form


@pytest.mark.parametrize(
    ("status", "code", "failure"),
    [
        pytest.param(400, 21211, TextRefused, id="no such phone"),
        pytest.param(400, 21610, TextRefused, id="they said STOP"),
        pytest.param(400, 21614, TextRefused, id="not a mobile"),
        pytest.param(400, 21606, TextDeferred, id="our own number is not allowed to"),
        pytest.param(400, 21408, TextDeferred, id="a region our account may not text"),
        pytest.param(400, None, TextDeferred, id="an answer without a code"),
        pytest.param(401, 20003, TextDeferred, id="our token was changed"),
        pytest.param(404, 20404, TextDeferred, id="our account is not there"),
        pytest.param(429, 20429, TextDeferred, id="too many at once"),
        pytest.param(500, None, TextDeferred, id="a fault of theirs"),
        pytest.param(302, None, TextDeferred, id="a redirect, which is not followed"),
    ],
)
def test_what_is_about_the_phone_is_refused_and_what_is_about_us_waits(twilio, status, code, failure):
    twilio.status, twilio.code = status, code
    with pytest.raises(failure, match=str(status)) as raised:
        twilio_from(f"{twilio.url}/+13205550100").send(TEXT)
    assert TEXT.to not in str(raised.value)
    assert len(twilio.asked) == 1


def test_nobody_at_the_other_end_is_for_now():
    with pytest.raises(TextDeferred):
        TwilioTextSender("AC1", "token", "+13205550100", api="http://127.0.0.1:9", time_out_seconds=1).send(TEXT)


@pytest.mark.parametrize(
    "url",
    [
        "twilio://api.twilio.com/+13205550100",
        "twilio://AC1:token@api.twilio.com/",
        "twilio://AC1:token@api.twilio.com/benson",
        "twilio+http://AC1:token@api.twilio.com/+13205550100",
    ],
)
def test_an_address_that_cannot_work_stops_the_start(url):
    with pytest.raises(ValueError, match="SMS_URL"):
        twilio_from(url)


def test_the_token_is_not_shown():
    assert "hush" not in repr(twilio_from("twilio://AC1:hush@api.twilio.com/+13205550100"))


PUBLISHED = {
    "CallSid": ["CA1234567890ABCDE"],
    "Caller": ["+14158675309"],
    "Digits": ["1234"],
    "From": ["+14158675309"],
    "To": ["+18005551212"],
}
PUBLISHED_URL = "https://mycompany.com/myapp.php?foo=1&bar=2"


def test_twilios_own_published_example_is_signed_as_we_think():
    assert is_signed_by_twilio(PUBLISHED_URL, PUBLISHED, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", token="12345")


@pytest.mark.parametrize(
    ("url", "form", "signature", "token"),
    [
        pytest.param(f"{PUBLISHED_URL}&a=1", PUBLISHED, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", "12345", id="another address"),
        pytest.param(PUBLISHED_URL, PUBLISHED | {"Digits": ["9"]}, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", "12345", id="form"),
        pytest.param(PUBLISHED_URL, PUBLISHED, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", "54321", id="another token"),
        pytest.param(PUBLISHED_URL, PUBLISHED, "", "12345", id="no signature"),
        pytest.param(PUBLISHED_URL, PUBLISHED, "é", "12345", id="a signature that is none"),
        pytest.param(PUBLISHED_URL, PUBLISHED, "", "", id="no token"),
    ],
)
def test_nothing_else_is_taken_for_signed(url, form, signature, token):
    assert not is_signed_by_twilio(url, form, signature, token=token)


def test_a_phone_that_is_off_is_not_a_dead_one():
    assert is_dead_phone("undelivered", "30005")
    assert not is_dead_phone("undelivered", "30003")
    assert not is_dead_phone("delivered", "30005")
