"""An officer writes down that a designated dog was seized, and what becomes of its security (90.13(E)(2), (J), (K)).

Nobody learns of it from the portal: the page says what to do once the officer has told the owner and entered it here.
"""

from dataclasses import dataclass
from datetime import date
from uuid import UUID, uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous_days import security_by
from portal.ordinance.finding import Refusal
from portal.schema.dangerous import DangerousDesignation
from portal.schema.dangerous_notices import SeizureSecurity
from portal.services.dangerous.designate_dog import check_standing, locked_designation
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused

NOTHING_NEW = "Enter what is known by now"
IN_FUTURE = "That day is in the future"
BEFORE = "That day is before the seizure"
NO_SECURITY = "Check the amount: more than nothing, and less than a million dollars"
CENTS_OF_A_MILLION = 100_000_000


@dataclass(frozen=True, kw_only=True)
class Seized:
    """Where the dog is kept, and whom to ask there; what its care costs, once that is known."""

    seized_on: date
    kept_at: str
    contact_name: str
    contact_phone: str
    amount_cents: int | None = None
    key: UUID | None = None
    """The key of the seizure, where the form that was filled in may come twice."""


def seize_dog(
    session: Session, seized: Seized, *, designation_id: UUID, officer: str, city: City, clock: Clock
) -> SeizureSecurity:
    """Enter a seizure whose owner was told, with the day by which security may be posted. Nobody is written to.

    Raises NotTheirs, or Refused for a designation that does not stand. What becomes of the dog is noted after that too.
    """
    designation = locked_designation(session, designation_id)
    if seized.key and (entered := session.get(SeizureSecurity, seized.key)):
        return entered
    check_standing(designation)
    reasons = _odd_amount(seized.amount_cents)
    if seized.seized_on > clock.today():
        reasons.append(Refusal(Rule.SECURITY, IN_FUTURE, "seized_on"))
    if reasons:
        raise Refused(reasons)
    due = security_by(seized.seized_on, city.calendar)
    seizure = SeizureSecurity(
        id=seized.key or uuid4(),
        designation_id=designation.id,
        seized_on=seized.seized_on,
        kept_at=seized.kept_at,
        contact_name=seized.contact_name,
        contact_phone=seized.contact_phone,
        amount_cents=seized.amount_cents,
        raw_due_on=due.raw_date,
        legal_last_day=due.legal_last_day,
        show_by=due.show_by,
        entered_by=officer,
    )
    session.add(seizure)
    session.flush()
    record_event(session, "dog.seized", seizure, actor=f"officer:{officer}", show_by=due.show_by.isoformat())
    return seizure


def note_seizure(
    session: Session,
    *,
    seizure_id: UUID,
    officer: str,
    amount_cents: int | None = None,
    posted_on: date | None = None,
    reclaim_told_on: date | None = None,
    released_on: date | None = None,
    clock: Clock,
) -> SeizureSecurity:
    """Write down what security is asked, that it was posted (late is taken and marked), or that the dog went home."""
    seizure = session.get(SeizureSecurity, seizure_id, with_for_update=True, populate_existing=True)
    if seizure is None:
        raise NotTheirs("There is no such seizure")
    days = {"posted_on": posted_on, "reclaim_told_on": reclaim_told_on, "released_on": released_on}
    given = {name: day for name, day in days.items() if day}
    if not given and amount_cents is None:
        raise Refused([Refusal(Rule.SECURITY, NOTHING_NEW, "amount")])
    reasons = _odd_amount(amount_cents)
    reasons += [Refusal(Rule.SECURITY, IN_FUTURE, name) for name, day in given.items() if day > clock.today()]
    reasons += [Refusal(Rule.SECURITY, BEFORE, name) for name, day in given.items() if day < seizure.seized_on]
    if reasons:
        raise Refused(reasons)
    if posted_on:
        seizure.posted_on, seizure.is_late = posted_on, posted_on > seizure.legal_last_day
    seizure.amount_cents = amount_cents or seizure.amount_cents
    seizure.reclaim_told_on = reclaim_told_on or seizure.reclaim_told_on
    seizure.released_on = released_on or seizure.released_on
    session.flush()
    told = {name: day.isoformat() for name, day in given.items()}
    record_event(session, "seizure.noted", seizure, actor=f"officer:{officer}", **told)
    return seizure


def seizures_open(session: Session, *, limit: int = 100) -> list[tuple[SeizureSecurity, DangerousDesignation]]:
    """Dogs that were seized and have not gone home, the first day to post security at the top."""
    wanted = (
        select(SeizureSecurity, DangerousDesignation)
        .join(DangerousDesignation, DangerousDesignation.id == SeizureSecurity.designation_id)
        .where(SeizureSecurity.released_on.is_(None))
        .order_by(SeizureSecurity.legal_last_day)
        .limit(limit)
    )
    return [(seizure, designation) for seizure, designation in session.execute(wanted)]


def seizures_of(session: Session, designation_id: UUID) -> list[SeizureSecurity]:
    """How often the dog was seized, the last one first."""
    its = select(SeizureSecurity).where(SeizureSecurity.designation_id == designation_id)
    return list(session.scalars(its.order_by(SeizureSecurity.seized_on.desc(), SeizureSecurity.created_at.desc())))


def _odd_amount(amount_cents: int | None) -> list[Refusal]:
    is_odd = amount_cents is not None and not 0 < amount_cents < CENTS_OF_A_MILLION
    return [Refusal(Rule.SECURITY, NO_SECURITY, "amount")] if is_odd else []
