"""An officer accepts a certificate or sends it back with the reason (90.04(D))."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.good_to import vaccination_good_to
from portal.services.issue_license import issue_ready, licenses_waiting
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.tell_keepers import tell_keepers

ALREADY_DECIDED = "This certificate was decided already: it is {state}"


def accept_certificate(
    session: Session, *, vaccination_id: UUID, officer: str, city: City, clock: Clock
) -> Vaccination:
    """Accept it, and issue each license of the dog that only waited for it."""
    vaccination = _undecided(session, vaccination_id)
    _accept(session, vaccination, decided_by=officer, actor=f"officer:{officer}", city=city, clock=clock)
    return vaccination


def accept_from_clinic(
    session: Session, vaccination: Vaccination, *, clinic_id: UUID, city: City, clock: Clock
) -> None:
    """What an approved clinic filed itself is accepted on its word (90.04(D)(2))."""
    clinic = f"clinic:{clinic_id}"
    _accept(session, vaccination, decided_by=clinic, actor=clinic, city=city, clock=clock)


def send_certificate_back(
    session: Session, *, vaccination_id: UUID, officer: str, reason: str, clock: Clock
) -> Vaccination:
    """Send it back; the keeper reads the reason as it is written here. Raises Refused without one."""
    if not reason.strip():
        raise Refused([Refusal("90.04(D)(2)", "Say why, in words the keeper will read", "reason")])
    vaccination = _undecided(session, vaccination_id)
    vaccination.state = CertificateState.SENT_BACK
    vaccination.decided_at = clock.now()
    vaccination.decided_by = officer
    vaccination.decision_reason = reason.strip()
    session.flush()
    record_event(session, "certificate.sent_back", vaccination, actor=f"officer:{officer}")
    context = {"reason": vaccination.decision_reason}
    tell_keepers(session, _animal(session, vaccination), template="certificate_sent_back", context=context, clock=clock)
    return vaccination


def certificates_waiting(session: Session, *, limit: int = 100) -> list[tuple[Vaccination, Animal]]:
    """The officer's queue, oldest first."""
    waiting = (
        select(Vaccination, Animal)
        .join(Animal, Animal.id == Vaccination.animal_id)
        .where(Vaccination.state == CertificateState.SUBMITTED)
        .order_by(Vaccination.created_at)
        .limit(limit)
    )
    return [(vaccination, animal) for vaccination, animal in session.execute(waiting)]


def _accept(
    session: Session, vaccination: Vaccination, *, decided_by: str, actor: str, city: City, clock: Clock
) -> None:
    vaccination.state = CertificateState.ACCEPTED
    vaccination.decided_at = clock.now()
    vaccination.decided_by = decided_by
    session.flush()
    record_event(session, "certificate.accepted", vaccination, actor=actor)
    last_day = vaccination_good_to(vaccination, city)
    context = {"good_until": last_day.isoformat() if last_day else None}
    tell_keepers(session, _animal(session, vaccination), template="certificate_accepted", context=context, clock=clock)
    issue_ready(session, licenses_waiting(session, vaccination.animal_id), clock=clock)


def _undecided(session: Session, vaccination_id: UUID) -> Vaccination:
    vaccination = session.get(Vaccination, vaccination_id, with_for_update=True)
    if vaccination is None:
        raise NotTheirs("There is no such certificate")
    if vaccination.state is not CertificateState.SUBMITTED:
        sentence = ALREADY_DECIDED.format(state=vaccination.state.value.replace("_", " "))
        raise Refused([Refusal("90.04(D)(2)", sentence)])
    return vaccination


def _animal(session: Session, vaccination: Vaccination) -> Animal:
    return session.get_one(Animal, vaccination.animal_id)
