"""The city approves a clinic, refuses it, or suspends it (90.04(D)(2)). Its members are told."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.clinic_access import ClinicMember
from portal.schema.clinics import Clinic, ClinicState
from portal.schema.events import Event
from portal.services.clinics.ask_as_clinic import mailboxes
from portal.services.messages.queue_message import queue_message
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.say_why import FOR_THE_CLINIC, said

# From where each decision leads where.
FROM = {
    ClinicState.APPROVED: (ClinicState.ASKED, ClinicState.REFUSED, ClinicState.SUSPENDED),
    ClinicState.REFUSED: (ClinicState.ASKED,),
    ClinicState.SUSPENDED: (ClinicState.APPROVED,),
}
NOT_FROM_HERE = "This clinic is {state}, so it cannot become {wanted}"
LETTERS = {ClinicState.APPROVED: "clinic_approved", ClinicState.REFUSED: "clinic_refused"}


@dataclass(frozen=True)
class ClinicAsked:
    """A clinic for the desk, with who asked and whether the form looked as if a machine had filled it in."""

    clinic: Clinic
    asked_by: str
    members: tuple[str, ...]
    is_suspicious: bool


def approve_clinic(session: Session, *, clinic_id: UUID, officer: str, clock: Clock) -> Clinic:
    """Its members may file from now on."""
    return _decide(session, clinic_id, ClinicState.APPROVED, officer=officer, reason=None, clock=clock)


def refuse_clinic(session: Session, *, clinic_id: UUID, officer: str, reason: str, clock: Clock) -> Clinic:
    """It gets no account; it reads why. Raises Refused without a reason."""
    why = said(reason, Rule.CERTIFICATE, FOR_THE_CLINIC)
    return _decide(session, clinic_id, ClinicState.REFUSED, officer=officer, reason=why, clock=clock)


def suspend_clinic(session: Session, *, clinic_id: UUID, officer: str, clock: Clock) -> Clinic:
    """Nobody files for it, by page or by token, until it is approved again. What it filed stays."""
    return _decide(session, clinic_id, ClinicState.SUSPENDED, officer=officer, reason=None, clock=clock)


def clinics(session: Session, *, only_waiting: bool) -> list[ClinicAsked]:
    """The clinics, oldest first: all of them, or those that wait for a decision."""
    wanted = select(Clinic).order_by(Clinic.created_at)
    if only_waiting:
        wanted = wanted.where(Clinic.state == ClinicState.ASKED)
    return [_with_who_asked(session, clinic) for clinic in session.scalars(wanted)]


def clinic_asked(session: Session, clinic_id: UUID) -> ClinicAsked:
    """One clinic, whatever its state."""
    return _with_who_asked(session, session.get_one(Clinic, clinic_id))


def _decide(
    session: Session, clinic_id: UUID, state: ClinicState, *, officer: str, reason: str | None, clock: Clock
) -> Clinic:
    clinic = session.get(Clinic, clinic_id, with_for_update=True)
    if clinic is None:
        raise NotTheirs("There is no such clinic")
    if clinic.state not in FROM[state]:
        raise Refused([Refusal(Rule.CERTIFICATE, NOT_FROM_HERE.format(state=clinic.state.value, wanted=state.value))])
    clinic.state = state
    clinic.decided_at = clock.now()
    clinic.decided_by = officer
    session.flush()
    record_event(session, f"clinic.{state.value}", clinic, actor=f"officer:{officer}", reason=reason)
    if template := LETTERS.get(state):
        context = {"clinic": clinic.name, "reason": reason, "path": "/vet"}
        for mailbox in mailboxes(clinic.email, *_members(session, clinic)):
            queue_message(session, to=mailbox, template=template, context=context, at=clock.now())
    return clinic


def _members(session: Session, clinic: Clinic) -> list[str]:
    current = select(ClinicMember.email).where(ClinicMember.clinic_id == clinic.id, ClinicMember.until.is_(None))
    return list(session.scalars(current.order_by(ClinicMember.created_at)))


def _with_who_asked(session: Session, clinic: Clinic) -> ClinicAsked:
    asked = select(Event.detail).where(
        Event.subject_table == Clinic.__tablename__, Event.subject_id == clinic.id, Event.kind == "clinic.asked"
    )
    detail = session.scalar(asked) or {}
    members = tuple(_members(session, clinic))
    return ClinicAsked(clinic, detail.get("asked_by", ""), members, bool(detail.get("is_suspicious")))
