"""An officer decides a requirement of 90.13(H): accepts, sends back, waives, says that it does not apply, opens again.

What is accepted or sent back is the very evidence the officer looked at, by its number: if something newer was sent
meanwhile, nothing is decided.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Select, and_, func, or_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.dangerous import Requirement, RowState
from portal.ordinance.dangerous_rows import ROWS, Shown
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal, AnimalState
from portal.schema.dangerous import DangerousDesignation, DangerousRegistration, RegistrationState
from portal.schema.dangerous_requirements import (
    DangerousRequirement,
    Decision,
    EvidenceSource,
    RequirementDecision,
    RequirementEvidence,
)
from portal.services.dangerous.designate_dog import OPEN
from portal.services.dangerous.register_dangerous_dog import latest_year
from portal.services.dangerous.request_hearing import exact_time
from portal.services.dangerous.send_evidence import locked_row
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import record_event
from portal.services.refusal import ChangedMeanwhile, NotTheirs, Refused
from portal.services.say_why import FOR_THE_OWNER, unexplained

STATE_AFTER = {
    Decision.ACCEPTED: RowState.ACCEPTED,
    Decision.SENT_BACK: RowState.SENT_BACK,
    Decision.WAIVED: RowState.WAIVED,
    Decision.NOT_APPLICABLE: RowState.NOT_APPLICABLE,
    Decision.REOPENED: RowState.NOT_YET,
}
# What was accepted or sent back is opened again before anybody decides otherwise.
DECIDED = frozenset({RowState.ACCEPTED, RowState.SENT_BACK})
NEEDS_REASON = frozenset({Decision.SENT_BACK, Decision.WAIVED, Decision.REOPENED})
IS_READ = "This row is read from the portal itself: it can be waived, not accepted"
FOLLOWS = "This row follows from the others: issue the certificate instead"
NOTHING_SENT = "Nothing was sent for this row, so there is nothing to send back"
DECIDED_MEANWHILE = "This row was decided already. Look at it again, and open it first to decide otherwise"
IS_PAST = "That time is past. Set one that is still to come"
CHANGED = "Something newer was sent for this row. Look at it first"
NOT_ASKED = "Nothing is asked for this row any more: the dog has a new owner or is gone, or the designation has ended"


@dataclass(frozen=True, kw_only=True)
class Deciding:
    """What an officer decides of a row, and about which evidence: 0 where they saw the thing itself."""

    requirement_id: UUID
    outcome: Decision
    evidence_number: int
    reason: str | None = None


def decide_requirement(session: Session, deciding: Deciding, *, officer: str, clock: Clock) -> DangerousRequirement:
    """Decide it, and write to the keepers when there is something for them to do.

    Raises Refused for a decision without its reason or a row that is asked of nobody any more, ChangedMeanwhile when
    newer evidence came or another officer decided first.
    """
    row = locked_row(session, deciding.requirement_id)
    if session.scalar(_asked().where(DangerousRequirement.id == row.id)) is None:
        raise Refused([Refusal(ROWS[row.kind].rule, NOT_ASKED)])
    if reasons := _refusals(row, deciding):
        raise Refused(reasons)
    if deciding.evidence_number != row.evidence_number:
        raise ChangedMeanwhile(CHANGED)
    if row.state in DECIDED and STATE_AFTER[deciding.outcome] in DECIDED:
        raise ChangedMeanwhile(DECIDED_MEANWHILE)
    note_decision(session, row, deciding.outcome, reason=deciding.reason, actor=f"officer:{officer}", clock=clock)
    if deciding.outcome in {Decision.SENT_BACK, Decision.REOPENED}:
        tell_row(session, row, reason=deciding.reason or "", clock=clock)
    return row


def note_decision(
    session: Session,
    row: DangerousRequirement,
    outcome: Decision,
    *,
    reason: str | None,
    actor: str,
    clock: Clock,
) -> RequirementDecision:
    """Add the decision, and move the locked row to where it brings it. Opened again, its certificate counts no more."""
    decision = RequirementDecision(
        requirement_id=row.id,
        evidence_number=row.evidence_number or None,
        outcome=outcome,
        reason=reason.strip() if reason else None,
        decided_by=actor,
    )
    session.add(decision)
    row.state = STATE_AFTER[outcome]
    row.decided_number = row.evidence_number
    row.changed_at = clock.now()
    session.flush()
    record_event(
        session,
        f"requirement.{outcome.value}",
        row,
        actor=actor,
        requirement=row.kind.value,
        evidence_number=row.evidence_number,
    )
    if outcome is Decision.REOPENED:
        _suspend(session, row, actor=actor)
    return decision


def tell_row(session: Session, row: DangerousRequirement, *, reason: str, clock: Clock) -> None:
    """Write to the keepers that a row needs something of them."""
    designation = session.get_one(DangerousDesignation, row.designation_id)
    if designation.animal_id is None:
        return
    animal = session.get_one(Animal, designation.animal_id)
    context = {
        "asks": ROWS[row.kind].asks,
        "reason": reason,
        "path": f"/dogs/{animal.id}/dangerous",
    }
    tell_keepers(session, animal, template="requirement_open", context=context, clock=clock)


def set_photograph(
    session: Session, *, registration_id: UUID, at: datetime, place: str, officer: str, city: City, clock: Clock
) -> DangerousRegistration:
    """Animal control sets the time and place at which it photographs the dog (90.13(H)(10))."""
    year = session.get(DangerousRegistration, registration_id, with_for_update=True, populate_existing=True)
    if year is None:
        raise NotTheirs("There is no such registration")
    if at < clock.now():
        raise Refused([Refusal(ROWS[Requirement.PHOTOGRAPH].rule, IS_PAST, "day")])
    year.photograph_at = at
    year.photograph_place = place
    session.flush()
    record_event(session, "photograph.set", year, actor=f"officer:{officer}", at=at.isoformat())
    animal = session.get_one(Animal, year.animal_id)
    context = {"at": exact_time(at, city), "place": place, "path": f"/dogs/{animal.id}/dangerous"}
    tell_keepers(session, animal, template="photograph_set", context=context, clock=clock)
    return year


def row_of(session: Session, *, animal_id: UUID, requirement: Requirement) -> DangerousRequirement:
    """A dog's row as staff name it: of the year in work, or of a potentially dangerous dog."""
    year = latest_year(session, animal_id)
    its = select(DangerousRequirement).where(DangerousRequirement.kind == requirement)
    if year is not None:
        its = its.where(DangerousRequirement.registration_id == year.id)
    else:
        its = its.join(DangerousDesignation, DangerousDesignation.id == DangerousRequirement.designation_id).where(
            DangerousDesignation.animal_id == animal_id
        )
    row = session.scalars(its.order_by(DangerousRequirement.created_at.desc()).limit(1)).first()
    if row is None:
        raise NotTheirs("This dog has no such row")
    return row


def rows_waiting(
    session: Session, *, limit: int = 100
) -> list[tuple[DangerousRequirement, RequirementEvidence, Animal]]:
    """The officer's queue: what was sent and not decided, the oldest first."""
    wanted = _waiting().with_only_columns(DangerousRequirement, RequirementEvidence, Animal)
    oldest_first = wanted.order_by(DangerousRequirement.changed_at).limit(limit)
    return [(row, evidence, animal) for row, evidence, animal in session.execute(oldest_first)]


def how_many_wait() -> Select[int]:
    """How many there are of them."""
    return _waiting().with_only_columns(func.count())


def _waiting() -> Select[DangerousRequirement]:
    """What is only carried from the year before waits until its owner has sent the year."""
    newest = and_(
        RequirementEvidence.requirement_id == DangerousRequirement.id,
        RequirementEvidence.number == DangerousRequirement.evidence_number,
    )
    is_sent = or_(RequirementEvidence.source != EvidenceSource.YEAR_BEFORE, DangerousRegistration.sent_at.is_not(None))
    return _asked().join(RequirementEvidence, newest).where(DangerousRequirement.state == RowState.SENT, is_sent)


def _asked() -> Select[DangerousRequirement]:
    """The rows that are still asked of whoever keeps the dog: their papers are nobody else's (90.13(H)(14)).

    A year is the dog's and outlives the designation that began it, as long as another stands.
    """
    stands = and_(DangerousRequirement.registration_id.is_(None), DangerousDesignation.state.in_(OPEN))
    return (
        select(DangerousRequirement)
        .select_from(DangerousRequirement)
        .join(DangerousDesignation, DangerousDesignation.id == DangerousRequirement.designation_id)
        .join(Animal, Animal.id == DangerousDesignation.animal_id)
        .outerjoin(DangerousRegistration, DangerousRegistration.id == DangerousRequirement.registration_id)
        .where(
            Animal.state == AnimalState.KEPT, or_(DangerousRegistration.state != RegistrationState.WITHDRAWN, stands)
        )
    )


def _refusals(row: DangerousRequirement, deciding: Deciding) -> list[Refusal]:
    found = []
    rule = ROWS[row.kind].rule
    if deciding.outcome in NEEDS_REASON:
        found += unexplained(deciding.reason, rule, FOR_THE_OWNER)
    if deciding.outcome is Decision.ACCEPTED and ROWS[row.kind].shown is Shown.PORTAL:
        found.append(Refusal(rule, IS_READ))
    if ROWS[row.kind].shown is Shown.ALL:
        found.append(Refusal(rule, FOLLOWS))
    if deciding.outcome is Decision.SENT_BACK and row.evidence_number == 0:
        found.append(Refusal(rule, NOTHING_SENT))
    return found


def _suspend(session: Session, row: DangerousRequirement, *, actor: str) -> None:
    """The certificate rests on every row: with one open again it does not count until it is issued anew."""
    if row.registration_id is None:
        return
    year = session.get_one(DangerousRegistration, row.registration_id, with_for_update=True, populate_existing=True)
    if year.state is RegistrationState.CERTIFIED:
        year.state = RegistrationState.OPEN
        session.flush()
        record_event(session, "dangerous_registration.reopened", year, actor=actor)
