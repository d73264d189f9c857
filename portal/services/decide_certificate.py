"""An officer accepts a certificate or sends it back with the reason (90.04(D))."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.issue_license import issue_ready, licenses_waiting
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.tell_keepers import tell_keepers

ALREADY_DECIDED = "This certificate was decided already: it is {state}"


def accept_certificate(session: Session, *, vaccination_id: UUID, officer: str, clock: Clock) -> Vaccination:
    """Accept it, and issue each license of the dog that only waited for it."""
    vaccination = _undecided(session, vaccination_id)
    _accept(session, vaccination, decided_by=officer, actor=f"officer:{officer}", clock=clock)
    return vaccination


def accept_from_clinic(session: Session, vaccination: Vaccination, *, clinic_id: UUID, clock: Clock) -> None:
    """What an approved clinic filed itself is accepted on its word (90.04(D)(2))."""
    clinic = f"clinic:{clinic_id}"
    _accept(session, vaccination, decided_by=clinic, actor=clinic, clock=clock)


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
    _tell_keepers(session, vaccination, template="certificate_sent_back", clock=clock)
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


def _accept(session: Session, vaccination: Vaccination, *, decided_by: str, actor: str, clock: Clock) -> None:
    vaccination.state = CertificateState.ACCEPTED
    vaccination.decided_at = clock.now()
    vaccination.decided_by = decided_by
    session.flush()
    record_event(session, "certificate.accepted", vaccination, actor=actor)
    _tell_keepers(session, vaccination, template="certificate_accepted", clock=clock)
    issue_ready(session, licenses_waiting(session, vaccination.animal_id), clock=clock)


def _undecided(session: Session, vaccination_id: UUID) -> Vaccination:
    vaccination = session.get(Vaccination, vaccination_id, with_for_update=True)
    if vaccination is None:
        raise NotTheirs("There is no such certificate")
    if vaccination.state is not CertificateState.SUBMITTED:
        sentence = ALREADY_DECIDED.format(state=vaccination.state.value.replace("_", " "))
        raise Refused([Refusal("90.04(D)(2)", sentence)])
    return vaccination


def _tell_keepers(session: Session, vaccination: Vaccination, *, template: str, clock: Clock) -> None:
    good_until = vaccination.certificate_due_on or vaccination.ordinance_until
    context = {
        "reason": vaccination.decision_reason,
        "good_until": good_until.isoformat() if good_until else None,
    }
    animal = session.get_one(Animal, vaccination.animal_id)
    tell_keepers(session, animal, template=template, context=context, clock=clock)
