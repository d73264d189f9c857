"""Messages that go out, events that came in, and limits shared between processes."""

from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import PORTAL, Base, Created, Instant, Key, confidential, private, words


class Channel(StrEnum):
    EMAIL = "email"
    SMS = "sms"


class OutgoingMessage(Base):
    """A message written with the change it tells of, and sent by the worker."""

    __tablename__ = "outgoing_message"
    __table_args__ = (
        Index(
            "ix_outgoing_message_due",
            "not_before",
            postgresql_where=text("sent_at IS NULL AND failed_at IS NULL"),
        ),
        Index("ix_outgoing_message_recipient", "recipient", "created_at"),
        Index(
            "ix_outgoing_message_failed",
            "failed_at",
            postgresql_where=text("failed_at IS NOT NULL AND handled_at IS NULL"),
        ),
        Index("ix_outgoing_message_words", "sent_at", postgresql_where=text("context <> '{}'")),
        Index("ix_outgoing_message_sent_at", "sent_at", postgresql_where=text("sent_at IS NOT NULL")),
        Index("ix_outgoing_message_handled_at", "handled_at", postgresql_where=text("handled_at IS NOT NULL")),
        {"schema": PORTAL, "comment": "Messages to send, and those that were sent.", "info": confidential("13.44")},
    )
    # Nothing is read back but the key: the desk may add a message and see none.
    __mapper_args__ = {"eager_defaults": False}  # noqa: RUF012 - SQLAlchemy reads it from the class

    id: Mapped[Key]
    channel: Mapped[Channel] = mapped_column(words(Channel), server_default="email", comment="E-mail, or a text.")
    recipient: Mapped[str] = mapped_column(comment="Mailbox as typed, or a phone for texts.")
    template: Mapped[str] = mapped_column(comment="Which message.")
    context: Mapped[dict[str, Any]] = mapped_column(JSONB, comment="What it tells; emptied once a secret was sent.")
    is_secret: Mapped[bool] = mapped_column(server_default="false", comment="Carries a code or a link that signs in.")
    is_confidential: Mapped[bool] = mapped_column(
        server_default="false", comment="Tells of a report: out of the web process's sight, whoever it goes to (13.44)."
    )
    asked_by: Mapped[UUID | None] = mapped_column(
        comment="Who asked for a letter that carries a link to somebody else; empty for every other."
    )
    not_before: Mapped[Instant] = mapped_column(comment="Not sent earlier; moved on after a failure.")
    attempts: Mapped[int] = mapped_column(server_default="0", comment="Times tried.")
    sent_at: Mapped[Instant | None] = mapped_column(comment="When the mail server took it.")
    failed_at: Mapped[Instant | None] = mapped_column(comment="When it was given up.")
    last_error: Mapped[str | None] = mapped_column(comment="What the mail server said last.")
    handled_by: Mapped[str | None] = mapped_column(comment="Who at the desk dealt with its failure; empty till then.")
    handled_at: Mapped[Instant | None] = mapped_column(comment="When they did.")
    created_at: Mapped[Created]


class DeadMailbox(Base):
    """A mailbox that is not there, as a mail server said for good: no more reminders go to it."""

    __tablename__ = "dead_mailbox"
    __table_args__ = (
        {
            "schema": PORTAL,
            "comment": "Mailboxes that letters come back from, until somebody signs in by one.",
            "info": private("13.356"),
        },
    )

    mailbox: Mapped[str] = mapped_column(primary_key=True, comment="Address trimmed and in lower case.")
    since: Mapped[Instant] = mapped_column(index=True, comment="When the first letter came back.")


class ReceivedEvent(Base):
    """An event the payment processor sent, kept before it is acted on."""

    __tablename__ = "processor_event"
    __table_args__ = (
        Index("ix_processor_event_waiting", "received_at", postgresql_where=text("handled_at IS NULL")),
        Index("ix_processor_event_handled_at", "handled_at"),
        Index("ix_processor_event_fetched", "received_at", postgresql_where=text("was_fetched")),
        {"schema": PORTAL, "comment": "Signed events of the payment processor.", "info": private("90.18")},
    )

    id: Mapped[str] = mapped_column(primary_key=True, comment="The processor's id of the event.")
    kind: Mapped[str] = mapped_column(comment="What it tells.")
    facts: Mapped[dict[str, Any]] = mapped_column(JSONB, comment="The event in our words.")
    outcome: Mapped[str | None] = mapped_column(comment="What we did about it.")
    handled_at: Mapped[Instant | None] = mapped_column(comment="When it was acted on; empty while it waits.")
    was_fetched: Mapped[bool] = mapped_column(
        server_default="false", comment="It did not come by itself: the portal asked for it."
    )
    received_at: Mapped[Created]


class RateLimit(Base):
    """How often something was tried within a window, shared between processes."""

    __tablename__ = "rate_limit"
    __table_args__ = (
        Index("ix_rate_limit_expires_at", "expires_at"),
        {
            "schema": PORTAL,
            "comment": "Counts of attempts, by key.",
            "info": private("13.05"),
            "prefixes": ["UNLOGGED"],
        },
    )

    key: Mapped[str] = mapped_column(primary_key=True, comment="What is limited; addresses and mailboxes are hashed.")
    count: Mapped[int] = mapped_column(BigInteger, comment="Attempts in the window.")
    expires_at: Mapped[Instant] = mapped_column(comment="End of the window.")
