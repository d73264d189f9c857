"""A designated dog as its owner sees it: the designation, each row, each day, and what was told and asked (90.13).

A fixed number of queries. Nothing here says that somebody is late: each day is shown with what started its clock.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import TypeVar
from uuid import UUID

from sqlalchemy import Select, exists, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.dangerous import Requirement
from portal.ordinance.dangerous_days import (
    decide_hearing_by,
    hearing_by,
    hold_hearing_by,
    reclaim_again_by,
    reclaim_by,
    renewal_opens_on,
    rows_due,
    security_by,
)
from portal.ordinance.deadlines import Deadline
from portal.schema.animals import Animal, Keeper
from portal.schema.dangerous import DangerousDesignation, DangerousRegistration, RegistrationState
from portal.schema.dangerous_notices import DangerousNotice, HearingRequest, ReviewRequest, SeizureSecurity
from portal.schema.orders import Order
from portal.services.dangerous.certify_dangerous_dog import ReadHere, read_here
from portal.services.dangerous.dates import dates_from
from portal.services.dangerous.designate_dog import OPEN
from portal.services.dangerous.request_review import review_day
from portal.services.dangerous.requirement_rows import RowView, rows_seen
from portal.services.dangerous.year_fee import order_of_year
from portal.services.refusal import NotTheirs

Told = TypeVar("Told", DangerousNotice, HearingRequest, ReviewRequest)


class Clocked(StrEnum):
    """What a day is about."""

    HEARING_REQUEST = "hearing_request"
    HEARING = "hearing"
    DECISION = "decision"
    ROW = "row"
    SECURITY = "security"
    RECLAIM_BY_STATE_LAW = "reclaim_by_state_law"
    RECLAIM = "reclaim"
    RECLAIM_AFTER_HEARING = "reclaim_after_hearing"


@dataclass(frozen=True)
class DueDay:
    """One day with what it is about; `deadline` says what to do, by when, and what started its clock."""

    about: Clocked
    deadline: Deadline
    is_done: bool = False
    requirement: Requirement | None = None


@dataclass(frozen=True)
class DangerousDog:
    """All of it. `designation` is the one that stands, else the newest; `others` are the rest, newest first."""

    animal: Animal
    designation: DangerousDesignation
    others: tuple[DangerousDesignation, ...]
    year: DangerousRegistration | None
    year_before: DangerousRegistration | None
    rows: tuple[RowView, ...]
    read: ReadHere | None
    order: Order | None
    hearing: HearingRequest | None
    notices: tuple[DangerousNotice, ...]
    reviews: tuple[ReviewRequest, ...]
    earlier_hearings: tuple[HearingRequest, ...]
    earlier_reviews: tuple[ReviewRequest, ...]
    """What was asked under another designation of the same dog, which may be waiting still; the newest first."""
    seizure: SeizureSecurity | None
    days: tuple[DueDay, ...]
    review_from: date
    renews_from: date | None
    """From when the next year can be begun; None before there is a certificate, and for a dog that has no year."""

    @property
    def is_standing(self) -> bool:
        return self.designation.state in OPEN

    @property
    def open_rows(self) -> tuple[RowView, ...]:
        return tuple(row for row in self.rows if not row.is_settled)

    def row(self, requirement: Requirement) -> RowView:
        """One row; raises NotTheirs for one that this dog does not have."""
        for row in self.rows:
            if row.requirement is requirement:
                return row
        raise NotTheirs("No such requirement")

    def is_certified(self, on: date) -> bool:
        """Whether a certificate is in force on a day."""
        return any(
            year.state is RegistrationState.CERTIFIED
            and year.starts_on <= on
            and year.certificate_until is not None
            and on <= year.certificate_until
            for year in (self.year, self.year_before)
            if year
        )


def dangerous_dog_of(
    session: Session, *, animal_id: UUID, person_id: UUID | None, city: City, clock: Clock
) -> DangerousDog:
    """A designated dog that the person keeps; raises NotTheirs for another's, or for one that is not designated."""
    mine = exists().where(Keeper.animal_id == animal_id, Keeper.person_id == person_id, Keeper.until.is_(None))
    keepers = select(Keeper).where(Keeper.animal_id == animal_id)
    return _seen(session, _designations(animal_id).where(mine), keepers, city=city, clock=clock)


def dangerous_dog_at_desk(session: Session, *, animal_id: UUID, city: City, clock: Clock) -> DangerousDog:
    """The same for an officer, whoever keeps the dog."""
    return _seen(session, _designations(animal_id), None, city=city, clock=clock)


def _seen(
    session: Session,
    wanted: Select[Animal, DangerousDesignation],
    keepers: Select[Keeper] | None,
    *,
    city: City,
    clock: Clock,
) -> DangerousDog:
    """`keepers` are whoever keeps the dog, or did; what somebody who kept it before wrote is theirs alone."""
    found = session.execute(wanted).all()
    if not found:
        raise NotTheirs("This dog is not designated")
    animal, designation = found[0]
    all_years = list(session.scalars(_years(animal)))
    years = [one for one in all_years if one.state is not RegistrationState.WITHDRAWN]
    standing = {one.id for _, one in found if one.state in OPEN}
    is_taken_over = any(one.designation_id in standing for one in all_years if one not in years)
    year = years[0] if years else None
    before = next((one for one in years if year and one.id == year.previous_id), None)
    hearings = list(session.scalars(_of(HearingRequest, designation)))
    hearing = hearings[0] if hearings else None
    read = read_here(session, year, city=city, clock=clock) if year else None
    was_certified = year is not None and year.certified_at is not None
    dates = dates_from(
        designation, hearing, before, is_taken_over=is_taken_over, was_certified=was_certified, city=city
    )
    rows = tuple(rows_seen(session, designation, year, read, on=clock.today()))
    due = rows_due([row.requirement for row in rows], dates, city.calendar)
    rows = tuple(replace(row, due=due.get(row.requirement)) for row in rows)
    seizure = session.scalar(_held([designated for _, designated in found]))
    notices, reviews = _of(DangerousNotice, designation), _of(ReviewRequest, designation)
    others = [other for _, other in found[1:]]
    hearings_before, reviews_before = _of(HearingRequest, *others), _of(ReviewRequest, *others)
    if keepers is not None:
        keepings = session.scalars(keepers).all()
        theirs = {one.person_id for one in keepings if one.until is None}
        if hearing and hearing.person_id not in theirs:
            is_unknown = (
                hearing.person_id is None and not is_taken_over and not _is_handed_on(keepings, hearing.asked_at)
            )
            hearing = hearing if is_unknown else None
        notices = notices.where(DangerousNotice.told_by.in_(theirs))
        reviews = reviews.where(ReviewRequest.asked_by.in_(theirs))
        hearings_before = hearings_before.where(HearingRequest.person_id.in_(theirs))
        reviews_before = reviews_before.where(ReviewRequest.asked_by.in_(theirs))
    days = _days(designation, rows, hearing, seizure, city=city, is_taken_over=is_taken_over)
    return DangerousDog(
        animal=animal,
        designation=designation,
        others=tuple(others),
        year=year,
        year_before=before,
        rows=rows,
        read=read,
        order=order_of_year(session, year.id) if year else None,
        hearing=hearing,
        notices=tuple(session.scalars(notices)),
        reviews=tuple(session.scalars(reviews)),
        earlier_hearings=tuple(session.scalars(hearings_before)) if others else (),
        earlier_reviews=tuple(session.scalars(reviews_before)) if others else (),
        seizure=seizure,
        days=tuple(days) if designation.state in OPEN else (),
        review_from=review_day(session, designation, city=city, clock=clock),
        renews_from=_renews_from(year, city=city),
    )


def _is_handed_on(keepings: Sequence[Keeper], asked_at: datetime) -> bool:
    """Whether others keep the dog than when somebody asked with the notice's code alone, who is not named.

    Of a potentially dangerous dog there is no year that begins anew for them, so its keepers tell.
    """
    first = min((one.since for one in keepings if one.until is None), default=asked_at)
    return asked_at <= first and any(one.until and one.until >= asked_at for one in keepings)


def _designations(animal_id: UUID) -> Select[Animal, DangerousDesignation]:
    """A dog with what it was designated as: what stands first, of two the dangerous one, then the newest."""
    return (
        select(Animal, DangerousDesignation)
        .join(DangerousDesignation, DangerousDesignation.animal_id == Animal.id)
        .where(Animal.id == animal_id)
        .order_by(
            DangerousDesignation.state.in_([state.value for state in OPEN]).desc(),
            DangerousDesignation.kind,
            DangerousDesignation.created_at.desc(),
        )
    )


def _years(animal: Animal) -> Select[DangerousRegistration]:
    """Every year of the dog, whichever designation began it, the newest first."""
    its = select(DangerousRegistration).where(DangerousRegistration.animal_id == animal.id)
    return its.order_by(DangerousRegistration.starts_on.desc()).limit(50)


def _of(table: type[Told], *designations: DangerousDesignation) -> Select[Told]:
    """What was told or asked about these designations, the newest first."""
    its = table.designation_id.in_([one.id for one in designations])
    return select(table).where(its).order_by(table.created_at.desc()).limit(50)


def _held(designations: Sequence[DangerousDesignation]) -> Select[SeizureSecurity]:
    """The seizure that keeps the dog away, else the last one: a dog that is held may be designated anew meanwhile."""
    its = select(SeizureSecurity).where(SeizureSecurity.designation_id.in_([one.id for one in designations]))
    return its.order_by(SeizureSecurity.released_on.is_not(None), SeizureSecurity.created_at.desc()).limit(1)


def _days(
    designation: DangerousDesignation,
    rows: tuple[RowView, ...],
    hearing: HearingRequest | None,
    seizure: SeizureSecurity | None,
    *,
    city: City,
    is_taken_over: bool,
) -> Iterator[DueDay]:
    """Every day that counts for this dog, in the order of the ordinance."""
    calendar = city.calendar
    if designation.noticed_on and not is_taken_over:
        asked = hearing_by(designation.noticed_on, calendar)
        yield DueDay(Clocked.HEARING_REQUEST, asked, is_done=hearing is not None)
    if hearing and hearing.outcome is None:
        held = hold_hearing_by(hearing.asked_at.astimezone(city.time_zone).date(), calendar)
        yield DueDay(Clocked.HEARING, held, is_done=hearing.held_on is not None)
        if hearing.held_on:
            yield DueDay(Clocked.DECISION, decide_hearing_by(hearing.held_on, calendar))
    for row in rows:
        if row.due:
            yield DueDay(Clocked.ROW, row.due, is_done=row.is_settled, requirement=row.requirement)
    if seizure and seizure.released_on is None:
        yield DueDay(Clocked.SECURITY, security_by(seizure.seized_on, calendar), is_done=seizure.posted_on is not None)
        by_state, by_city = reclaim_by(seizure.seized_on, calendar)
        yield DueDay(Clocked.RECLAIM_BY_STATE_LAW, by_state)
        yield DueDay(Clocked.RECLAIM, by_city)
        if seizure.reclaim_told_on:
            yield DueDay(Clocked.RECLAIM_AFTER_HEARING, reclaim_again_by(seizure.reclaim_told_on, calendar))


def _renews_from(year: DangerousRegistration | None, *, city: City) -> date | None:
    if year is None or year.certified_at is None:
        return None
    return renewal_opens_on(year.ends_on, window_days=city.dangerous.renewal_window_days)
