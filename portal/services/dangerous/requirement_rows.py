"""The rows of a designated dog as its owner sees them: where each stands, what was sent and decided last (90.13(H))."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session

from portal.ordinance.dangerous import Requirement, RowState
from portal.ordinance.dangerous_measures import MEASURES_OF, Measures
from portal.ordinance.dangerous_rows import ROWS, SETTLED, Row
from portal.ordinance.deadlines import Deadline
from portal.schema.dangerous import DangerousDesignation, DangerousRegistration
from portal.schema.dangerous_requirements import (
    DangerousRequirement,
    EvidenceSource,
    RequirementDecision,
    RequirementEvidence,
)
from portal.services.dangerous.certify_dangerous_dog import WITH_CERTIFICATE, ReadHere
from portal.services.dangerous.decide_requirement import STATE_AFTER
from portal.services.dangerous.send_evidence import read_measures


@dataclass(frozen=True)
class RowView:
    """One requirement: what the law asks, where it stands, what was sent last and what was decided last."""

    law: Row
    stored: DangerousRequirement
    state: RowState
    due: Deadline | None
    evidence: RequirementEvidence | None
    decision: RequirementDecision | None
    certificate_ended_on: date | None = None
    """Of what is met by the certificate: the last day of the one there was, once that is past."""

    @property
    def reason(self) -> str | None:
        """Why it stands where it does: the words of the decision that brought it there, and not of one before."""
        if self.decision is None or STATE_AFTER[self.decision.outcome] is not self.state:
            return None
        return self.decision.reason

    @property
    def requirement(self) -> Requirement:
        return self.law.requirement

    @property
    def takes_evidence(self) -> bool:
        return self.requirement in MEASURES_OF

    @property
    def is_settled(self) -> bool:
        return self.state in SETTLED

    @property
    def is_from_year_before(self) -> bool:
        """Sent for the year before and still good; the owner need only say that nothing has changed."""
        return self.evidence is not None and self.evidence.source is EvidenceSource.YEAR_BEFORE

    @property
    def ran_out_on(self) -> date | None:
        """The last day of what was accepted, once that day is past and the next is to be shown."""
        is_open_again = self.stored.state is RowState.ACCEPTED and self.state is RowState.NOT_YET
        return self.evidence.last_day if is_open_again and self.evidence else None

    @property
    def measures(self) -> Measures | None:
        """What was measured or stated last, to show it and to begin the next answer with."""
        return read_measures(self.requirement, self.evidence.measures) if self.evidence else None


def rows_seen(
    session: Session,
    designation: DangerousDesignation,
    year: DangerousRegistration | None,
    read: ReadHere | None,
    *,
    on: date,
) -> Iterator[RowView]:
    """The rows of a year, or of a potentially dangerous dog without one, in the order of the ordinance."""
    which = (
        DangerousRequirement.registration_id == year.id
        if year
        else (DangerousRequirement.designation_id == designation.id) & DangerousRequirement.registration_id.is_(None)
    )
    newest_evidence = (
        select(DangerousRequirement, RequirementEvidence)
        .outerjoin(
            RequirementEvidence,
            (RequirementEvidence.requirement_id == DangerousRequirement.id)
            & (RequirementEvidence.number == DangerousRequirement.evidence_number),
        )
        .where(which)
    )
    newest_decision = (
        select(RequirementDecision)
        .join(DangerousRequirement, DangerousRequirement.id == RequirementDecision.requirement_id)
        .where(which)
        .order_by(RequirementDecision.requirement_id, RequirementDecision.created_at.desc())
        .ext(distinct_on(RequirementDecision.requirement_id))
    )
    decisions = {decision.requirement_id: decision for decision in session.scalars(newest_decision)}
    # 90.13(H)(1), (11): what a certificate met is open again once it has ended, until the next is issued.
    until = year.certificate_until if year else None
    ended_on = until if until is not None and until < on else None
    found = {row.kind: (row, evidence) for row, evidence in session.execute(newest_evidence)}
    for requirement in Requirement:
        if requirement in found:
            row, evidence = found[requirement]
            last_day = evidence.last_day if evidence else None
            state = read.state_of(requirement, row.state, last_day=last_day, on=on) if read else row.state
            is_over = requirement in WITH_CERTIFICATE and state is RowState.ACCEPTED and ended_on is not None
            yield RowView(
                ROWS[requirement],
                row,
                RowState.NOT_YET if is_over else state,
                None,
                evidence,
                decisions.get(row.id),
                ended_on if is_over else None,
            )
