"""The door to text messages: texts, and the sender that the settings ask for."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from portal.gateways.texts.files import FileTextSender
from portal.gateways.texts.http import HttpTextSender
from portal.gateways.texts.sending import Text, TextDeferred, TextRefused, TextSender
from portal.gateways.texts.twilio import TwilioTextSender, twilio_from

__all__ = [
    "FileTextSender",
    "HttpTextSender",
    "NoTexts",
    "Text",
    "TextDeferred",
    "TextRefused",
    "TextSender",
    "TwilioTextSender",
    "text_sender_from",
]

TWILIO = "twilio"


@dataclass(frozen=True)
class NoTexts:
    """For a portal whose city sends no texts."""

    def send(self, text: Text) -> None:
        raise TextRefused("This portal sends no texts: SMS_URL is not set")


def text_sender_from(
    url: str | None,
    *,
    token: str,
    folder: Path | None,
    announce: Callable[[str], None],
    status_url: str | None = None,
) -> TextSender:
    """The sender for SMS_URL; without one, files in a folder, or none at all where there is no folder."""
    if url and url.startswith(TWILIO):
        return twilio_from(url, status_url=status_url)
    if url:
        return HttpTextSender(url=url, token=token)
    return FileTextSender(folder, announce) if folder else NoTexts()
