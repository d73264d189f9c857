"""A text message, and what becomes of it."""

from dataclasses import dataclass
from typing import Protocol


class TextDeferred(Exception):
    """It did not go out now; it may later."""


class TextRefused(Exception):
    """It will never go out as it is."""


@dataclass(frozen=True)
class Text:
    """A few words to one phone. The same text sent again keeps its key."""

    to: str
    words: str
    key: str


class TextSender(Protocol):
    """Sends texts from the city's number."""

    def send(self, text: Text) -> None:
        """Hand the text over; raises TextDeferred (try again) or TextRefused (never)."""
        ...
