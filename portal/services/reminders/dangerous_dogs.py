"""Reminders of the days of designated dogs: what is due, from when it was counted, by which rule (90.13).

Of one that died, moved or was given away, the day is that of the written notice, while there is none ((H)(12)).

What is due of such a dog hangs on all that was sent and decided, so each is looked at as its keeper would see it. A
letter is about the days that share a date; of another date there is a letter on another day.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import date, timedelta
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import Any
from uuid import UUID

from sqlalchemy import Date, Row, Select, and_, func, literal_column, select

from portal.city import City
from portal.ordinance import periods
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous_days import report_by
from portal.ordinance.days import spoken
from portal.ordinance.reminders import days_in_question, step_due
from portal.schema.accounts import Account
from portal.schema.animals import Animal, Keeper
from portal.schema.dangerous import DangerousDesignation, DesignationState
from portal.schema.dangerous_notices import NoticeKind
from portal.schema.departures import Departure
from portal.schema.reminders import Reminder, ReminderKind
from portal.services.dangerous.days_to_know import DayToKnow, days_to_know
from portal.services.dangerous.designate_dog import OPEN
from portal.services.dangerous.dog import dangerous_dog_of
from portal.services.dangerous.notice_wanted import notice_wanted
from portal.services.dangerous.register_dangerous_dog import is_open_for
from portal.services.reminders.reminding import Asking, Sort, Thing, reminders_of, reminders_of_pets

NO_DAY = literal_column("NULL", Date)
NOTHING = Thing(None, None, {})
NOT_WRITTEN: Mapping[NoticeKind, str] = MappingProxyType(
    {
        NoticeKind.DEATH: "Write to animal control that it died",
        NoticeKind.MOVE: "Write to animal control where it lives now",
        NoticeKind.TRANSFER: "Write to animal control who has it now",
    }
)


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
    since = row.noticed_on
    if dog.designation.id != row.subject_id:
        return NOTHING  # of two designations the page is about the other
    theirs = [known for known in days_to_know(dog, city=asking.city, on=asking.today) if known.is_theirs]
    sent = _sent(asking, row.account_id, row.subject_id, {known.on for known in theirs})
    for on, same in groupby(theirs, key=attrgetter("on")):
        if step_due(on, _steps(asking.city), on=asking.today, since=since, sent=sent.get(on)) is not None:
            days = [_told(known, asking.city) for known in same]
            return Thing(on, since, {"animal_id": str(row.animal_id), "animal": row.name, "on": on, "days": days})
    return NOTHING


def _departed(asking: Asking, steps: tuple[int, ...]) -> Select[Any] | None:
    """What was told of dangerous dogs, for those who kept them then: another may keep one by now."""
    first, _ = days_in_question(steps, on=asking.today)
    told_from = asking.beginning_of(first - timedelta(days=periods.REPORT_DEATH_OR_TRANSFER.length))
    found = reminders_of(ReminderKind.DANGEROUS, Departure.id, Animal.id.label("animal_id"), Animal.name)
    still_or_until_then = Keeper.until.is_not_distinct_from(Departure.undone_at)
    return (
        found.join(Keeper, Keeper.person_id == Account.person_id)
        .join(Departure, and_(Departure.animal_id == Keeper.animal_id, still_or_until_then))
        .join(Animal, Animal.id == Departure.animal_id)
        .where(is_open_for(Animal.id, *OPEN), Departure.created_at >= told_from)
        .order_by(func.lower(Animal.name), Animal.id, Departure.created_at)
    )


def _not_written(row: Row[Any], asking: Asking) -> Thing:
    """Thirty days from when it happened, or from when it was told if nobody said when that was (90.13(H)(12))."""
    departure = asking.session.get_one(Departure, row.subject_id)
    wanted = notice_wanted(asking.session, departure, city=asking.city)
    if wanted is None or wanted.given or not wanted.is_dangerous:
        return NOTHING
    told_on, length = asking.civil(departure.created_at), periods.REPORT_DEATH_OR_TRANSFER.length
    counted_from = departure.happened_on or told_on
    what = "the day it happened" if departure.happened_on else "the day the city was told"
    on = report_by(counted_from, asking.city.calendar).show_by
    day = {
        "title": NOT_WRITTEN[wanted.kind],
        "counted": f"{length} days from {what}, {spoken(counted_from)}",
        "section": asking.city.citation(Rule.DEATH_OR_TRANSFER).label,
    }
    return Thing(on, told_on, {"animal_id": str(row.animal_id), "animal": row.name, "on": on, "days": [day]})


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
WRITTEN_NOTICES = Sort(ReminderKind.DANGEROUS, _steps, _departed, _not_written, _letter)
