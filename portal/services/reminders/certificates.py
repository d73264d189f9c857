"""Reminders of a rabies certificate that is about to lapse (90.04(D)(1)); cats have one too."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Date, Row, Select, and_, exists, func, literal_column, or_, tuple_
from sqlalchemy.orm import aliased

from portal.city import City
from portal.ordinance.reminders import days_in_question
from portal.schema.animals import Animal
from portal.schema.reminders import ReminderKind
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.certificates.good_to import good_to
from portal.services.reminders.reminding import Asking, Sort, Thing, reminders_of_pets

LONG_AGO = literal_column("DATE '-infinity'", Date)


def _certificates(asking: Asking, steps: tuple[int, ...]) -> Select[Any] | None:
    """The certificate that counts of each animal, when one of its dates is near and no newer one waits for an officer.

    To which of its dates it is good, the law says when the row is read.
    """
    first, last = days_in_question(steps, on=asking.today)
    other = aliased(Vaccination)
    newness = tuple_(func.coalesce(Vaccination.given_on, LONG_AGO), Vaccination.created_at)
    is_newer = tuple_(func.coalesce(other.given_on, LONG_AGO), other.created_at) > newness
    has_newer = exists().where(
        other.animal_id == Vaccination.animal_id,
        or_(
            other.state == CertificateState.SUBMITTED,
            and_(other.state == CertificateState.ACCEPTED, is_newer),
        ),
    )
    found = reminders_of_pets(
        ReminderKind.CERTIFICATE,
        Vaccination.id,
        Vaccination.ordinance_until,
        Vaccination.certificate_due_on,
        Vaccination.decided_at,
    )
    return found.join(Vaccination, Vaccination.animal_id == Animal.id).where(
        Vaccination.state == CertificateState.ACCEPTED,
        or_(
            Vaccination.ordinance_until.between(first, last),
            Vaccination.certificate_due_on.between(first, last),
        ),
        ~has_newer,
    )


def _certificate(row: Row[Any], asking: Asking) -> Thing:
    good = good_to(row, accepted_at=row.decided_at, city=asking.city)
    told = {
        "animal_id": str(row.animal_id),
        "animal": row.name,
        "good_to": good.isoformat() if good else None,
        "is_over": good is not None and good < asking.today,
    }
    return Thing(good, asking.civil(max(row.decided_at, row.since)), told)


def _letter(things: list[dict[str, Any]], opens: Callable[[str], str]) -> dict[str, Any]:
    pets = [
        {
            "name": thing["animal"],
            "good_to": thing["good_to"],
            "is_over": thing["is_over"],
            "path": opens(f"/dogs/{thing['animal_id']}/certificate"),
            "gone": opens(f"/dogs/{thing['animal_id']}/gone"),
        }
        for thing in things
    ]
    return {"pets": pets}


def _steps(city: City) -> tuple[int, ...]:
    return city.reminders.certificate_days


CERTIFICATES = Sort(ReminderKind.CERTIFICATE, _steps, _certificates, _certificate, _letter)
