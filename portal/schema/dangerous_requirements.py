"""The rows of a dangerous dog's registration: what is required, what was sent, what was decided (90.13(H)).

What was sent and what was decided is never changed or removed: a row is where the last of it has brought it. Its
version tells two people who work on it at once; its numbers tie a decision to the very evidence that was looked at.
"""

from datetime import date
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, UniqueConstraint, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from portal.ordinance.dangerous import Requirement, RowState
from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private, words
from portal.schema.dangerous import DangerousDesignation, DangerousRegistration
from portal.schema.documents import Document
from portal.schema.people import Person


class DangerousRequirement(Base):
    """One requirement of a registration, where its evidence and its decisions have brought it."""

    __tablename__ = "dangerous_requirement"
    __table_args__ = (
        CheckConstraint(
            "state NOT IN ('accepted', 'sent_back') OR decided_number = evidence_number",
            name="decided_about_its_newest_evidence",
        ),
        CheckConstraint("state <> 'sent' OR evidence_number > 0", name="sent_has_its_evidence"),
        CheckConstraint("decided_number <= evidence_number", name="decided_about_evidence_there_is"),
        Index(
            "uq_dangerous_requirement_registration_id_kind",
            "registration_id",
            "kind",
            unique=True,
            postgresql_where=text("registration_id IS NOT NULL"),
        ),
        Index(
            "uq_dangerous_requirement_designation_id_kind",
            "designation_id",
            "kind",
            unique=True,
            postgresql_where=text("registration_id IS NULL"),
        ),
        Index("ix_dangerous_requirement_sent", "changed_at", postgresql_where=text("state = 'sent'")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A requirement of 90.13(H) as a row of a registration.",
            "info": private("90.13(H)"),
        },
    )

    id: Mapped[Key]
    designation_id: Mapped[UUID] = mapped_column(ForeignKey(DangerousDesignation.id), index=True, comment="Whose.")
    registration_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(DangerousRegistration.id),
        comment="The year it is for; empty for a potentially dangerous dog (90.13(G), 347.515).",
    )
    kind: Mapped[Requirement] = mapped_column(words(Requirement), comment="Which requirement.")
    state: Mapped[RowState] = mapped_column(words(RowState), server_default="not_yet", comment="Where it stands.")
    evidence_number: Mapped[int] = mapped_column(server_default="0", comment="The newest evidence; 0 for none.")
    decided_number: Mapped[int | None] = mapped_column(
        comment="The evidence that the standing decision is about; 0 where an officer saw it without any."
    )
    changed_at: Mapped[Instant] = mapped_column(server_default=func.now(), comment="When it last changed.")
    version: Mapped[int] = mapped_column(server_default="1", comment="Counts the changes of this row.")
    created_at: Mapped[Created]

    __mapper_args__ = {"version_id_col": version}  # noqa: RUF012


class EvidenceSource(StrEnum):
    OWNER = "owner"
    INSURER = "insurer"
    LANDLORD = "landlord"
    OFFICER = "officer"
    YEAR_BEFORE = "year_before"


class RequirementEvidence(Base):
    """What somebody sent to show that a requirement is met. Never changed, never removed."""

    __tablename__ = "requirement_evidence"
    __table_args__ = (
        UniqueConstraint("requirement_id", "number"),
        CheckConstraint("number > 0", name="counts_from_one"),
        Index("ix_requirement_evidence_last_day", "last_day", postgresql_where=text("last_day IS NOT NULL")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "Evidence for a requirement, append-only (90.13(H)).",
            "info": private("90.13(H)"),
        },
    )

    id: Mapped[Key]
    requirement_id: Mapped[UUID] = mapped_column(ForeignKey(DangerousRequirement.id), comment="The row.")
    number: Mapped[int] = mapped_column(comment="Counts the evidence of its row, from 1.")
    source: Mapped[EvidenceSource] = mapped_column(words(EvidenceSource), comment="Who sent it.")
    sent_by: Mapped[str] = mapped_column(comment="Who, as events name them.")
    document_id: Mapped[UUID | None] = mapped_column(ForeignKey(Document.id), index=True, comment="The very file.")
    measures: Mapped[dict[str, Any]] = mapped_column(
        JSONB, server_default="{}", comment="What was measured or stated, by name, as portal.ordinance reads it."
    )
    findings: Mapped[list[dict[str, Any]]] = mapped_column(
        JSONB, server_default="[]", comment="What lies below a figure or is missing: rule, sentence, field."
    )
    is_unmet: Mapped[bool] = mapped_column(
        server_default="false", comment="Something lies below its figure; stored all the same, for an officer to see."
    )
    first_day: Mapped[date | None] = mapped_column(comment="From when it holds, such as a policy's first day.")
    last_day: Mapped[date | None] = mapped_column(comment="To when it holds, such as a policy's last day.")
    is_late: Mapped[bool] = mapped_column(
        server_default="false", comment="Sent after the legal last day; accepted all the same."
    )
    carried_from_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("animal_control.requirement_evidence.id"), index=True, comment="The evidence of the year before."
    )
    attested_name: Mapped[str | None] = mapped_column(comment="Name typed under the statement, if one was asked for.")
    created_at: Mapped[Created]


class Decision(StrEnum):
    ACCEPTED = "accepted"
    SENT_BACK = "sent_back"
    WAIVED = "waived"
    NOT_APPLICABLE = "not_applicable"
    REOPENED = "reopened"


class RequirementDecision(Base):
    """What was decided about a requirement, and about which evidence. Never changed, never removed."""

    __tablename__ = "requirement_decision"
    __table_args__ = (
        ForeignKeyConstraint(
            ["requirement_id", "evidence_number"],
            ["animal_control.requirement_evidence.requirement_id", "animal_control.requirement_evidence.number"],
            name="fk_requirement_decision_evidence",
        ),
        CheckConstraint("outcome NOT IN ('sent_back', 'reopened', 'waived') OR reason IS NOT NULL", name="says_why"),
        Index("ix_requirement_decision_requirement_id_created_at", "requirement_id", "created_at"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A decision about a requirement, append-only (90.13(H)).",
            "info": private("90.13(H)"),
        },
    )

    id: Mapped[Key]
    requirement_id: Mapped[UUID] = mapped_column(ForeignKey(DangerousRequirement.id), comment="The row.")
    evidence_number: Mapped[int | None] = mapped_column(
        comment="The very evidence that was looked at; empty where an officer saw the thing itself."
    )
    outcome: Mapped[Decision] = mapped_column(words(Decision), comment="What was decided.")
    reason: Mapped[str | None] = mapped_column(comment="Why, as told to the owner.")
    decided_by: Mapped[str] = mapped_column(comment="Officer, or whoever else brought it about, as events name them.")
    created_at: Mapped[Created]


class LinkFor(StrEnum):
    INSURER = "insurer"
    LANDLORD = "landlord"


class RequirementLink(Base):
    """An owner asked an insurer or a landlord: a link that opens one requirement of one dog and nothing else."""

    __tablename__ = "requirement_link"
    __table_args__ = (
        Index("ix_requirement_link_requirement_id_created_at", "requirement_id", "created_at"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A one-purpose link for an insurer or a landlord (90.13(H)(5), (13)).",
            "info": private("90.13(H)"),
        },
    )

    id: Mapped[Key]
    requirement_id: Mapped[UUID] = mapped_column(ForeignKey(DangerousRequirement.id), comment="The row.")
    link_for: Mapped[LinkFor] = mapped_column(words(LinkFor), comment="Insurer or landlord.")
    addressee: Mapped[str] = mapped_column(comment="The insurer or landlord as the owner calls them.")
    email: Mapped[str | None] = mapped_column(comment="Where the link was sent; empty when it was handed over.")
    token_hash: Mapped[str] = mapped_column(unique=True, comment="Hash of the link's token.")
    asked_by: Mapped[UUID] = mapped_column(ForeignKey(Person.id), index=True, comment="The keeper who asked.")
    expires_at: Mapped[Instant] = mapped_column(comment="Takes an answer until then.")
    withdrawn_at: Mapped[Instant | None] = mapped_column(comment="When the keeper took it back.")
    answered_at: Mapped[Instant | None] = mapped_column(
        comment="When it was answered. An insurer's then stays open for the cancellation of that policy alone."
    )
    evidence_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(RequirementEvidence.id), unique=True, comment="What it brought."
    )
    canceled_at: Mapped[Instant | None] = mapped_column(comment="When the insurer said that the policy was canceled.")
    created_at: Mapped[Created]
