"""A clinic tells animal control in writing of an animal that may be rabid, after the phone call (90.08(C))."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import insert
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.clinics import Clinic
from portal.schema.rabies_notices import RabiesNotice
from portal.services.claim_submission import claim_submission
from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.messages.queue_message import queue_message
from portal.services.record_event import record_event


@dataclass(frozen=True, kw_only=True)
class SuspectedRabies:
    """What the notice says, as typed."""

    called: str
    animal: str
    where: str
    owner: str
    what: str
    phone: str


def report_suspected_rabies(
    session: Session,
    notice: SuspectedRabies,
    *,
    staff: ClinicStaff,
    account_id: UUID,
    key: UUID,
    city: City,
    clock: Clock,
) -> None:
    """Keep it for animal control, and write it to the police. The same submission key again sends nothing more.

    Where the police have no mailbox it waits in the officer's list alone, and the clinic is told so. The words are not
    in the feed, which is read by more people than they are meant for.
    """
    if claim_submission(session, key, account_id=account_id) is not None:
        return
    clinic = session.get_one(Clinic, staff.clinic_id)
    kept = {
        "clinic_id": clinic.id,
        "sent_by": staff.email,
        "called": notice.called,
        "animal": notice.animal,
        "place": notice.where,
        "owner": notice.owner,
        "what": notice.what,
        "phone": notice.phone,
    }
    session.execute(insert(RabiesNotice).values(kept).inline())
    record_event(session, "rabies.suspected", clinic, actor=f"clinic:{clinic.id}")
    if city.police.email is None:
        return
    context = {
        "clinic": clinic.name,
        "clinic_phone": clinic.phone,
        "sender": staff.email,
        "called": notice.called,
        "animal": notice.animal,
        "where": notice.where,
        "owner": notice.owner,
        "what": notice.what,
        "phone": notice.phone,
    }
    queue_message(session, to=city.police.email, template="suspected_rabies", context=context, at=clock.now())
