"""Which reminder was sent for what, and who wants none or wants texts."""

from datetime import date
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.accounts import Account
from portal.schema.base import PORTAL, Base, Created, Instant, Key, private, words


class ReminderKind(StrEnum):
    RENEWAL = "renewal"
    CERTIFICATE = "certificate"
    UNPAID_ORDER = "unpaid_order"
    UNFINISHED = "unfinished"
    PUPPY = "puppy"
    DANGEROUS = "dangerous"


class Reminder(Base):
    """One reminder for one thing at one step: its row is what keeps it from going out twice."""

    __tablename__ = "reminder"
    __table_args__ = (
        UniqueConstraint("account_id", "kind", "subject_id", "due_on", "step_days"),
        Index("ix_reminder_subject_id", "subject_id"),
        Index("ix_reminder_due_on", "due_on"),
        {"schema": PORTAL, "comment": "Reminders that were sent, one row each.", "info": private("13.356")},
    )

    id: Mapped[Key]
    account_id: Mapped[UUID] = mapped_column(ForeignKey(Account.id), comment="Who was reminded.")
    kind: Mapped[ReminderKind] = mapped_column(words(ReminderKind), comment="Of what.")
    subject_id: Mapped[UUID] = mapped_column(
        comment="The license, vaccination, order, draft, animal or designation it is about."
    )
    due_on: Mapped[date] = mapped_column(comment="The day it leads up to.")
    step_days: Mapped[int] = mapped_column(comment="How many days before that day; less than none after it.")
    created_at: Mapped[Created]


class ReminderChoice(Base):
    """What an account wants: no reminders, or texts too, with the words it agreed to."""

    __tablename__ = "reminder_choice"
    __table_args__ = (
        Index("ix_reminder_choice_sms_phone", "sms_phone"),
        {
            "schema": PORTAL,
            "comment": "Who wants no reminders, and who wants texts (TCPA consent).",
            "info": private("13.356"),
        },
    )

    account_id: Mapped[UUID] = mapped_column(ForeignKey(Account.id), primary_key=True, comment="The account.")
    stopped_at: Mapped[Instant | None] = mapped_column(comment="No reminders since; empty while they are wanted.")
    sms_phone: Mapped[str | None] = mapped_column(comment="Phone for texts, +13205550100.")
    sms_consented_at: Mapped[Instant | None] = mapped_column(comment="When they agreed to texts.")
    sms_consent_text: Mapped[str | None] = mapped_column(comment="Version of the words they agreed to.")
    sms_stopped_at: Mapped[Instant | None] = mapped_column(comment="When they said STOP.")
    created_at: Mapped[Created]
