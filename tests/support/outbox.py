"""The messages the portal has queued, and the letters they become."""

import re
from dataclasses import dataclass
from typing import Any

import pytest

from portal.composition import Gateways
from portal.gateways.mail.door import Letter
from portal.gateways.mail.drawing import render_letter
from portal.settings import Settings
from tests.support.database import Database

QUEUED = (
    "SELECT id, recipient, template, context, is_secret FROM portal.outgoing_message ORDER BY created_at, template, id"
)


@dataclass(frozen=True)
class Message:
    """A queued message: who gets it, which letter it is, what it tells."""

    id: str
    to: str
    template: str
    context: dict[str, Any]
    is_secret: bool


@dataclass
class Outbox:
    """Everything queued so far, oldest first."""

    database: Database
    gateways: Gateways
    settings: Settings

    def messages(self, *, to: str | None = None, template: str | None = None) -> list[Message]:
        """The messages, or those to one mailbox or of one kind."""
        found = [
            Message(str(row.id), row.recipient, row.template, row.context, row.is_secret)
            for row in self.database.rows(QUEUED)
        ]
        return [one for one in found if to in (None, one.to) and template in (None, one.template)]

    def templates(self, *, to: str | None = None) -> list[str]:
        """The kinds of the messages, sign-in aside."""
        return [message.template for message in self.messages(to=to) if message.template != "sign_in"]

    def code(self, to: str) -> str:
        """The newest sign-in code sent to a mailbox."""
        return str(self.messages(to=to, template="sign_in")[-1].context["code"])

    def link(self, to: str) -> str:
        """The path of the newest sign-in link sent to a mailbox."""
        return str(self.messages(to=to, template="sign_in")[-1].context["link"]).removeprefix(self.settings.base_url)

    def letter(self, message: Message) -> Letter:
        """The message as it is mailed."""
        return render_letter(
            message.template,
            message.context,
            to=message.to,
            city=self.gateways.city,
            base_url=self.settings.base_url,
            message_id=re.sub(r"\W", "", message.id),
        )

    def letters(self, *, to: str | None = None, template: str | None = None) -> list[Letter]:
        """The same messages as they are mailed."""
        return [self.letter(message) for message in self.messages(to=to, template=template)]


@pytest.fixture
def outbox(database: Database, gateways: Gateways, settings: Settings) -> Outbox:
    """What was queued to be mailed."""
    return Outbox(database, gateways, settings)
