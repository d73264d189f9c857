"""Who made a report, and what opens one (Minn. Stat. 13.44, 13.82).

The web process may add rows to these tables and read none of them. It reads through the functions of migration 0010,
which answer only to a report's private link or to a live sign-in of whoever made it. An officer reads an identity
through `confidential.read_identity`, which writes down who asked and why.
"""

from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.accounts import Account
from portal.schema.base import CONFIDENTIAL, Base, Created, Instant, Key, confidential, words
from portal.schema.reports import Report


class LinkPurpose(StrEnum):
    FOLLOW = "follow"
    """Opens the report to its reporter."""
    CONFIRM = "confirm"
    """Was mailed to a mailbox nobody proved: opens nothing until its button is pressed."""
    STATUS = "status"
    """Tells kind and state, for software that sent the report (Open311)."""


class Reporter(Base):
    """Who made a report, as far as they said. One row a report, also for one without a name."""

    __tablename__ = "reporter"
    __table_args__ = (
        Index("ix_reporter_account_id", "account_id", postgresql_where=text("account_id IS NOT NULL")),
        Index("ix_reporter_email_key", "email_key", postgresql_where=text("email_key IS NOT NULL")),
        {
            "schema": CONFIDENTIAL,
            "comment": "Who made a report (Minn. Stat. 13.44). Read through functions alone.",
            "info": confidential("13.44"),
        },
    )

    report_id: Mapped[UUID] = mapped_column(ForeignKey(Report.id), primary_key=True, comment="The report.")
    account_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Account.id), comment="The sign-in it was made or confirmed under."
    )
    name: Mapped[str | None] = mapped_column(comment="Name as typed; empty for a report without one.")
    email: Mapped[str | None] = mapped_column(comment="Mailbox as typed.")
    email_key: Mapped[str | None] = mapped_column(comment="Mailbox trimmed and in lower case.")
    phone: Mapped[str | None] = mapped_column(comment="Phone as typed.")
    address: Mapped[str | None] = mapped_column(comment="Address as typed.")
    asked_not_public_at: Mapped[Instant | None] = mapped_column(
        comment="When they asked the police not to identify them publicly (13.82)."
    )
    attested_name: Mapped[str | None] = mapped_column(comment="Name typed under the statement.")
    attested_at: Mapped[Instant] = mapped_column(comment="When the statement was made.")
    attestation_version: Mapped[str] = mapped_column(comment="Version of the statement's words.")
    notice_version: Mapped[str] = mapped_column(comment="Version of the privacy notice that was shown (13.04).")
    confirmed_at: Mapped[Instant | None] = mapped_column(comment="When the mailbox's holder said that it is theirs.")
    denied_at: Mapped[Instant | None] = mapped_column(comment="When the mailbox's holder said that it is not theirs.")
    created_at: Mapped[Created]


class ReportLink(Base):
    """A link that opens a report."""

    __tablename__ = "report_link"
    __table_args__ = (
        Index("ix_report_link_report_id", "report_id"),
        {"schema": CONFIDENTIAL, "comment": "Private links of reports, hashed.", "info": confidential("13.44")},
    )

    token_hash: Mapped[str] = mapped_column(primary_key=True, comment="Hash of the link's token.")
    report_id: Mapped[UUID] = mapped_column(ForeignKey(Report.id), comment="The report it opens.")
    purpose: Mapped[LinkPurpose] = mapped_column(words(LinkPurpose), server_default="follow", comment="How far.")
    created_at: Mapped[Created]


class ReportInvitation(Base):
    """A code by which another household joins a report; neither sees the other's."""

    __tablename__ = "report_invitation"
    __table_args__ = (
        Index("ix_report_invitation_report_id", "report_id"),
        {
            "schema": CONFIDENTIAL,
            "comment": "Codes by which another household joins a report, hashed.",
            "info": confidential("13.44"),
        },
    )

    code_hash: Mapped[str] = mapped_column(primary_key=True, comment="Hash of the code.")
    report_id: Mapped[UUID] = mapped_column(ForeignKey(Report.id), comment="The report it leads to.")
    expires_at: Mapped[Instant] = mapped_column(comment="Good until.")
    created_at: Mapped[Created]


class IdentityRead(Base):
    """An officer read who made a report."""

    __tablename__ = "identity_read"
    __table_args__ = (
        Index("ix_identity_read_report_id_created_at", "report_id", "created_at"),
        {
            "schema": CONFIDENTIAL,
            "comment": "Who read the identity behind a report, when and why (13.055).",
            "info": confidential("13.055"),
        },
    )

    id: Mapped[Key]
    report_id: Mapped[UUID] = mapped_column(ForeignKey(Report.id), comment="The report.")
    read_by: Mapped[str] = mapped_column(comment="Who read it.")
    why: Mapped[str] = mapped_column(comment="Why, as they said.")
    created_at: Mapped[Created]


class ReportDraft(Base):
    """A report that is not sent yet: of a browser, found by its secret alone."""

    __tablename__ = "report_draft"
    __table_args__ = (
        Index("ix_report_draft_expires_at", "expires_at"),
        {
            "schema": CONFIDENTIAL,
            "comment": "Reports not sent yet. Read by the browser's secret alone.",
            "info": confidential("13.44"),
        },
    )

    token_hash: Mapped[str] = mapped_column(primary_key=True, comment="Hash of the browser's secret.")
    answers: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}", comment="Answers so far, by step.")
    files: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]", comment="Files so far.")
    updated_at: Mapped[Instant] = mapped_column(server_default=text("now()"), comment="Last saved.")
    expires_at: Mapped[Instant] = mapped_column(comment="Removed after.")
    created_at: Mapped[Created]
