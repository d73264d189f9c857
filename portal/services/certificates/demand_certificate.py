"""An officer demands an animal's rabies certificate; it is to be shown within seven days (90.04(D)(2), 645.15)."""

from datetime import date, datetime
from uuid import UUID, uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.deadlines import Trigger, act_by
from portal.ordinance.finding import Refusal
from portal.ordinance.periods import PRESENT_CERTIFICATE
from portal.schema.animals import Animal, AnimalState
from portal.schema.clinics import CertificateDemand
from portal.schema.vaccinations import Vaccination
from portal.services.claim_submission import hold_key
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import SYSTEM, record_event
from portal.services.refusal import NotTheirs, Refused

RULE = "90.04(D)(2)"
NOT_KEPT = "This animal is not kept here any more, so its certificate can’t be demanded"
IN_FUTURE = "The day of the demand is in the future"


def demand_certificate(
    session: Session,
    *,
    animal_id: UUID,
    officer: str,
    demanded_on: date | None = None,
    key: UUID | None = None,
    city: City,
    clock: Clock,
) -> CertificateDemand:
    """Note the demand and write to the keepers by which day to show the certificate. The same key twice is one."""
    if key:
        hold_key(session, key)
        if earlier := session.get(CertificateDemand, key):
            return earlier
    animal = session.get(Animal, animal_id)
    if animal is None:
        raise NotTheirs("There is no such animal")
    on = demanded_on or clock.today()
    if animal.state is not AnimalState.KEPT:
        raise Refused([Refusal(RULE, NOT_KEPT)])
    if on > clock.today():
        raise Refused([Refusal(RULE, IN_FUTURE, "demanded_on")])
    deadline = act_by(PRESENT_CERTIFICATE, Trigger(on, "the officer's word"), city.calendar)
    demand = CertificateDemand(
        id=key or uuid4(),
        animal_id=animal.id,
        officer=officer,
        demanded_on=on,
        raw_due_on=deadline.raw_date,
        legal_last_day=deadline.legal_last_day,
        show_by=deadline.show_by,
    )
    session.add(demand)
    session.flush()
    show_by = deadline.show_by.isoformat()
    record_event(session, "certificate.demanded", demand, actor=f"officer:{officer}", show_by=show_by)
    context = {"demanded_on": on.isoformat(), "show_by": show_by, "path": f"/dogs/{animal.id}/certificate"}
    tell_keepers(session, animal, template="certificate_demanded", context=context, clock=clock)
    return demand


def present_certificate(
    session: Session, vaccination: Vaccination, *, uploaded_at: datetime, city: City, clock: Clock
) -> None:
    """A certificate that came through the portal was shown when it was uploaded, if the city says so.

    It answers every open demand. A file that was there before the demand was shown when it was sent in answer to it.
    """
    if not city.policy.upload_counts_as_presented:
        return
    for demand in _open_demands(session, vaccination.animal_id):
        is_answer = _civil(uploaded_at, city) >= demand.demanded_on and uploaded_at <= clock.now()
        shown_at = uploaded_at if is_answer else clock.now()
        _note_shown(session, demand, at=shown_at, on=_civil(shown_at, city), actor=SYSTEM, vaccination=vaccination)


def show_to_officer(
    session: Session, *, demand_id: UUID, officer: str, shown_on: date | None = None, clock: Clock
) -> CertificateDemand:
    """The paper itself was shown, at the door or at the counter; late is taken and marked."""
    demand = session.get(CertificateDemand, demand_id, with_for_update=True)
    if demand is None:
        raise NotTheirs("There is no such demand")
    if demand.presented_at is not None:
        raise Refused([Refusal(RULE, "The certificate was shown already")])
    on = shown_on or clock.today()
    if on > clock.today() or on < demand.demanded_on:
        raise Refused([Refusal(RULE, "It was shown between the day of the demand and today", "shown_on")])
    _note_shown(session, demand, at=clock.now(), on=on, actor=f"officer:{officer}", vaccination=None)
    return demand


def demands_open(session: Session, *, limit: int = 100) -> list[tuple[CertificateDemand, Animal]]:
    """Demands that nothing was shown for yet, the most pressing first."""
    wanted = (
        select(CertificateDemand, Animal)
        .join(Animal, Animal.id == CertificateDemand.animal_id)
        .where(CertificateDemand.presented_at.is_(None))
        .order_by(CertificateDemand.legal_last_day, CertificateDemand.created_at)
        .limit(limit)
    )
    return [(demand, animal) for demand, animal in session.execute(wanted)]


def _open_demands(session: Session, animal_id: UUID) -> list[CertificateDemand]:
    wanted = select(CertificateDemand).where(
        CertificateDemand.animal_id == animal_id, CertificateDemand.presented_at.is_(None)
    )
    return list(session.scalars(wanted.order_by(CertificateDemand.created_at).with_for_update()))


def _note_shown(
    session: Session,
    demand: CertificateDemand,
    *,
    at: datetime,
    on: date,
    actor: str,
    vaccination: Vaccination | None,
) -> None:
    demand.presented_at = at
    demand.is_late = on > demand.legal_last_day
    demand.vaccination_id = vaccination.id if vaccination else None
    session.flush()
    record_event(session, "certificate.presented", demand, actor=actor, is_late=demand.is_late)


def _civil(instant: datetime, city: City) -> date:
    """The city's day of an instant."""
    return instant.astimezone(city.time_zone).date()
