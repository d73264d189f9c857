"""The city sets a hearing, holds it and writes down what was decided, and when the owner received it (90.13(E)(1))."""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous_days import decide_hearing_by, hearing_by
from portal.ordinance.finding import Refusal
from portal.schema.animals import Keeper
from portal.schema.dangerous import DangerousDesignation, DesignationState
from portal.schema.dangerous_notices import HearingOutcome, HearingRequest
from portal.services.dangerous.designate_dog import OPEN, end_designation, locked_designation
from portal.services.dangerous.request_hearing import exact_time
from portal.services.messages.queue_message import queue_message
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import read_spoken_code

IS_DECIDED = "This hearing was decided already"
IN_FUTURE = "That day is in the future"
BEFORE_DECISION = "That day is before the decision"
# Withdrawn, there is no decision that anybody could receive.
DECIDED = (HearingOutcome.UPHELD, HearingOutcome.NOT_UPHELD)
TO_BE_RECEIVED = (HearingRequest.outcome == HearingOutcome.UPHELD, HearingRequest.decision_received_on.is_(None))
MOST_LIKELY = 10
NO_SUCH = "There is no designation with this reference"


def schedule_hearing(
    session: Session,
    *,
    request_id: UUID,
    at: datetime,
    place: str,
    heard_by: str,
    officer: str,
    city: City,
    clock: Clock,
) -> HearingRequest:
    """Set when and where it is heard, and by whom; whoever asked is written to."""
    request = _undecided(session, request_id)
    request.scheduled_at = at
    request.place = place
    request.heard_by = heard_by
    session.flush()
    record_event(session, "hearing.set", request, actor=f"officer:{officer}", at=at.isoformat())
    if request.email:
        context = {
            "reference": request.reference,
            "at": exact_time(at, city),
            "place": place,
            "heard_by": heard_by,
        }
        queue_message(session, to=request.email, template="hearing_set", context=context, at=clock.now())
    return request


def hold_hearing(
    session: Session, *, request_id: UUID, held_on: date, officer: str, city: City, clock: Clock
) -> HearingRequest:
    """It was held: ten days to decide."""
    request = _undecided(session, request_id)
    _not_in_future(held_on, clock)
    request.held_on = held_on
    request.decide_by = decide_hearing_by(held_on, city.calendar).legal_last_day
    session.flush()
    record_event(session, "hearing.held", request, actor=f"officer:{officer}", held_on=held_on.isoformat())
    return request


def decide_hearing(
    session: Session, *, request_id: UUID, outcome: HearingOutcome, decided_on: date, officer: str, clock: Clock
) -> HearingRequest:
    """Write down the decision; it goes to the owner by hand or registered mail. Not upheld ends the designation.

    Upheld, it is final: from here the thirty days to sterilize count, unless another day was written down.
    """
    request = _undecided(session, request_id)
    _not_in_future(decided_on, clock)
    request.outcome = outcome
    request.decided_on = decided_on
    session.flush()
    actor = f"officer:{officer}"
    record_event(session, f"hearing.{outcome.value}", request, actor=actor)
    _carry_out(session, request, actor=actor, clock=clock)
    return request


def note_decision_received(
    session: Session, *, request_id: UUID, received_on: date, officer: str, clock: Clock
) -> HearingRequest:
    """The owner received the decision: fourteen days to comply ((E)(3)(a)(vii))."""
    request = _locked(session, request_id)
    if request.decided_on is None or request.outcome not in DECIDED:
        raise Refused([Refusal(Rule.HEARING, "There is no decision yet")])
    _not_in_future(received_on, clock)
    if received_on < request.decided_on:
        raise Refused([Refusal(Rule.HEARING, BEFORE_DECISION, "day")])
    request.decision_received_on = received_on
    session.flush()
    day = received_on.isoformat()
    record_event(session, "hearing.decision_received", request, actor=f"officer:{officer}", received_on=day)
    return request


def match_hearing(
    session: Session, *, request_id: UUID, designation_id: UUID, officer: str, city: City, clock: Clock
) -> HearingRequest:
    """A request that named no designation known here belongs to this one: from its notice the days count.

    A decision that was written down before counts for the designation too. Then it can't be moved to another.
    """
    request = _locked(session, request_id)
    if request.designation_id == designation_id:
        return request
    if request.designation_id is not None and request.outcome is not None:
        raise Refused([Refusal(Rule.HEARING, IS_DECIDED)])
    designation = locked_designation(session, designation_id)
    request.designation_id = designation.id
    request.kind = designation.kind
    if designation.noticed_on:
        due = hearing_by(designation.noticed_on, city.calendar)
        request.legal_last_day = due.legal_last_day
        request.is_late = due.is_late(request.asked_at.astimezone(city.time_zone).date())
    session.flush()
    actor = f"officer:{officer}"
    record_event(session, "hearing.matched", request, actor=actor)
    if request.outcome is not None:
        _carry_out(session, request, actor=actor, clock=clock)
    return request


def likely_designations(session: Session, request: HearingRequest) -> list[DangerousDesignation]:
    """What it may be about: of a dog that whoever asked keeps, or with a notice of the very day they named."""
    kept = select(Keeper.animal_id).where(Keeper.person_id == request.person_id, Keeper.until.is_(None))
    wanted = select(DangerousDesignation).where(
        DangerousDesignation.state.in_(OPEN),
        or_(DangerousDesignation.animal_id.in_(kept), DangerousDesignation.noticed_on == request.noticed_on),
    )
    by_age = wanted.order_by(DangerousDesignation.created_at.desc(), DangerousDesignation.id)
    return list(session.scalars(by_age.limit(MOST_LIKELY)))


def designation_called(session: Session, typed: str) -> UUID:
    """A designation by its reference, however it was typed; raises Refused for none."""
    reference = read_spoken_code(typed)
    found = session.scalar(select(DangerousDesignation.id).where(DangerousDesignation.reference == reference))
    if found is None:
        raise Refused([Refusal(Rule.HEARING, NO_SUCH, "reference")])
    return found


def hearings_open(session: Session, *, limit: int = 100) -> list[HearingRequest]:
    """Requests without an outcome, the one to be held or decided first at the top."""
    due_on = func.coalesce(HearingRequest.decide_by, HearingRequest.hold_by)
    wanted = select(HearingRequest).where(HearingRequest.outcome.is_(None))
    return list(session.scalars(wanted.order_by(due_on, HearingRequest.asked_at).limit(limit)))


def decisions_to_be_received(session: Session, *, limit: int) -> list[HearingRequest]:
    """Designations that were upheld, and nobody has written down when the owner received it; the oldest first."""
    wanted = select(HearingRequest).where(*TO_BE_RECEIVED)
    return list(session.scalars(wanted.order_by(HearingRequest.decided_on, HearingRequest.id).limit(limit)))


def _carry_out(session: Session, request: HearingRequest, *, actor: str, clock: Clock) -> None:
    """What the decision does to the designation, where it is known which."""
    if request.designation_id is None or request.decided_on is None or request.outcome not in DECIDED:
        return
    designation = locked_designation(session, request.designation_id)
    if request.outcome is HearingOutcome.NOT_UPHELD:
        state, day = DesignationState.NOT_UPHELD, request.decided_on
        end_designation(session, designation, state=state, ended_on=day, actor=actor, clock=clock)
    elif designation.final_on is None:
        designation.final_on = request.decided_on
        session.flush()


def _locked(session: Session, request_id: UUID) -> HearingRequest:
    request = session.get(HearingRequest, request_id, with_for_update=True, populate_existing=True)
    if request is None:
        raise NotTheirs("There is no such request")
    return request


def _undecided(session: Session, request_id: UUID) -> HearingRequest:
    request = _locked(session, request_id)
    if request.outcome is not None:
        raise Refused([Refusal(Rule.HEARING, IS_DECIDED)])
    return request


def _not_in_future(day: date, clock: Clock) -> None:
    if day > clock.today():
        raise Refused([Refusal(Rule.HEARING, IN_FUTURE)])
