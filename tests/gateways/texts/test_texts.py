"""Texts to phones: files without a provider, plain HTTP with one, and no text that tells an affair."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from portal.city import load_city
from portal.composition import city_file
from portal.gateways.mail.drawing import TEMPLATES, render_text
from portal.gateways.texts.door import (
    FileTextSender,
    HttpTextSender,
    NoTexts,
    Text,
    TextDeferred,
    TextRefused,
    text_sender_from,
)

TEXT = Text(to="+13205550142", words="You have a message.", key="7c9e6679-7425-40de-944b-e07fc1f90ae7")
NAMES = sorted(path.stem for path in (TEMPLATES / "texts").glob("*.txt"))
BASE_URL = "https://animals.benson.example"


@dataclass
class Provider:
    """Takes texts over HTTP; answers as it is told."""

    status: int = 202
    url: str = ""
    asked: list[tuple[dict[str, str], dict[str, str]]] = field(default_factory=list)


@pytest.fixture
def provider() -> Iterator[Provider]:
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            provider.asked.append((dict(self.headers), json.loads(body)))
            self.send_response(provider.status)
            self.send_header("Content-Length", "0")
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider.url = f"http://127.0.0.1:{server.server_port}/texts"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()


def test_a_provider_gets_phone_words_token_and_a_key_for_the_second_time(provider):
    HttpTextSender(provider.url, "secret-token").send(TEXT)
    [(headers, body)] = provider.asked
    assert body == {"to": "+13205550142", "text": "You have a message."}
    assert headers["Authorization"] == "Bearer secret-token"
    assert headers["Idempotency-Key"] == TEXT.key


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        *((400, TextRefused), (404, TextRefused), (422, TextRefused)),
        *((401, TextDeferred), (403, TextDeferred), (408, TextDeferred), (429, TextDeferred)),
        *((500, TextDeferred), (503, TextDeferred), (302, TextDeferred), (307, TextDeferred)),
    ],
)
def test_what_a_provider_refuses_and_what_it_may_take_later(provider, status, failure):
    """A redirect is not followed: the token is for one address."""
    provider.status = status
    with pytest.raises(failure, match=str(status)) as raised:
        HttpTextSender(provider.url, "secret-token").send(TEXT)
    assert TEXT.to not in str(raised.value)
    assert len(provider.asked) == 1


def test_a_provider_that_is_away_gets_it_later():
    with pytest.raises(TextDeferred):
        HttpTextSender("http://127.0.0.1:9/texts", "secret-token", time_out_seconds=1).send(TEXT)


def test_without_a_provider_texts_are_files(tmp_path):
    said: list[str] = []
    sender = text_sender_from(None, token="", folder=tmp_path / "texts", announce=said.append)
    assert isinstance(sender, FileTextSender)
    sender.send(TEXT)
    [path] = (tmp_path / "texts").iterdir()
    assert path.read_text() == "To: +13205550142\n\nYou have a message.\n"
    assert said[0].startswith("Text to +13205550142: You have a message.")


def test_a_public_portal_without_a_provider_sends_none():
    sender = text_sender_from(None, token="", folder=None, announce=print)
    assert isinstance(sender, NoTexts)
    with pytest.raises(TextRefused, match="SMS_URL"):
        sender.send(TEXT)


def test_the_token_is_not_shown():
    assert "secret-token" not in repr(HttpTextSender("https://sms.example", "secret-token"))


@pytest.mark.parametrize("template", NAMES)
def test_a_text_is_short_says_who_sends_it_and_leads_to_the_portal_alone(template):
    """Two parts of a text at the most, of plain characters, so that none is taken for a third."""
    words = render_text(template, path="/dogs", city=load_city(city_file("benson")), base_url=BASE_URL)
    assert "City of Benson" in words
    assert "\n" not in words
    assert words.isascii()
    assert len(words) <= 2 * 153
    assert all(word.startswith(BASE_URL) for word in words.split() if "://" in word)
