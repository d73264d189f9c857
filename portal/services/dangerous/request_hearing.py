"""An owner asks for a hearing about a designation: taken whenever it comes, to the second, without a fee (90.13(E)).

Whether the designation is known here or not, with an account or with the notice's code alone: it is never refused.
"""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Designated
from portal.ordinance.dangerous_days import hearing_by, hold_hearing_by
from portal.ordinance.finding import Refusal
from portal.ordinance.wall_clock import spoken_time
from portal.schema.dangerous import DangerousDesignation, NoticeDelivery
from portal.schema.dangerous_notices import HearingRequest
from portal.services.claim_submission import hold_key
from portal.services.messages.queue_message import queue_message
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import new_reference

SIGN = "Type your name to sign"
WHO = "Enter your name"


@dataclass(frozen=True, kw_only=True)
class HearingAsked:
    """What the owner writes. `key` is the form's submission key: the same again gives the same request."""

    key: UUID
    kind: Designated
    dog: str
    name: str
    signed_name: str
    noticed_on: date | None = None
    received_on: date | None = None
    delivery: NoticeDelivery | None = None
    grounds: str | None = None
    about_earlier: bool = False
    interpreter: str | None = None
    access_needs: str | None = None
    email: str | None = None
    phone: str | None = None
    address: str | None = None


def request_hearing(
    session: Session,
    asked: HearingAsked,
    *,
    designation: DangerousDesignation | None,
    person_id: UUID | None,
    city: City,
    clock: Clock,
) -> HearingRequest:
    """Take the request, with the exact time, and write a receipt.

    `designation` is one that the person may see: of a dog they keep, or by its code. Its notice date counts before
    the one they typed. Raises Refused only for a name or signature that is missing.
    """
    hold_key(session, asked.key)
    if (earlier := session.get(HearingRequest, asked.key)) is not None:
        if earlier.person_id != person_id:
            raise NotTheirs("No such request")
        return earlier
    if reasons := _refusals(asked):
        raise Refused(reasons)
    now = clock.now()
    noticed_on = (designation.noticed_on if designation else None) or asked.noticed_on
    due = hearing_by(noticed_on, city.calendar) if noticed_on else None
    request = HearingRequest(
        id=asked.key,
        reference=new_reference(),
        designation_id=designation.id if designation else None,
        person_id=person_id,
        kind=designation.kind if designation else asked.kind,
        about_earlier=asked.about_earlier,
        dog=asked.dog,
        noticed_on=asked.noticed_on,
        received_on=asked.received_on,
        delivery=asked.delivery,
        grounds=asked.grounds,
        interpreter=asked.interpreter,
        access_needs=asked.access_needs,
        name=asked.name,
        email=asked.email,
        phone=asked.phone,
        address=asked.address,
        signed_name=asked.signed_name,
        asked_at=now,
        legal_last_day=due.legal_last_day if due else None,
        is_late=due.is_late(clock.today()) if due else False,
        hold_by=hold_hearing_by(clock.today(), city.calendar).legal_last_day,
    )
    session.add(request)
    session.flush()
    record_event(session, "hearing.requested", request, actor=keeper(person_id), is_late=request.is_late)
    _tell(session, request, city=city, clock=clock)
    return request


def hearing_receipt(session: Session, *, request_id: UUID) -> HearingRequest | None:
    """A request for the browser that sent it, which alone knows its key."""
    return session.get(HearingRequest, request_id)


def exact_time(moment: datetime, city: City) -> str:
    """An instant as a receipt says it, to the second, in the city's time."""
    local = moment.astimezone(city.time_zone)
    return f"{local:%B %-d, %Y} at {spoken_time(local.time(), seconds=True)}"


def _refusals(asked: HearingAsked) -> list[Refusal]:
    found = []
    if not asked.name.strip():
        found.append(Refusal(Rule.HEARING_REQUEST, WHO, "name"))
    if not asked.signed_name.strip():
        found.append(Refusal(Rule.HEARING_REQUEST, SIGN, "signed_name"))
    return found


def _tell(session: Session, request: HearingRequest, *, city: City, clock: Clock) -> None:
    """A receipt for whoever asked, and a letter to the police, who have fourteen days to hold it."""
    told = {
        "reference": request.reference,
        "received_at": exact_time(request.asked_at, city),
        "hold_by": request.hold_by.isoformat(),
        "is_late": request.is_late,
    }
    if request.email:
        queue_message(session, to=request.email, template="hearing_received", context=told, at=clock.now())
    if city.police.email:
        queue_message(session, to=city.police.email, template="hearing_requested", context=told, at=clock.now())
