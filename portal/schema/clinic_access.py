"""Who at a clinic may file, and with which token its software may; what was read from a file."""

from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import PORTAL, Base, Created, Instant, Key, private, words
from portal.schema.clinics import Clinic
from portal.schema.drafts import Upload


class ReadingState(StrEnum):
    WAITING = "waiting"
    DONE = "done"
    NOTHING = "nothing"


class ClinicMember(Base):
    """A mailbox that may sign in and file for a clinic."""

    __tablename__ = "clinic_member"
    __table_args__ = (
        Index(
            "uq_clinic_member_current", "clinic_id", "email_key", unique=True, postgresql_where=text("until IS NULL")
        ),
        Index("ix_clinic_member_email_key_current", "email_key", postgresql_where=text("until IS NULL")),
        {"schema": PORTAL, "comment": "Mailboxes that may file for a clinic.", "info": private("90.04(D)(2)")},
    )

    id: Mapped[Key]
    clinic_id: Mapped[UUID] = mapped_column(ForeignKey(Clinic.id), comment="The clinic.")
    email: Mapped[str] = mapped_column(comment="Mailbox as typed.")
    email_key: Mapped[str] = mapped_column(comment="Mailbox trimmed and in lower case.")
    added_by: Mapped[str] = mapped_column(comment="Who added it.")
    until: Mapped[Instant | None] = mapped_column(comment="To when; empty while it lasts.")
    created_at: Mapped[Created]


class ClinicToken(Base):
    """A key for a clinic's practice software, stored hashed."""

    __tablename__ = "clinic_token"
    __table_args__ = (
        {"schema": PORTAL, "comment": "Keys of clinics' practice software.", "info": private("90.04(D)(2)")},
    )

    id: Mapped[Key]
    clinic_id: Mapped[UUID] = mapped_column(ForeignKey(Clinic.id), index=True, comment="The clinic.")
    name: Mapped[str] = mapped_column(comment="What the clinic calls it.")
    token_hash: Mapped[str] = mapped_column(unique=True, comment="Hash of the token; it is shown once.")
    created_by: Mapped[str] = mapped_column(comment="Member who made it.")
    last_used_at: Mapped[Instant | None] = mapped_column(comment="Last use, to the hour.")
    revoked_at: Mapped[Instant | None] = mapped_column(comment="When it was taken back.")
    created_at: Mapped[Created]


class Reading(Base):
    """What was read from the pages of an upload, as suggestions for the person who holds the paper."""

    __tablename__ = "reading"
    __table_args__ = (
        Index("ix_reading_waiting", "created_at", postgresql_where=text("state = 'waiting'")),
        {"schema": PORTAL, "comment": "Suggestions read from an uploaded certificate.", "info": private("90.04(D)(2)")},
    )

    upload_id: Mapped[UUID] = mapped_column(ForeignKey(Upload.id), primary_key=True, comment="The upload.")
    state: Mapped[ReadingState] = mapped_column(
        words(ReadingState), server_default="waiting", comment="Where it stands."
    )
    fields: Mapped[dict[str, Any]] = mapped_column(
        JSONB, server_default="{}", comment="By field: value, and how sure (0 to 1)."
    )
    attempts: Mapped[int] = mapped_column(server_default="0", comment="Times tried.")
    not_before: Mapped[Instant] = mapped_column(
        server_default=text("now()"), comment="Not read earlier; a worker's lease."
    )
    read_at: Mapped[Instant | None] = mapped_column(comment="When it was read.")
    created_at: Mapped[Created]
