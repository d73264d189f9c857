"""An accepted certificate whose printed date has passed since: before a license is issued on it, a person looks again.

90.04(D)(1) says "once every three years", and a label may say one. Where the city's gate holds to the label, what
somebody accepted in one year does not by itself carry the license of the next.
"""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Date, cast, exists, func, or_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.rabies import Gate
from portal.schema.animals import Animal
from portal.schema.clinics import ClinicFiling, FilingState
from portal.schema.licenses import License, LicenseState
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.licensing.issue_license import counts
from portal.services.record_event import SYSTEM, record_event

# A license waits for it. One that its clinic took back is told apart: it is asked about whether or not a license waits.
_APPLIED = (License.animal_id == Vaccination.animal_id, License.state == LicenseState.APPLIED)
_IN_QUESTION = (
    Vaccination.state == CertificateState.ACCEPTED,
    Vaccination.needs_review,
    ~exists().where(ClinicFiling.vaccination_id == Vaccination.id, ClinicFiling.state == FilingState.WITHDRAWN),
)
IN_QUESTION_COUNT = (
    select(func.count(Vaccination.id.distinct())).select_from(License).join(Vaccination, _APPLIED[0])
).where(_APPLIED[1], *_IN_QUESTION)


def look_again(session: Session, animal: Animal, *, city: City, clock: Clock) -> None:
    """Where none of its accepted certificates is good today, those that ran out wait for a person to say so or not.

    One that is in question already is not good: no license is issued on it (issue_license).
    """
    today = clock.today()
    accepted = select(Vaccination, _is_good(today, city)).where(Vaccination.animal_id == animal.id, counts(today))
    rows = session.execute(accepted.order_by(Vaccination.id).with_for_update()).all()
    if any(is_good for _, is_good in rows):
        return
    for vaccination, _ in rows:
        vaccination.needs_review = True
        record_event(session, "certificate.in_question", vaccination, actor=SYSTEM)
    session.flush()


def animals_to_look_at_again(
    session: Session, *, city: City, clock: Clock, after: UUID | None = None, limit: int = 100
) -> list[UUID]:
    """Animals whose license is applied for and not issued, and whose last printed date passed meanwhile; those after.

    A license is issued on the day it is paid for, so that is the day that counts (90.04(B)(3)). It asks for exactly
    what look_again changes: an animal that stayed listed would be locked every minute until its fee is paid.
    """
    if city.policy.vaccination_gate is Gate.ORDINANCE:
        return []
    today = clock.today()
    its = (Vaccination.animal_id == License.animal_id, counts(today))
    ran_out = exists().where(*its, Vaccination.certificate_due_on < today)
    is_vouched_for = exists().where(*its, _is_good(today, city))
    wanted = select(License.animal_id).where(License.state == LicenseState.APPLIED, ran_out, ~is_vouched_for)
    if after is not None:
        wanted = wanted.where(License.animal_id > after)
    return list(session.scalars(wanted.distinct().order_by(License.animal_id).limit(limit)))


def certificates_in_question(session: Session, *, limit: int = 100) -> list[tuple[Vaccination, Animal, datetime]]:
    """Each with its animal and since when a license waits for it, the longest first."""
    since = func.min(License.created_at)
    waiting = (
        select(Vaccination, Animal, since)
        .select_from(License)
        .join(Vaccination, _APPLIED[0])
        .join(Animal, Animal.id == Vaccination.animal_id)
        .where(_APPLIED[1], *_IN_QUESTION)
        .group_by(Vaccination.id, Animal.id)
        .order_by(since, Vaccination.id)
        .limit(limit)
    )
    return [(vaccination, animal, first) for vaccination, animal, first in session.execute(waiting)]


def _is_good(today: date, city: City) -> ColumnElement[bool]:
    """90.04(D)(1) read with the label: no printed date has passed since somebody accepted it.

    One that had passed already was looked at then, whichever of the two gates the city has: nobody is asked twice.
    """
    decided_at = func.coalesce(Vaccination.decided_at, Vaccination.created_at)
    decided_on = cast(func.timezone(city.time_zone.key, decided_at), Date)
    due_on = Vaccination.certificate_due_on
    return or_(due_on.is_(None), due_on >= today, due_on < decided_on)
