"""Work in progress: drafts, their uploads, answers kept through a lost sign-in, submissions already accepted."""

from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.accounts import Account
from portal.schema.base import PORTAL, Base, Created, Instant, Key, private, words
from portal.schema.documents import DocumentKind


class Draft(Base):
    """A registration that is not sent yet. One open draft an account."""

    __tablename__ = "draft"
    __table_args__ = (
        Index("uq_draft_account_id_open", "account_id", unique=True, postgresql_where=text("submitted_at IS NULL")),
        Index("ix_draft_submitted_at", "submitted_at", postgresql_where=text("submitted_at IS NOT NULL")),
        Index("ix_draft_updated_at_open", "updated_at", postgresql_where=text("submitted_at IS NULL")),
        {
            "schema": PORTAL,
            "comment": "Answers of a registration that is not sent yet.",
            "info": private("90.04(B)(2)"),
        },
    )

    id: Mapped[Key]
    account_id: Mapped[UUID] = mapped_column(ForeignKey(Account.id), comment="Whose it is.")
    answers: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}", comment="Answers so far, by step.")
    updated_at: Mapped[Instant] = mapped_column(server_default=text("now()"), comment="Last saved.")
    submitted_at: Mapped[Instant | None] = mapped_column(comment="When it was sent.")
    created_at: Mapped[Created]


class Upload(Base):
    """A file received for a draft; it becomes a document when the draft is sent."""

    __tablename__ = "upload"
    __table_args__ = (
        Index("ix_upload_account_id", "account_id"),
        {"schema": PORTAL, "comment": "A file received for a draft.", "info": private("13.05")},
    )

    id: Mapped[Key]
    account_id: Mapped[UUID] = mapped_column(ForeignKey(Account.id), comment="Who sent it.")
    kind: Mapped[DocumentKind] = mapped_column(words(DocumentKind), comment="What it is meant to be.")
    original_key: Mapped[str | None] = mapped_column(
        comment="Where a PDF lies as it came, for the desk; empty for a photo, which tells where it was taken."
    )
    original_name: Mapped[str] = mapped_column(comment="The sender's file name: display text only.")
    media_type: Mapped[str] = mapped_column(comment="Type decided from the bytes.")
    size_bytes: Mapped[int] = mapped_column(comment="Size of the original in bytes.")
    sha256: Mapped[str] = mapped_column(comment="Hash of the original, hexadecimal.")
    thumbnail_key: Mapped[str] = mapped_column(comment="Small JPEG of the first page.")
    pages: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, comment="Pages: key, width, height.")
    document_id: Mapped[UUID | None] = mapped_column(comment="The document it became.")
    created_at: Mapped[Created]


class KeptAnswers(Base):
    """What was typed into a form whose sign-in had ended, until the person is back."""

    __tablename__ = "kept_answers"
    __table_args__ = (
        Index("ix_kept_answers_expires_at", "expires_at"),
        {"schema": PORTAL, "comment": "Answers kept through a lost sign-in.", "info": private("13.05")},
    )

    token_hash: Mapped[str] = mapped_column(primary_key=True, comment="Hash of the browser's token.")
    path: Mapped[str] = mapped_column(comment="The page they were typed on.")
    fields: Mapped[dict[str, Any]] = mapped_column(JSONB, comment="What was typed, by field.")
    expires_at: Mapped[Instant] = mapped_column(comment="Removed after.")
    created_at: Mapped[Created]


class Submission(Base):
    """A submission that was accepted: the same key again gets the same answer."""

    __tablename__ = "submission"
    __table_args__ = (
        Index("ix_submission_created_at", "created_at"),
        {"schema": PORTAL, "comment": "Submissions already accepted, by their key.", "info": private("13.05")},
    )

    key: Mapped[UUID] = mapped_column(primary_key=True, comment="Key the form carried.")
    account_id: Mapped[UUID] = mapped_column(ForeignKey(Account.id), index=True, comment="Who sent it.")
    result_id: Mapped[UUID | None] = mapped_column(comment="The row it made.")
    created_at: Mapped[Created]
