"""A clinic asks for an account; the city decides (90.04(D)(2)). Nobody may file before."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.schema.clinic_access import ClinicMember
from portal.schema.clinics import Clinic, ClinicState
from portal.services.folding import folded
from portal.services.messages.queue_message import queue_message
from portal.services.record_event import record_event
from portal.services.signing_in.sign_in import email_key

STANDING = (ClinicState.ASKED, ClinicState.APPROVED, ClinicState.SUSPENDED)


@dataclass(frozen=True, kw_only=True)
class ClinicAsking:
    """What the page asks. Nothing of it is proved: the city calls the clinic before it approves."""

    name: str
    address: str
    phone: str
    email: str
    asked_by: str
    asker_email: str
    is_suspicious: bool = False


def ask_as_clinic(session: Session, asking: ClinicAsking, *, clock: Clock) -> None:
    """Note the clinic down, with who asks as its first member, and write to both mailboxes.

    A clinic that has asked, or has an account, is not asked for twice; nothing in the answer tells which it was.
    """
    key = email_key(asking.email)
    session.execute(select(func.pg_advisory_xact_lock(func.hashtext(key))))
    if _stands(session, key, asking.name):
        return
    clinic = Clinic(
        name=asking.name, address=asking.address, phone=asking.phone, email=asking.email.strip(), email_key=key
    )
    session.add(clinic)
    session.flush()
    session.add(
        ClinicMember(
            clinic_id=clinic.id,
            email=asking.asker_email.strip(),
            email_key=email_key(asking.asker_email),
            added_by="who asked",
        )
    )
    asked = {"asked_by": asking.asked_by, "is_suspicious": asking.is_suspicious}
    record_event(session, "clinic.asked", clinic, actor="clinic", **asked)
    context = {"clinic": clinic.name, "asked_by": asking.asked_by, "asker_email": asking.asker_email.strip()}
    for mailbox in mailboxes(clinic.email, asking.asker_email):
        queue_message(session, to=mailbox, template="clinic_asked", context=context, at=clock.now())


def mailboxes(*addresses: str) -> list[str]:
    """Each mailbox once, however it is written."""
    return list({email_key(address): address.strip() for address in addresses}.values())


def _stands(session: Session, key: str, name: str) -> bool:
    """Whether a clinic of this mailbox and name has asked before and was not refused."""
    same_mailbox = select(Clinic.name).where(Clinic.email_key == key, Clinic.state.in_(STANDING))
    return any(folded(known) == folded(name) for known in session.scalars(same_mailbox))
