"""What people report about animals: the report, what was heard, what was said on it, its files (90.08, 90.10, 90.14).

Who reported stands in `confidential`. The portal's web process adds rows here and reads none: a reporter reads their
own through functions of the database, and nobody else learns from the portal that a report exists (13.44, 13.82).
"""

from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Double, ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from portal.ordinance.nuisances import Nuisance
from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, confidential, words


class ReportState(StrEnum):
    RECEIVED = "received"
    LOOKING = "looking"
    WAITING = "waiting"
    CLOSED = "closed"


class EpisodeSource(StrEnum):
    TIMER = "timer"
    TYPED = "typed"


class UpdateBy(StrEnum):
    REPORTER = "reporter"
    OFFICER = "officer"


class UpdateKind(StrEnum):
    INCIDENT = "incident"
    QUESTION = "question"
    ANSWER = "answer"
    STATUS = "status"
    WITHDRAWN = "withdrawn"
    REOPENED = "reopened"
    CLOSED = "closed"
    IDENTIFIED = "identified"


class ReportFileKind(StrEnum):
    PHOTO = "photo"
    SOUND = "sound"
    VIDEO = "video"


class Report(Base):
    """What somebody reported. Who did is not here."""

    __tablename__ = "report"
    __table_args__ = (
        CheckConstraint(
            "(state = 'closed') = (closed_at IS NOT NULL) AND (state = 'closed') = (closed_reason IS NOT NULL)",
            name="a_closing_has_a_reason",
        ),
        CheckConstraint("merged_into_id <> id", name="never_merged_with_itself"),
        CheckConstraint("(latitude IS NULL) = (longitude IS NULL)", name="a_position_is_whole"),
        Index("ix_report_state_created_at", "state", "created_at"),
        Index("ix_report_place_key_kind", "place_key", "kind"),
        Index("ix_report_kind_created_at", "kind", "created_at"),
        Index(
            "ix_report_accusing_nobody",
            "created_at",
            postgresql_where=text("kind IN ('dead_animal', 'stray') AND NOT is_suspicious"),
        ),
        Index("ix_report_joined_report_id", "joined_report_id", postgresql_where=text("joined_report_id IS NOT NULL")),
        Index("ix_report_position", "latitude", "longitude", postgresql_where=text("latitude IS NOT NULL")),
        Index("ix_report_merged_into_id", "merged_into_id", postgresql_where=text("merged_into_id IS NOT NULL")),
        Index(
            "ix_report_previous_report_id",
            "previous_report_id",
            postgresql_where=text("previous_report_id IS NOT NULL"),
        ),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "What somebody reported about an animal (90.08, 90.10, 90.14).",
            "info": confidential("13.82"),
        },
    )

    id: Mapped[Key]
    reference: Mapped[str] = mapped_column(unique=True, comment="What people call it by; carries no right.")
    kind: Mapped[Nuisance] = mapped_column(words(Nuisance), comment="What happened.")
    state: Mapped[ReportState] = mapped_column(
        words(ReportState), server_default="received", comment="waiting: the officer asked the reporter something."
    )
    closed_reason: Mapped[str | None] = mapped_column(comment="Why it is closed, as the reporter reads it.")
    closed_at: Mapped[Instant | None] = mapped_column(comment="When it was closed.")
    reopened_at: Mapped[Instant | None] = mapped_column(comment="When the reporter last opened it again.")
    happened_at: Mapped[Instant | None] = mapped_column(comment="When it happened, if an instant is known.")
    happened_text: Mapped[str | None] = mapped_column(comment="When it happened, as typed.")
    place_text: Mapped[str] = mapped_column(comment="Where, as typed.")
    place_key: Mapped[str] = mapped_column(comment="The place folded for comparing, without the city and ZIP code.")
    latitude: Mapped[float | None] = mapped_column(Double, comment="Where, if the phone was asked.")
    longitude: Mapped[float | None] = mapped_column(Double, comment="Where, if the phone was asked.")
    is_outside_city: Mapped[bool] = mapped_column(server_default="false", comment="The place may be outside the city.")
    animal_description: Mapped[str] = mapped_column(comment="What the animal looks like, as typed.")
    whose_text: Mapped[str] = mapped_column(comment="Whose it may be, as typed: a guess.")
    is_going_on: Mapped[bool | None] = mapped_column(comment="Whether it went on while it was reported.")
    is_again: Mapped[bool | None] = mapped_column(comment="Whether it happened before.")
    details: Mapped[dict[str, Any]] = mapped_column(
        JSONB, server_default="{}", comment="Answers that only this kind is asked."
    )
    details_version: Mapped[int] = mapped_column(server_default="1", comment="Version of those questions.")
    narrative: Mapped[str] = mapped_column(comment="What happened, as told.")
    has_identity: Mapped[bool] = mapped_column(
        server_default="false", comment="The reporter gave a name: it can support a seizure (90.11(A)(1))."
    )
    is_suspicious: Mapped[bool] = mapped_column(
        server_default="false", comment="A spam trap was filled in: look twice."
    )
    joined_report_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("animal_control.report.id"), comment="Another household's report that it joined, for officers alone."
    )
    previous_report_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("animal_control.report.id"), comment="The same person's closed report of the same kind and place."
    )
    merged_into_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("animal_control.report.id"),
        comment="The report an officer goes on with instead of this one, for officers alone.",
    )
    changed_at: Mapped[Instant] = mapped_column(server_default=text("now()"), comment="When anything last happened.")
    created_at: Mapped[Created]


class ReportEpisode(Base):
    """Barking that was heard, from its beginning to when it was last heard."""

    __tablename__ = "report_episode"
    __table_args__ = (
        CheckConstraint("ended_at >= started_at", name="ends_after_it_begins"),
        Index("ix_report_episode_report_id_started_at", "report_id", "started_at"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "One episode of barking in a log (90.10(A)).",
            "info": confidential("90.10(A)"),
        },
    )

    id: Mapped[Key]
    report_id: Mapped[UUID] = mapped_column(ForeignKey(Report.id), comment="The report.")
    started_at: Mapped[Instant] = mapped_column(comment="When it began.")
    ended_at: Mapped[Instant] = mapped_column(comment="When it was last heard.")
    source: Mapped[EpisodeSource] = mapped_column(words(EpisodeSource), comment="Tapped as it happened, or typed.")
    is_backdated: Mapped[bool] = mapped_column(comment="Entered after the fact.")
    heard_from: Mapped[str | None] = mapped_column(comment="Where it was heard from, as typed.")
    created_at: Mapped[Created]


class ReportUpdate(Base):
    """Something said or done on a report, by its reporter or an officer."""

    __tablename__ = "report_update"
    __table_args__ = (
        Index("ix_report_update_report_id_created_at", "report_id", "created_at"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "What was said and done on a report. The reporter reads all of it.",
            "info": confidential("13.82"),
        },
    )

    id: Mapped[Key]
    report_id: Mapped[UUID] = mapped_column(ForeignKey(Report.id), comment="The report.")
    by: Mapped[UpdateBy] = mapped_column(words(UpdateBy), comment="Which side; never who.")
    kind: Mapped[UpdateKind] = mapped_column(words(UpdateKind), comment="What it is.")
    text: Mapped[str] = mapped_column(comment="What was written.")
    happened_at: Mapped[Instant | None] = mapped_column(comment="When an incident happened, if an instant is known.")
    details: Mapped[dict[str, Any]] = mapped_column(
        JSONB, server_default="{}", comment="Further answers about an incident."
    )
    created_at: Mapped[Created]


class ReportFile(Base):
    """A photo, a sound or a film that came with a report."""

    __tablename__ = "report_file"
    __table_args__ = (
        Index("ix_report_file_report_id_created_at", "report_id", "created_at"),
        Index("ix_report_file_key", "key"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A file that came with a report. Photos have lost their metadata.",
            "info": confidential("13.82"),
        },
    )

    id: Mapped[Key]
    report_id: Mapped[UUID] = mapped_column(ForeignKey(Report.id), comment="The report.")
    update_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(ReportUpdate.id), comment="The incident or answer it came with; empty for the report itself."
    )
    kind: Mapped[ReportFileKind] = mapped_column(words(ReportFileKind), comment="What it is.")
    key: Mapped[str] = mapped_column(comment="Where it lies in the file store.")
    thumbnail_key: Mapped[str | None] = mapped_column(comment="Small JPEG of a photo.")
    original_name: Mapped[str] = mapped_column(comment="The sender's file name: display text, never a path.")
    media_type: Mapped[str] = mapped_column(comment="Type decided from the bytes.")
    size_bytes: Mapped[int] = mapped_column(comment="Size in bytes.")
    created_at: Mapped[Created]
