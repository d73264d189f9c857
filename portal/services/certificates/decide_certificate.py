"""Staff accept a certificate, send it back with the reason, or undo what was accepted by mistake (90.04(D))."""

from uuid import UUID

from sqlalchemy import exists, func, select, text
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal
from portal.schema.clinics import ClinicFiling
from portal.schema.licenses import License, LicenseState
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.certificates.good_to import vaccination_good_to
from portal.services.licensing.issue_license import issue_ready, licenses_waiting
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.say_why import FOR_THE_KEEPER, said

ALREADY_DECIDED = "This certificate was decided already: it is {state}"
NOT_ACCEPTED_YET = "This certificate is not accepted yet: accept it, or send it back"
NOT_ACCEPTED = "This certificate is not accepted, so there is nothing to undo"
# Taking it back asks for an officer's look; whoever has decided since has looked.
TAKEN_BACK = (
    text("clinic_filing.state = 'withdrawn' AND clinic_filing.vaccination_id IS NOT NULL"),
    Vaccination.state == CertificateState.ACCEPTED,
    Vaccination.needs_review,
)
TAKEN_BACK_COUNT = (
    select(func.count())
    .select_from(Vaccination)
    .join(ClinicFiling, ClinicFiling.vaccination_id == Vaccination.id)
    .where(*TAKEN_BACK)
)


def accept_certificate(
    session: Session, *, vaccination_id: UUID, officer: str, city: City, clock: Clock
) -> Vaccination:
    """Accept it, and issue each license of the dog that only waited for it."""
    vaccination = _undecided(session, vaccination_id)
    vaccination.needs_review = False
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
    why = said(reason, "90.04(D)(2)", FOR_THE_KEEPER)
    vaccination = _undecided(session, vaccination_id, or_in_question=True)
    return _send_back(session, vaccination, officer=officer, why=why, clock=clock)


def undo_acceptance(session: Session, *, vaccination_id: UUID, officer: str, reason: str, clock: Clock) -> Vaccination:
    """It was accepted by mistake: it does not count any more, and the keeper reads why.

    A license that was issued on it stays in force: no rule ends one by itself, (B)(3) is about granting it. Raises
    Refused without a reason, or for one that is not accepted.
    """
    why = said(reason, "90.04(D)(2)", FOR_THE_KEEPER)
    vaccination = _locked(session, vaccination_id)
    if vaccination.state is not CertificateState.ACCEPTED:
        raise Refused([Refusal("90.04(D)(2)", NOT_ACCEPTED)])
    return _send_back(session, vaccination, officer=officer, why=why, clock=clock)


def licenses_issued_on(session: Session, vaccination_id: UUID) -> list[License]:
    """The licenses that were issued on it and are not revoked, by year."""
    issued = select(License).where(License.vaccination_id == vaccination_id, License.state == LicenseState.ISSUED)
    return list(session.scalars(issued.order_by(License.year)))


def _send_back(session: Session, vaccination: Vaccination, *, officer: str, why: str, clock: Clock) -> Vaccination:
    was_accepted = vaccination.state is CertificateState.ACCEPTED
    vaccination.state = CertificateState.SENT_BACK
    vaccination.decided_at = clock.now()
    vaccination.decided_by = officer
    vaccination.decision_reason = why
    session.flush()
    detail = {"before": CertificateState.ACCEPTED.value} if was_accepted else {}
    record_event(session, "certificate.sent_back", vaccination, actor=f"officer:{officer}", **detail)
    context = {
        "reason": vaccination.decision_reason,
        "was_accepted": was_accepted,
        "is_licensed": was_accepted and bool(licenses_issued_on(session, vaccination.id)),
    }
    tell_keepers(session, _animal(session, vaccination), template="certificate_sent_back", context=context, clock=clock)
    return vaccination


def keep_certificate(session: Session, *, vaccination_id: UUID, officer: str, clock: Clock) -> Vaccination:
    """An accepted one stays so though its clinic took it back, or its printed date passed.

    Each license of the dog that only waited for it is issued.
    """
    vaccination = _undecided(session, vaccination_id, or_in_question=True)
    if vaccination.state is not CertificateState.ACCEPTED:
        raise Refused([Refusal("90.04(D)(2)", NOT_ACCEPTED_YET)])
    vaccination.needs_review = False
    vaccination.decided_at = clock.now()
    vaccination.decided_by = officer
    session.flush()
    record_event(session, "certificate.kept", vaccination, actor=f"officer:{officer}")
    issue_ready(session, licenses_waiting(session, vaccination.animal_id), clock=clock)
    return vaccination


def certificates_taken_back(session: Session, *, limit: int = 100) -> list[tuple[Vaccination, Animal]]:
    """Accepted ones whose clinic took its filing back afterwards: an officer keeps or sends them back.

    Those that came first go first, as among the ones that wait: from that day the answer is promised.
    """
    taken_back = (
        select(Vaccination, Animal)
        .join(ClinicFiling, ClinicFiling.vaccination_id == Vaccination.id)
        .join(Animal, Animal.id == Vaccination.animal_id)
        .where(*TAKEN_BACK)
        .order_by(Vaccination.created_at, Vaccination.id)
        .limit(limit)
    )
    return [(vaccination, animal) for vaccination, animal in session.execute(taken_back)]


def certificates_waiting(session: Session, *, limit: int = 100) -> list[tuple[Vaccination, Animal]]:
    """The officer's queue, oldest first."""
    waiting = (
        select(Vaccination, Animal)
        .join(Animal, Animal.id == Vaccination.animal_id)
        .where(Vaccination.state == CertificateState.SUBMITTED)
        .order_by(Vaccination.created_at, Vaccination.id)
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


def _locked(session: Session, vaccination_id: UUID) -> Vaccination:
    vaccination = session.get(Vaccination, vaccination_id, with_for_update=True, populate_existing=True)
    if vaccination is None:
        raise NotTheirs("There is no such certificate")
    return vaccination


def _undecided(session: Session, vaccination_id: UUID, *, or_in_question: bool = False) -> Vaccination:
    vaccination = _locked(session, vaccination_id)
    is_open = vaccination.state is CertificateState.SUBMITTED or (or_in_question and is_in_question(vaccination))
    if not is_open:
        sentence = ALREADY_DECIDED.format(state=vaccination.state.value.replace("_", " "))
        raise Refused([Refusal("90.04(D)(2)", sentence)])
    return vaccination


def is_in_question(vaccination: Vaccination) -> bool:
    """Accepted, and a person has to look again before a license is issued on it."""
    return vaccination.state is CertificateState.ACCEPTED and vaccination.needs_review


def is_taken_back(session: Session, vaccination: Vaccination) -> bool:
    """Accepted, and taken back by its clinic afterwards: somebody has to look again."""
    taken_back = exists().where(
        Vaccination.id == vaccination.id, ClinicFiling.vaccination_id == Vaccination.id, *TAKEN_BACK
    )
    return bool(session.scalar(select(taken_back)))


def _animal(session: Session, vaccination: Vaccination) -> Animal:
    return session.get_one(Animal, vaccination.animal_id)
