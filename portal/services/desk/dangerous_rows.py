"""What was sent for the requirements of dangerous dogs, and nobody has decided (90.13(H))."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.animals import Animal
from portal.schema.dangerous import DangerousDesignation
from portal.schema.dangerous_requirements import DangerousRequirement, RequirementDecision, RequirementEvidence
from portal.schema.documents import Document
from portal.schema.staff import StaffRole
from portal.services.dangerous.decide_requirement import how_many_wait, rows_waiting
from portal.services.desk.queue import Queue, Waiting, promised


@dataclass(frozen=True)
class RequirementView:
    """A row with its newest evidence, the file of it, and what was decided before."""

    row: DangerousRequirement
    animal: Animal | None
    evidence: RequirementEvidence | None
    document: Document | None
    decisions: tuple[RequirementDecision, ...]


def requirement_view(session: Session, row_id: UUID) -> RequirementView:
    """One row, whatever its state."""
    row = session.get_one(DangerousRequirement, row_id)
    designation = session.get_one(DangerousDesignation, row.designation_id)
    newest = (
        select(RequirementEvidence)
        .where(RequirementEvidence.requirement_id == row.id)
        .order_by(RequirementEvidence.number.desc())
        .limit(1)
    )
    evidence = session.scalar(newest)
    document = None
    if evidence and evidence.document_id:
        document = session.get_one(Document, evidence.document_id, options=[selectinload(Document.pages)])
    decided = select(RequirementDecision).where(RequirementDecision.requirement_id == row.id)
    return RequirementView(
        row=row,
        animal=session.get(Animal, designation.animal_id) if designation.animal_id else None,
        evidence=evidence,
        document=document,
        decisions=tuple(session.scalars(decided.order_by(RequirementDecision.created_at.desc()))),
    )


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    return [
        Waiting(
            item_id=row.id,
            what=f"{row.kind.value.replace('_', ' ').capitalize()} of {animal.name}",
            detail=f"evidence {evidence.number}, from {evidence.source.value.replace('_', ' ')}",
            since=row.changed_at,
            due_on=promised(row.changed_at, city.desk.answer_days, city=city),
            mark="below a figure" if evidence.is_unmet else "",
        )
        for row, evidence, animal in rows_waiting(session, limit=limit)
    ]


DANGEROUS_ROWS = Queue("dangerous_row", "Dangerous dogs: evidence", StaffRole.OFFICER, _find, how_many_wait())
