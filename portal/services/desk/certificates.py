"""Rabies certificates that wait for a look (90.04(D)(2))."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.animals import Animal
from portal.schema.staff import StaffRole
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.certificates.decide_certificate import (
    TAKEN_BACK_COUNT,
    certificates_taken_back,
    certificates_waiting,
)
from portal.services.desk.queue import Queue, Waiting, promised
from portal.services.licensing.look_again import IN_QUESTION_COUNT, certificates_in_question


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    taken_back = certificates_taken_back(session, limit=limit)
    waiting = certificates_waiting(session, limit=limit)
    in_question = certificates_in_question(session, limit=limit)
    lines = [_line(vaccination, animal, city, "taken back by its clinic") for vaccination, animal in taken_back]
    lines += [
        _line(vaccination, animal, city, "look closely" if vaccination.needs_review else "")
        for vaccination, animal in waiting
    ]
    lines += [_line(vaccination, animal, city, "date passed", since) for vaccination, animal, since in in_question]
    return sorted(lines, key=lambda line: line.since)[:limit]


def _line(vaccination: Vaccination, animal: Animal, city: City, mark: str, since: datetime | None = None) -> Waiting:
    since = since or vaccination.created_at
    return Waiting(
        item_id=vaccination.id,
        what=f"Certificate of {animal.name}",
        detail=f"{animal.breed or animal.species.value}, {animal.color}" if animal.color else animal.species.value,
        since=since,
        due_on=promised(since, city.license.certificate_check_days, city=city),
        mark=mark,
    )


HOW_MANY = select(
    select(func.count()).where(Vaccination.state == CertificateState.SUBMITTED).scalar_subquery()
    + TAKEN_BACK_COUNT.scalar_subquery()
    + IN_QUESTION_COUNT.scalar_subquery()
)
CERTIFICATES = Queue("certificate", "Certificates to check", StaffRole.CLERK, _find, HOW_MANY)
