"""Reminders of the days of designated dogs: what is due, from when it was counted, by which rule (90.13).

What is due of such a dog hangs on all that was sent and decided, so each is looked at as its keeper would see it. A
letter is about the days that share a date; of another date there is a letter on another day.
"""

from collections.abc import Callable, Collection
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from sqlalchemy import Date, Row, Select, func, literal_column, select

from portal.city import City
from portal.ordinance.reminders import step_due
from portal.schema.accounts import Account
from portal.schema.animals import Animal
from portal.schema.dangerous import DangerousDesignation, DesignationState
from portal.schema.reminders import Reminder, ReminderKind
from portal.services.dangerous.days_to_know import DayToKnow, days_to_know
from portal.services.dangerous.dog import dangerous_dog_of
from portal.services.reminders.reminding import Asking, Sort, Thing, reminders_of_pets

NO_DAY = literal_column("NULL", Date)


def _designated(asking: Asking, steps: tuple[int, ...]) -> Select[Any] | None:
    """Every dog whose designation stands. Which of its days were told already is found when it is read."""
    _ = asking, steps
    found = reminders_of_pets(
        ReminderKind.DANGEROUS,
        DangerousDesignation.id,
        Account.person_id,
        DangerousDesignation.noticed_on,
        due_on=NO_DAY,
    )
    return found.join(DangerousDesignation, DangerousDesignation.animal_id == Animal.id).where(
        DangerousDesignation.state == DesignationState.STANDING
    )


def _nearest(row: Row[Any], asking: Asking) -> Thing:
    """The first date at a step that was not told yet, with everything that falls on it."""
    dog = dangerous_dog_of(
        asking.session, animal_id=row.animal_id, person_id=row.person_id, city=asking.city, clock=asking.clock
    )
    since, nothing = row.noticed_on, Thing(None, None, {})
    if dog.designation.id != row.subject_id:
        return nothing  # of two designations the page is about the other
    theirs = [known for known in days_to_know(dog, city=asking.city, on=asking.today) if known.is_theirs]
    sent = _sent(asking, row.account_id, row.subject_id, {known.on for known in theirs})
    for on, same in groupby(theirs, key=attrgetter("on")):
        if step_due(on, _steps(asking.city), on=asking.today, since=since, sent=sent.get(on)) is not None:
            days = [_told(known, asking.city) for known in same]
            return Thing(on, since, {"animal_id": str(row.animal_id), "animal": row.name, "on": on, "days": days})
    return nothing


def _sent(asking: Asking, account_id: UUID, designation_id: UUID, days: Collection[date]) -> dict[date, int]:
    """The last step that was told of each day."""
    told = (
        select(Reminder.due_on, func.min(Reminder.step_days))
        .where(
            Reminder.account_id == account_id,
            Reminder.kind == ReminderKind.DANGEROUS,
            Reminder.subject_id == designation_id,
            Reminder.due_on.in_(days),
        )
        .group_by(Reminder.due_on)
    )
    return dict(asking.session.execute(told).all())


def _told(known: DayToKnow, city: City) -> dict[str, Any]:
    return {"title": known.title, "counted": known.counted, "section": city.citation(known.rule).label}


def _letter(things: list[dict[str, Any]], opens: Callable[[str], str]) -> dict[str, Any]:
    dogs = [
        {
            "name": thing["animal"],
            "on": thing["on"].isoformat(),
            "days": thing["days"],
            "path": opens(f"/dogs/{thing['animal_id']}/dangerous"),
        }
        for thing in things
    ]
    return {"dogs": dogs}


def _steps(city: City) -> tuple[int, ...]:
    return city.reminders.dangerous_days


DANGEROUS_DOGS = Sort(ReminderKind.DANGEROUS, _steps, _designated, _nearest, _letter)
