"""The years of a dangerous dog’s registration: begun with its rows, sent, renewed (90.13(H)(1), (11)).

A year that follows another begins with what was sent for that one, so that only what changed or ran out is asked.
"""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import ColumnElement, SQLColumnExpression, exists, select
from sqlalchemy.orm import Session, aliased

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Designated, Requirement, RowState
from portal.ordinance.dangerous_days import next_year, renewal_opens_on, year_of
from portal.ordinance.dangerous_rows import ROWS, SETTLED, Shown, first_state, rows_of
from portal.ordinance.days import spoken
from portal.ordinance.finding import Refusal
from portal.schema.dangerous import DangerousDesignation, DangerousRegistration, DesignationState, RegistrationState
from portal.schema.dangerous_requirements import (
    DangerousRequirement,
    Decision,
    EvidenceSource,
    RequirementDecision,
    RequirementEvidence,
)
from portal.services.dangerous.dates import is_late
from portal.services.owners.keepers_now import locked_animal
from portal.services.record_event import SYSTEM, keeper, record_event
from portal.services.refusal import ChangedMeanwhile, NotTheirs, Refused

TOO_EARLY = "The next year can be renewed from {day}"
NOTHING_TO_RENEW = "There is no registration to renew yet"
AS_BEFORE = "As in the year before"
CARRIED = frozenset({RowState.WAIVED, RowState.NOT_APPLICABLE})


def begin_rows(
    session: Session, designation: DangerousDesignation, *, person_id: UUID, clock: Clock
) -> DangerousRegistration | None:
    """The first rows of a designation whose dog is known; None for a potentially dangerous dog, which has no year.

    Safe to call twice. The year runs from today, whatever comes late. It is the dog's: a second designation goes on
    with what was shown for the first.
    """
    if designation.animal_id is None:
        raise ValueError("Rows begin once the dog is known")
    if not designation.is_dangerous:
        has_rows = exists().where(DangerousRequirement.designation_id == designation.id)
        if not session.scalar(select(has_rows)):
            _add_rows(session, designation, None, at=clock.now())
        return None
    if begun := latest_year(session, designation.animal_id):
        return begun
    starts_on, ends_on = year_of(clock.today())
    registration = DangerousRegistration(
        designation_id=designation.id,
        animal_id=designation.animal_id,
        person_id=person_id,
        starts_on=starts_on,
        ends_on=ends_on,
    )
    session.add(registration)
    session.flush()
    _add_rows(session, designation, registration, at=clock.now())
    record_event(session, "dangerous_registration.begun", registration, actor=SYSTEM, ends_on=ends_on.isoformat())
    return registration


def renew_year(
    session: Session, *, animal_id: UUID, person_id: UUID | None, city: City, clock: Clock
) -> DangerousRegistration:
    """Begin the next year with the rows of the last one; the year that was begun already, when it was.

    Raises Refused while it is too early or there is nothing to renew, NotTheirs for another's dog. However late it is,
    it is taken: late is marked when it is sent.
    """
    animal = locked_animal(session, animal_id, person_id=person_id)
    last = latest_year(session, animal.id)
    if last is None:
        raise Refused([Refusal(Rule.DANGEROUS_RENEWAL, NOTHING_TO_RENEW)])
    if last.certified_at is None:
        return last
    opens_on = renewal_opens_on(last.ends_on, window_days=city.dangerous.renewal_window_days)
    if clock.today() < opens_on:
        raise Refused([Refusal(Rule.DANGEROUS_RENEWAL, TOO_EARLY.format(day=spoken(opens_on)))])
    starts_on, ends_on = next_year(last.ends_on, on=clock.today())
    year = DangerousRegistration(
        designation_id=last.designation_id,
        animal_id=animal.id,
        person_id=person_id,
        previous_id=last.id,
        starts_on=starts_on,
        ends_on=ends_on,
    )
    session.add(year)
    session.flush()
    _carry_rows(session, last, year, on=max(starts_on, clock.today()), at=clock.now())
    record_event(session, "dangerous_registration.renewed", year, actor=keeper(person_id), ends_on=ends_on.isoformat())
    return year


def send_year(
    session: Session, *, animal_id: UUID, person_id: UUID | None, version: int | None, city: City, clock: Clock
) -> DangerousRegistration:
    """The owner says that it is ready to be looked at, however much is there (example 58); late is marked (60)."""
    locked_animal(session, animal_id, person_id=person_id)
    year = latest_year(session, animal_id, is_locked=True)
    if year is None:
        raise NotTheirs("There is no registration of this dog")
    if year.sent_at is not None:
        return year
    check_version(year.version, version)
    year.sent_at = clock.now()
    designation = session.get_one(DangerousDesignation, year.designation_id)
    year.is_late = is_late(session, Requirement.REGISTRATION, designation, year, on=clock.today(), city=city)
    session.flush()
    record_event(session, "dangerous_registration.sent", year, actor=keeper(person_id), is_late=year.is_late)
    return year


def latest_year(session: Session, animal_id: UUID, *, is_locked: bool = False) -> DangerousRegistration | None:
    """The year a dog's owner works on: the last that was begun and is not withdrawn."""
    wanted = (
        select(DangerousRegistration)
        .where(DangerousRegistration.animal_id == animal_id, DangerousRegistration.state != RegistrationState.WITHDRAWN)
        .order_by(DangerousRegistration.starts_on.desc())
        .limit(1)
    )
    if is_locked:
        return session.scalar(wanted.with_for_update(), execution_options={"populate_existing": True})
    return session.scalar(wanted)


def rows_of_year(session: Session, registration_id: UUID) -> dict[Requirement, DangerousRequirement]:
    """The rows of a year, in the order of the ordinance."""
    wanted = select(DangerousRequirement).where(DangerousRequirement.registration_id == registration_id)
    found = {row.kind: row for row in session.scalars(wanted)}
    return {requirement: found[requirement] for requirement in Requirement if requirement in found}


def is_open_for(animal_id: SQLColumnExpression[UUID] | UUID, *states: DesignationState) -> ColumnElement[bool]:
    """Whether a designation of the dog as dangerous is in one of these states."""
    any_of_them = aliased(DangerousDesignation)
    return exists().where(
        any_of_them.animal_id == animal_id,
        any_of_them.kind == Designated.DANGEROUS,
        any_of_them.state.in_(states),
    )


def withdraw_years(session: Session, animal_id: UUID, *, actor: str) -> None:
    """No designation is left that asks for them, or another owner shows everything anew."""
    wanted = select(DangerousRegistration).where(
        DangerousRegistration.animal_id == animal_id,
        DangerousRegistration.state != RegistrationState.WITHDRAWN,
    )
    for year in session.scalars(wanted.with_for_update()):
        year.state = RegistrationState.WITHDRAWN
        record_event(session, "dangerous_registration.withdrawn", year, actor=actor)
    session.flush()


def begin_for_new_owner(session: Session, *, animal_id: UUID, person_id: UUID, actor: str, clock: Clock) -> None:
    """A designated dog has a new owner, who shows anew what is asked: the one before keeps their papers to themselves.

    Nothing states by when (90.13(H)(14)), so no day counts for it and none is invented.
    """
    standing = select(DangerousDesignation).where(
        DangerousDesignation.animal_id == animal_id,
        DangerousDesignation.state.in_((DesignationState.STATED, DesignationState.STANDING)),
    )
    withdraw_years(session, animal_id, actor=actor)
    for designation in session.scalars(standing.order_by(DangerousDesignation.kind)):
        begin_rows(session, designation, person_id=person_id, clock=clock)


def check_version(now: int, seen: int | None) -> None:
    """Raises ChangedMeanwhile when the row is another than the one the person saw; None for who did not look."""
    if seen is not None and seen != now:
        raise ChangedMeanwhile("Somebody else changed this meanwhile")


def _add_rows(
    session: Session, designation: DangerousDesignation, registration: DangerousRegistration | None, *, at: datetime
) -> list[DangerousRequirement]:
    rows = [
        DangerousRequirement(
            designation_id=designation.id,
            registration_id=registration.id if registration else None,
            kind=row.requirement,
            state=first_state(row, is_renewal=bool(registration and registration.previous_id)),
            changed_at=at,
        )
        for row in rows_of(designation.kind)
    ]
    session.add_all(rows)
    session.flush()
    return rows


def _carry_rows(
    session: Session, last: DangerousRegistration, year: DangerousRegistration, *, on: date, at: datetime
) -> None:
    """What was sent and still holds is sent again; what staff waived or does not apply stays so. The rest is asked."""
    before = rows_of_year(session, last.id)
    newest = _newest_evidence(session, last.id)
    designation = session.get_one(DangerousDesignation, year.designation_id)
    for row in _add_rows(session, designation, year, at=at):
        was = before.get(row.kind)
        if was is None or row.state is RowState.NOT_APPLICABLE:
            continue
        evidence = newest.get(was.id)
        if was.state in CARRIED or (ROWS[row.kind].shown is Shown.OFFICER and was.state in SETTLED):
            row.state = was.state
            row.decided_number = 0
            outcome = Decision(was.state.value)
            session.add(
                RequirementDecision(requirement_id=row.id, outcome=outcome, reason=AS_BEFORE, decided_by=SYSTEM)
            )
        elif evidence and was.state is RowState.ACCEPTED and (evidence.last_day is None or evidence.last_day >= on):
            session.add(_copy_of(evidence, row))
            row.state = RowState.SENT
            row.evidence_number = 1
    session.flush()


def _copy_of(evidence: RequirementEvidence, row: DangerousRequirement) -> RequirementEvidence:
    return RequirementEvidence(
        requirement_id=row.id,
        number=1,
        source=EvidenceSource.YEAR_BEFORE,
        sent_by=evidence.sent_by,
        document_id=evidence.document_id,
        measures=evidence.measures,
        findings=evidence.findings,
        is_unmet=evidence.is_unmet,
        first_day=evidence.first_day,
        last_day=evidence.last_day,
        carried_from_id=evidence.id,
        attested_name=evidence.attested_name,
    )


def _newest_evidence(session: Session, registration_id: UUID) -> dict[UUID, RequirementEvidence]:
    """The newest evidence of each row of a year, by its row."""
    wanted = (
        select(RequirementEvidence)
        .join(DangerousRequirement, DangerousRequirement.id == RequirementEvidence.requirement_id)
        .where(
            DangerousRequirement.registration_id == registration_id,
            RequirementEvidence.number == DangerousRequirement.evidence_number,
        )
    )
    return {evidence.requirement_id: evidence for evidence in session.scalars(wanted)}
