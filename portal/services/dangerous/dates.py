"""The days known of a designation, put together from its notice, its hearing and the year before (90.13(E), (H))."""

from datetime import date

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.ordinance.dangerous import Requirement
from portal.ordinance.dangerous_days import Dates, row_due
from portal.schema.dangerous import DangerousDesignation, DangerousRegistration, DesignationState, RegistrationState
from portal.schema.dangerous_notices import HearingOutcome, HearingRequest


def dates_of(
    session: Session, designation: DangerousDesignation, year: DangerousRegistration | None, *, city: City
) -> Dates:
    """What `portal.ordinance.dangerous_days` counts from, for the rows of a year (or of no year)."""
    before = session.get(DangerousRegistration, year.previous_id) if year and year.previous_id else None
    withdrawn = exists().where(
        DangerousRegistration.animal_id == designation.animal_id,
        DangerousRegistration.designation_id == DangerousDesignation.id,
        DangerousRegistration.state == RegistrationState.WITHDRAWN,
        DangerousDesignation.state.in_((DesignationState.STATED, DesignationState.STANDING)),
    )
    is_taken_over = bool(session.scalar(select(withdrawn)))
    hearing = newest_hearing(session, designation)
    was_certified = year is not None and year.certified_at is not None
    return dates_from(designation, hearing, before, is_taken_over=is_taken_over, was_certified=was_certified, city=city)


def dates_from(
    designation: DangerousDesignation,
    hearing: HearingRequest | None,
    before: DangerousRegistration | None,
    *,
    is_taken_over: bool,
    was_certified: bool,
    city: City,
) -> Dates:
    """The same of rows that a page has read already; `before` is the year that is being renewed.

    Once the dog has a new owner the days of its notice have run for another (90.13(H)(14)), and once a year was
    certified its days were kept: for a row that opens again after either none is counted anew.
    """
    if was_certified or (is_taken_over and before is None):
        return Dates(kind=designation.kind, noticed_on=None)
    counts = hearing if hearing and hearing.outcome is not HearingOutcome.WITHDRAWN else None
    return Dates(
        kind=designation.kind,
        noticed_on=designation.noticed_on,
        sent_on=designation.sent_on,
        hearing_asked_on=counts.asked_at.astimezone(city.time_zone).date() if counts else None,
        decided_on=counts.decided_on if counts else None,
        decision_received_on=counts.decision_received_on if counts else None,
        final_on=designation.final_on,
        registered_until=before.ends_on if before else None,
    )


def is_late(
    session: Session,
    requirement: Requirement,
    designation: DangerousDesignation,
    year: DangerousRegistration | None,
    *,
    on: date,
    city: City,
) -> bool:
    """Whether what comes on a day for a row comes after its legal last day; it is taken all the same."""
    due = row_due(requirement, dates_of(session, designation, year, city=city), city.calendar)
    return due is not None and due.is_late(on)


def newest_hearing(session: Session, designation: DangerousDesignation) -> HearingRequest | None:
    """The last request for a hearing about a designation."""
    wanted = (
        select(HearingRequest)
        .where(HearingRequest.designation_id == designation.id)
        .order_by(HearingRequest.asked_at.desc())
        .limit(1)
    )
    return session.scalar(wanted)
