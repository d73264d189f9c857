"""The city sets a hearing, holds it and writes down what was decided, and when the owner received it (90.13(E)(1))."""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous_days import decide_hearing_by
from portal.ordinance.finding import Refusal
from portal.schema.dangerous import DesignationState
from portal.schema.dangerous_notices import HearingOutcome, HearingRequest
from portal.services.designate_dog import end_designation, locked_designation
from portal.services.queue_message import queue_message
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.request_hearing import exact_time

IS_DECIDED = "This hearing was decided already"
IN_FUTURE = "That day is in the future"


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
    record_event(session, f"hearing.{outcome.value}", request, actor=f"officer:{officer}")
    if request.designation_id is None or outcome is HearingOutcome.WITHDRAWN:
        return request
    designation = locked_designation(session, request.designation_id)
    if outcome is HearingOutcome.NOT_UPHELD:
        state = DesignationState.NOT_UPHELD
        actor = f"officer:{officer}"
        end_designation(session, designation, state=state, ended_on=decided_on, actor=actor, clock=clock)
    elif designation.final_on is None:
        designation.final_on = decided_on
        session.flush()
    return request


def note_decision_received(
    session: Session, *, request_id: UUID, received_on: date, officer: str, clock: Clock
) -> HearingRequest:
    """The owner received the decision: fourteen days to comply ((E)(3)(a)(vii))."""
    request = _locked(session, request_id)
    if request.decided_on is None:
        raise Refused([Refusal(Rule.HEARING, "There is no decision yet")])
    _not_in_future(received_on, clock)
    request.decision_received_on = received_on
    session.flush()
    day = received_on.isoformat()
    record_event(session, "hearing.decision_received", request, actor=f"officer:{officer}", received_on=day)
    return request


def match_hearing(session: Session, *, request_id: UUID, designation_id: UUID, officer: str) -> HearingRequest:
    """A request that named no designation known here belongs to this one."""
    request = _locked(session, request_id)
    designation = locked_designation(session, designation_id)
    request.designation_id = designation.id
    session.flush()
    record_event(session, "hearing.matched", request, actor=f"officer:{officer}")
    return request


def hearings_open(session: Session, *, limit: int = 100) -> list[HearingRequest]:
    """Requests without an outcome, the one to be held first at the top."""
    wanted = select(HearingRequest).where(HearingRequest.outcome.is_(None))
    return list(session.scalars(wanted.order_by(HearingRequest.hold_by, HearingRequest.created_at).limit(limit)))


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
