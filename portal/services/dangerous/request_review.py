"""An owner asks to look at a designation again, and animal control decides (90.13(P), 347.51 subd. 3a).

From six months after the declaration, then a year after the last request. One that comes early is kept all the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Change
from portal.ordinance.dangerous_days import review_from
from portal.ordinance.finding import Refusal
from portal.schema.accounts import Account
from portal.schema.animals import Animal
from portal.schema.dangerous import DangerousDesignation, DesignationState
from portal.schema.dangerous_notices import ReviewOutcome, ReviewRequest
from portal.services.dangerous.designate_dog import IS_OVER, OPEN, end_designation, locked_designation
from portal.services.dangerous.request_hearing import SIGN, exact_time
from portal.services.dangerous.send_evidence import File, keep_file
from portal.services.dangerous.tell_dangerous_notice import standing_designation
from portal.services.messages.queue_message import queue_message
from portal.services.owners.keepers_now import keepings, locked_animal
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.say_why import FOR_THE_OWNER, unexplained
from portal.services.secrets import new_reference

SAY_WHAT = "Say what has changed"
IS_DECIDED = "This request was decided already"


@dataclass(frozen=True, kw_only=True)
class ReviewAsked:
    """What the owner writes. `key` is the form's submission key: the same again gives the same request."""

    key: UUID
    changes: tuple[Change, ...]
    told: str
    signed_name: str
    file: File | None = None


def request_review(
    session: Session, asked: ReviewAsked, *, animal_id: UUID, person_id: UUID, city: City, clock: Clock
) -> ReviewRequest:
    """Take the request, with the day from which it may be asked for; before that day it is kept and marked (61)."""
    animal = locked_animal(session, animal_id, person_id=person_id)
    if (earlier := session.get(ReviewRequest, asked.key)) is not None:
        if earlier.asked_by != person_id:
            raise NotTheirs("No such request")
        return earlier
    designation = standing_designation(session, animal.id)
    if designation is None:
        raise NotTheirs("This dog is not designated")
    if reasons := list(_refusals(asked)):
        raise Refused(reasons)
    from_day = review_day(session, designation, city=city, clock=clock)
    request = ReviewRequest(
        id=asked.key,
        reference=new_reference(),
        designation_id=designation.id,
        asked_by=person_id,
        changes=[change.value for change in asked.changes],
        told=asked.told,
        document_id=keep_file(session, asked.file, clock=clock),
        signed_name=asked.signed_name,
        from_day=from_day,
        is_early=clock.today() < from_day,
        created_at=clock.now(),
    )
    session.add(request)
    session.flush()
    record_event(session, "review.requested", request, actor=keeper(person_id), is_early=request.is_early)
    context = {
        "reference": request.reference,
        "received_at": exact_time(clock.now(), city),
        "from_day": from_day.isoformat(),
        "is_early": request.is_early,
        "path": f"/dogs/{animal.id}/dangerous",
    }
    tell_keepers(session, animal, template="review_received", context=context, clock=clock)
    return request


def review_day(session: Session, designation: DangerousDesignation, *, city: City, clock: Clock) -> date:
    """From when a review may be asked for next; today for a designation whose notice has no date yet."""
    if designation.noticed_on is None:
        return clock.today()
    asked = select(func.max(ReviewRequest.created_at)).where(
        ReviewRequest.designation_id == designation.id, ReviewRequest.is_early.is_(False)
    )
    asked_at = session.scalar(asked)
    return review_from(
        designation.noticed_on, asked_at.astimezone(city.time_zone).date() if asked_at else None
    ).last_day


def decide_review(
    session: Session, *, request_id: UUID, outcome: ReviewOutcome, reason: str | None, officer: str, clock: Clock
) -> ReviewRequest:
    """Animal control rescinds the designation or keeps it, with the reason that its owner reads.

    One that has ended since can't be kept; that it is rescinded is as true for whoever asked as well.
    """
    request = session.get(ReviewRequest, request_id, with_for_update=True, populate_existing=True)
    if request is None:
        raise NotTheirs("There is no such request")
    if request.outcome is not None:
        raise Refused([Refusal(Rule.DESIGNATION_REVIEW, IS_DECIDED)])
    unsaid = unexplained(reason, Rule.DESIGNATION_REVIEW, FOR_THE_OWNER) if outcome is ReviewOutcome.KEPT else []
    if unsaid:
        raise Refused(unsaid)
    designation = locked_designation(session, request.designation_id)
    if outcome is ReviewOutcome.KEPT and designation.state not in OPEN:
        raise Refused([Refusal(Rule.DESIGNATION_REVIEW, IS_OVER)])
    request.outcome = outcome
    request.reason = reason.strip() if reason else None
    request.decided_at = clock.now()
    request.decided_by = officer
    session.flush()
    actor = f"officer:{officer}"
    record_event(session, f"review.{outcome.value}", request, actor=actor)
    if outcome is ReviewOutcome.RESCINDED:
        state, today = DesignationState.RESCINDED, clock.today()
        end_designation(session, designation, state=state, ended_on=today, actor=actor, clock=clock)
    if designation.animal_id:
        _tell(session, request, session.get_one(Animal, designation.animal_id), clock=clock)
    return request


def reviews_open(session: Session, *, limit: int = 100) -> list[tuple[ReviewRequest, DangerousDesignation]]:
    """Requests that nobody has decided, the oldest first."""
    wanted = (
        select(ReviewRequest, DangerousDesignation)
        .join(DangerousDesignation, DangerousDesignation.id == ReviewRequest.designation_id)
        .where(ReviewRequest.outcome.is_(None))
        .order_by(ReviewRequest.created_at)
        .limit(limit)
    )
    return [(request, designation) for request, designation in session.execute(wanted)]


def _tell(session: Session, request: ReviewRequest, animal: Animal, *, clock: Clock) -> None:
    """Whoever asked reads what was decided and why, though the dog may be another's by now; so do those who keep it
    with them, or kept it with them then and were told that it was asked. Whoever has it since learns only that a
    designation has ended.
    """
    is_rescinded = request.outcome is ReviewOutcome.RESCINDED
    context = {"is_rescinded": is_rescinded, "reference": request.reference, "path": f"/dogs/{animal.id}"}
    since = {kept.person_id: kept.since for kept in keepings(session, animal.id)}
    still_keeps = request.asked_by in since
    for person_id, began_at in since.items():
        knows_of_it = still_keeps or began_at < request.created_at
        if knows_of_it or is_rescinded:
            told = {**context, "reason": (request.reason or "") if knows_of_it else "", "keeps": True}
            _write(session, person_id, animal, told, clock=clock)
    if not still_keeps:
        told = {**context, "reason": request.reason or "", "keeps": False}
        _write(session, request.asked_by, animal, told, clock=clock)


def _write(session: Session, person_id: UUID, animal: Animal, told: dict[str, Any], *, clock: Clock) -> None:
    for email in session.scalars(select(Account.email).where(Account.person_id == person_id)):
        context = {"animal": animal.name, **told}
        queue_message(session, to=email, template="review_decided", context=context, at=clock.now())


def _refusals(asked: ReviewAsked) -> Iterator[Refusal]:
    if not asked.changes and not asked.told.strip():
        yield Refusal(Rule.DESIGNATION_REVIEW, SAY_WHAT, "told")
    if not asked.signed_name.strip():
        yield Refusal(Rule.DESIGNATION_REVIEW, SIGN, "signed_name")
