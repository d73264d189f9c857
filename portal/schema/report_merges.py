"""Reports about the same thing, by several people: which an officer put together or took apart, when and why."""

from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.base import ANIMAL_CONTROL, Base, Created, Key, confidential, words
from portal.schema.reports import Report


class MergeDeed(StrEnum):
    MERGED = "merged"
    UNMERGED = "unmerged"


class ReportMerge(Base):
    """One such deed. Never changed, never removed; `report.merged_into_id` is where the last of them left it."""

    __tablename__ = "report_merge"
    __table_args__ = (
        CheckConstraint("report_id <> into_report_id", name="of_two_reports"),
        Index("ix_report_merge_report_id", "report_id"),
        Index("ix_report_merge_into_report_id", "into_report_id"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "Reports about the same thing that were merged or taken apart again, append-only.",
            "info": confidential("13.82"),
        },
    )

    id: Mapped[Key]
    report_id: Mapped[UUID] = mapped_column(ForeignKey(Report.id), comment="The report that was merged into another.")
    into_report_id: Mapped[UUID] = mapped_column(
        ForeignKey(Report.id), comment="The one that the officer goes on with."
    )
    deed: Mapped[MergeDeed] = mapped_column(words(MergeDeed), comment="Merged, or taken apart again.")
    why: Mapped[str] = mapped_column(comment="Why, as the officer said.")
    done_by: Mapped[str] = mapped_column(comment="The officer.")
    created_at: Mapped[Created]
