"""All that was sent and decided about one requirement, and the pictures of what was sent (90.13(H))."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, exists, func, or_, select
from sqlalchemy.orm import Session, selectinload

from portal.schema.animals import Keeper
from portal.schema.dangerous import DangerousDesignation, DangerousRegistration, RegistrationState
from portal.schema.dangerous_requirements import (
    DangerousRequirement,
    Decision,
    EvidenceSource,
    RequirementDecision,
    RequirementEvidence,
)
from portal.schema.documents import Document, DocumentPage
from portal.services.refusal import NotTheirs

MOST_SHOWN = 20


@dataclass(frozen=True)
class EvidenceKept:
    """Something that was sent for a row."""

    id: UUID
    number: int
    source: EvidenceSource
    findings: list[dict[str, Any]]
    is_late: bool
    sent_at: datetime
    pages: int
    """How many pictures there are of it; none where only boxes were filled in."""


@dataclass(frozen=True)
class DecisionKept:
    """What was decided about a row, and about which evidence."""

    outcome: Decision
    reason: str | None
    evidence_number: int | None
    decided_at: datetime


@dataclass(frozen=True)
class RequirementHistory:
    """Both, each the newest first."""

    evidence: tuple[EvidenceKept, ...]
    decisions: tuple[DecisionKept, ...]


def history_of(session: Session, requirement_id: UUID) -> RequirementHistory:
    """The history of a row whose keeper was checked before."""
    pages = select(func.count()).where(DocumentPage.document_id == RequirementEvidence.document_id).scalar_subquery()
    sent = (
        select(RequirementEvidence, pages)
        .join(DangerousRequirement, DangerousRequirement.id == RequirementEvidence.requirement_id)
        .join(DangerousDesignation, DangerousDesignation.id == DangerousRequirement.designation_id)
        .where(RequirementEvidence.requirement_id == requirement_id, _is_the_keepers())
        .order_by(RequirementEvidence.number.desc())
        .limit(MOST_SHOWN)
    )
    decided = (
        select(RequirementDecision)
        .where(RequirementDecision.requirement_id == requirement_id)
        .order_by(RequirementDecision.created_at.desc())
        .limit(MOST_SHOWN)
    )
    return RequirementHistory(
        evidence=tuple(
            EvidenceKept(one.id, one.number, one.source, one.findings, one.is_late, one.created_at, count)
            for one, count in session.execute(sent)
        ),
        decisions=tuple(
            DecisionKept(one.outcome, one.reason, one.evidence_number, one.created_at)
            for one in session.scalars(decided)
        ),
    )


def evidence_at_desk(session: Session, requirement_id: UUID) -> list[tuple[RequirementEvidence, Document | None]]:
    """All that was sent for a row, the newest first, with its files and their pages: for an officer."""
    wanted = (
        select(RequirementEvidence, Document)
        .outerjoin(Document, Document.id == RequirementEvidence.document_id)
        .where(RequirementEvidence.requirement_id == requirement_id)
        .options(selectinload(Document.pages))
        .order_by(RequirementEvidence.number.desc())
    )
    return [(evidence, document) for evidence, document in session.execute(wanted)]


def evidence_pictures(
    session: Session, *, person_id: UUID | None, animal_id: UUID, evidence_id: UUID
) -> tuple[str, list[str]]:
    """The keys of a file that was sent: its thumbnail, its pages; raises NotTheirs."""
    mine = exists().where(
        Keeper.animal_id == DangerousDesignation.animal_id, Keeper.person_id == person_id, Keeper.until.is_(None)
    )
    wanted = (
        select(Document.thumbnail_key, DocumentPage.key)
        .select_from(RequirementEvidence)
        .join(DangerousRequirement, DangerousRequirement.id == RequirementEvidence.requirement_id)
        .join(DangerousDesignation, DangerousDesignation.id == DangerousRequirement.designation_id)
        .join(Document, Document.id == RequirementEvidence.document_id)
        .join(DocumentPage, DocumentPage.document_id == Document.id)
        .where(
            RequirementEvidence.id == evidence_id, DangerousDesignation.animal_id == animal_id, mine, _is_the_keepers()
        )
        .order_by(DocumentPage.number)
    )
    found = session.execute(wanted).all()
    if not found:
        raise NotTheirs("No such file")
    return found[0].thumbnail_key, [page.key for page in found]


def _is_the_keepers() -> ColumnElement[bool]:
    """What a former owner sent stays theirs (90.13(H)(14)): their year is withdrawn, but a row without a year goes on.

    So of such a row only what somebody sent who keeps the dog now is shown.
    """
    sender_keeps_it = exists().where(
        Keeper.animal_id == DangerousDesignation.animal_id,
        Keeper.until.is_(None),
        RequirementEvidence.sent_by == func.concat("keeper:", Keeper.person_id),
    )
    year_goes_on = exists().where(
        DangerousRegistration.id == DangerousRequirement.registration_id,
        DangerousRegistration.state != RegistrationState.WITHDRAWN,
    )
    return or_(year_goes_on, DangerousRequirement.registration_id.is_(None) & sender_keeps_it)
