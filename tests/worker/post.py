"""A mailer and a provider of texts that keep what they are given, or do not, as they are told."""

import threading
from dataclasses import dataclass, field

from portal.gateways.mail.door import Letter, MailboxRefused, MailDeferred, MailRefused
from portal.gateways.texts.door import Text, TextDeferred


class Killed(BaseException):
    """The worker's process ended here."""


@dataclass
class Postbox:
    """Letters by mailbox; `says` tells what happens to those of one: defer, refuse, no such mailbox, kill."""

    taken: list[Letter] = field(default_factory=list)
    says: dict[str, str] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, letter: Letter) -> None:
        answer = self.says.get(letter.to)
        if answer == "defer":
            raise MailDeferred(f"450 not now; you wrote: {letter.text}")
        if answer == "refuse":
            raise MailRefused("550 no such mailbox")
        if answer == "no such mailbox":
            raise MailboxRefused("550 5.1.1 No such user")
        with self.lock:
            self.taken.append(letter)
        if answer == "kill":
            raise Killed

    @property
    def mailboxes(self) -> list[str]:
        """Whom the letters went to, in order."""
        return [letter.to for letter in self.taken]


@dataclass
class Phones:
    """A provider of texts that keeps what it is given, or is away."""

    taken: list[Text] = field(default_factory=list)
    is_away: bool = False

    def send(self, text: Text) -> None:
        if self.is_away:
            raise TextDeferred("The provider answered 503")
        self.taken.append(text)
