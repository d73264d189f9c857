"""What the portal knows of its own work: which job last did its part, and what was found that does not agree."""

from enum import StrEnum
from typing import Any

from sqlalchemy import Index, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import PORTAL, Base, Created, Instant, Key, counted_in, private, words


class FindingKind(StrEnum):
    PAID_NOT_ISSUED = "paid_not_issued"
    MISSING_FILE = "missing_file"
    UNKNOWN_FILES = "unknown_files"
    MESSAGES_STUCK = "messages_stuck"
    EVENT_WAITS = "event_waits"
    EVENTS_NOT_DELIVERED = "events_not_delivered"


class WorkerJob(Base):
    """One row for each job of the worker, whichever worker did it last."""

    __tablename__ = "worker_job"
    __table_args__ = (
        {"schema": PORTAL, "comment": "When each job of the worker last ended.", "info": private("13.05")},
    )

    name: Mapped[str] = mapped_column(primary_key=True, comment="The job.")
    every_seconds: Mapped[int] = mapped_column(info=counted_in("seconds"), comment="How often it is done.")
    succeeded_at: Mapped[Instant | None] = mapped_column(comment="When it was last done; empty if it never was.")
    failed_at: Mapped[Instant | None] = mapped_column(comment="When it last failed; empty if it never did.")
    failures: Mapped[int] = mapped_column(
        server_default="0", info=counted_in("failures"), comment="How often it has failed since it was last done."
    )


class Finding(Base):
    """Something that does not agree, found by the worker: for a person to look at, until it is mended."""

    __tablename__ = "finding"
    __table_args__ = (
        UniqueConstraint("kind", "subject"),
        Index("ix_finding_open", "since", postgresql_where=text("mended_at IS NULL AND resolved_at IS NULL")),
        {"schema": PORTAL, "comment": "What was found not to agree, by its kind.", "info": private("13.05")},
    )

    id: Mapped[Key]
    kind: Mapped[FindingKind] = mapped_column(words(FindingKind), comment="What does not agree.")
    subject: Mapped[str] = mapped_column(comment="Which one: the key of a row or of a file, or a name.")
    facts: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}", comment="Counts and keys; of no person.")
    since: Mapped[Instant] = mapped_column(comment="Since when it is so, as far as is known.")
    mended_at: Mapped[Instant | None] = mapped_column(comment="When it was found to agree again.")
    resolved_by: Mapped[str | None] = mapped_column(comment="Who at the desk said that it is dealt with.")
    resolved_at: Mapped[Instant | None] = mapped_column(comment="When they did.")
    reason: Mapped[str | None] = mapped_column(comment="Why, in their words.")
    created_at: Mapped[Created]
