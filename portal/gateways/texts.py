"""The door to text messages: texts, and the sender that the settings ask for."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from portal.gateways.texts_files import FileTextSender
from portal.gateways.texts_http import HttpTextSender
from portal.gateways.texts_sending import Text, TextDeferred, TextRefused, TextSender

__all__ = [
    "FileTextSender",
    "HttpTextSender",
    "NoTexts",
    "Text",
    "TextDeferred",
    "TextRefused",
    "TextSender",
    "text_sender_from",
]


@dataclass(frozen=True)
class NoTexts:
    """For a portal whose city sends no texts."""

    def send(self, text: Text) -> None:
        raise TextRefused("This portal sends no texts: SMS_URL is not set")


def text_sender_from(
    url: str | None, *, token: str, folder: Path | None, announce: Callable[[str], None]
) -> TextSender:
    """The sender for SMS_URL; without one, files in a folder, or none at all where there is no folder."""
    if url:
        return HttpTextSender(url=url, token=token)
    return FileTextSender(folder, announce) if folder else NoTexts()
