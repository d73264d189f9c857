"""An accepted certificate whose printed date has passed since: before a license is issued on it, a person looks again.

90.04(D)(1) says "once every three years", and a label may say one. Where the city's gate holds to the label, what
somebody accepted in one year does not by itself carry the license of the next.
"""

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.certificate_life import AcceptedDates, good_until
from portal.ordinance.rabies import Gate
from portal.schema.animals import Animal
from portal.schema.clinics import ClinicFiling, FilingState
from portal.schema.licenses import License, LicenseState
from portal.schema.vaccinations import CertificateState, Vaccination

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
    accepted = select(Vaccination).where(
        Vaccination.animal_id == animal.id,
        Vaccination.state == CertificateState.ACCEPTED,
        Vaccination.needs_review.is_(False),
    )
    today = clock.today()
    rows = session.scalars(accepted.order_by(Vaccination.id).with_for_update()).all()
    over = list(_over(rows, on=today, city=city))
    if len(over) < len(rows):
        return
    for vaccination in over:
        vaccination.needs_review = True
    session.flush()


def animals_to_look_at_again(
    session: Session, *, city: City, clock: Clock, after: UUID | None = None, limit: int = 100
) -> list[UUID]:
    """Animals whose license is applied for and not issued, with a printed date that passed meanwhile; those after.

    A license is issued on the day it is paid for, so that is the day that counts (90.04(B)(3)).
    """
    if city.policy.vaccination_gate is Gate.ORDINANCE:
        return []
    ran_out = exists().where(
        Vaccination.animal_id == License.animal_id,
        Vaccination.state == CertificateState.ACCEPTED,
        Vaccination.needs_review.is_(False),
        Vaccination.certificate_due_on < clock.today(),
    )
    wanted = select(License.animal_id).where(License.state == LicenseState.APPLIED, ran_out)
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


def _over(rows: Iterable[Vaccination], *, on: date, city: City) -> Iterator[Vaccination]:
    for vaccination in rows:
        decided_at = vaccination.decided_at or vaccination.created_at
        dates = AcceptedDates(
            ordinance_until=vaccination.ordinance_until,
            certificate_due=vaccination.certificate_due_on,
            accepted_on=decided_at.astimezone(city.time_zone).date(),
        )
        good_to = good_until(dates, city.policy.vaccination_gate)
        if good_to is not None and good_to < on:
            yield vaccination
