"""A letter by e-mail, and how it becomes a message that nothing typed by a person can bend."""

from dataclasses import dataclass
from typing import Protocol


class MailDeferred(Exception):
    """It did not go out now; it may later."""


class MailRefused(Exception):
    """It will never go out as it is."""


@dataclass(frozen=True)
class Letter:
    """One message to one person. The same letter sent again keeps its message id."""

    to: str
    subject: str
    text: str
    html: str
    message_id: str
    reply_to: str | None = None


class Mailer(Protocol):
    """Sends letters from the city's address."""

    def send(self, letter: Letter) -> None:
        """Hand the letter over; raises MailDeferred (try again) or MailRefused (never)."""
        ...
