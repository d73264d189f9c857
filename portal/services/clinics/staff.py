"""The mailboxes that may file for a clinic: its own members add and remove them."""

from uuid import UUID

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.clinic_access import ClinicMember
from portal.schema.clinics import Clinic, ClinicState
from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.messages.queue_message import queue_message
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.signing_in.sign_in import email_key

# Who may file, or may again once the city says so: of these somebody is told when another mailbox takes a place.
WITH_AN_ACCOUNT = (ClinicState.APPROVED, ClinicState.SUSPENDED)
THE_LAST_ONE = "This is the clinic’s only mailbox. Add another one before you remove it"


def members_of(session: Session, *, clinic_id: UUID) -> list[ClinicMember]:
    """The current members, first come first."""
    current = select(ClinicMember).where(ClinicMember.clinic_id == clinic_id, ClinicMember.until.is_(None))
    return list(session.scalars(current.order_by(ClinicMember.created_at, ClinicMember.id)))


def member_of(session: Session, *, clinic_id: UUID, member_id: UUID) -> ClinicMember:
    """One current member of this clinic; anybody else's does not exist for it."""
    mine = select(ClinicMember).where(
        ClinicMember.id == member_id, ClinicMember.clinic_id == clinic_id, ClinicMember.until.is_(None)
    )
    member = session.scalar(mine)
    if member is None:
        raise NotTheirs("No such member")
    return member


def add_member(session: Session, staff: ClinicStaff, *, email: str, clock: Clock) -> None:
    """A mailbox that may file from now on; one that may already stays as it is. It is told by letter."""
    # Before the row is written: `follow_mailbox` has the clinic first too, so neither holds what the other waits for.
    clinic = session.get_one(Clinic, staff.clinic_id, with_for_update=True)
    added = insert(ClinicMember).values(
        clinic_id=staff.clinic_id, email=email.strip(), email_key=email_key(email), added_by=staff.email
    )
    key = session.scalar(added.on_conflict_do_nothing().returning(ClinicMember.id))
    if key is None:
        return
    record_event(session, "clinic.member_added", clinic, actor=f"clinic:{clinic.id}", member=str(key))
    context = {"clinic": clinic.name, "added_by": staff.email, "path": "/vet"}
    queue_message(session, to=email.strip(), template="clinic_member", context=context, at=clock.now())


def remove_member(session: Session, staff: ClinicStaff, *, member_id: UUID, clock: Clock) -> None:
    """A mailbox that no longer may file, from this moment; raises NotTheirs, or Refused for the last one."""
    clinic = session.get_one(Clinic, staff.clinic_id, with_for_update=True)
    member = member_of(session, clinic_id=staff.clinic_id, member_id=member_id)
    left = select(func.count()).where(ClinicMember.clinic_id == staff.clinic_id, ClinicMember.until.is_(None))
    if session.scalar(left) == 1:
        raise Refused([Refusal(Rule.CERTIFICATE, THE_LAST_ONE)])
    member.until = clock.now()
    session.flush()
    record_event(session, "clinic.member_removed", clinic, actor=f"clinic:{clinic.id}", member=str(member.id))


def clinics_filed_for(session: Session, *, email: str) -> list[str]:
    """The names of the clinics whose staff a mailbox belongs to."""
    theirs = select(Clinic.name).join(ClinicMember, ClinicMember.clinic_id == Clinic.id).where(*_is_current(email))
    return list(session.scalars(theirs.where(Clinic.state.in_(WITH_AN_ACCOUNT)).order_by(Clinic.name)))


def follow_mailbox(session: Session, *, old_email: str, new_email: str, actor: str, clock: Clock) -> None:
    """Somebody proved another mailbox: from now on that one files for their clinics, and the old one for none.

    The others who file for them are told by letter; whoever changed it reads it in their own. `actor` did it: nobody
    at the clinic did.
    """
    theirs = select(Clinic).join(ClinicMember, ClinicMember.clinic_id == Clinic.id).where(*_is_current(old_email))
    for clinic in session.scalars(theirs.order_by(Clinic.id).with_for_update(of=Clinic)).all():
        # Read once the clinic is locked: its staff may have changed while we waited.
        members = members_of(session, clinic_id=clinic.id)
        member = next((one for one in members if one.email_key == email_key(old_email)), None)
        if member is None:
            continue
        if any(one.email_key == email_key(new_email) for one in members):
            member.until = clock.now()
        else:
            member.email, member.email_key = new_email, email_key(new_email)
        session.flush()
        record_event(session, "clinic.member_changed", clinic, actor=actor, member=str(member.id))
        if clinic.state in WITH_AN_ACCOUNT:
            told = [one.email for one in members if one.email_key not in (email_key(old_email), email_key(new_email))]
            _tell_of_mailbox(session, clinic, told, old_email=old_email, new_email=new_email, clock=clock)


def _is_current(email: str) -> tuple[ColumnElement[bool], ...]:
    return ClinicMember.email_key == email_key(email), ClinicMember.until.is_(None)


def _tell_of_mailbox(
    session: Session, clinic: Clinic, told: list[str], *, old_email: str, new_email: str, clock: Clock
) -> None:
    context = {"clinic": clinic.name, "old_email": old_email, "new_email": new_email, "path": "/vet/staff"}
    for email in told:
        queue_message(session, to=email, template="clinic_member_changed", context=context, at=clock.now())
