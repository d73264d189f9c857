"""Reminders to renew (90.04(B)(5)), and to license a young dog once it is six months old (90.04(B)(1))."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Date, Row, Select, cast, exists, func, or_
from sqlalchemy.orm import aliased

from portal.city import City
from portal.ordinance.license_years import LicenseYear, following, license_year, preceding, years_open
from portal.ordinance.licensing import AgeEstimate, needed_from
from portal.ordinance.reminders import days_in_question, step_due
from portal.schema.accounts import Account
from portal.schema.animals import Animal, Species
from portal.schema.licenses import License, LicenseBasis, LicenseState, WaiverState
from portal.schema.reminders import Reminder, ReminderKind
from portal.services.licensing.renew_licenses import LIVE
from portal.services.reminders.reminding import Asking, Sort, Thing, reminders_of_pets

# Six months are 181 to 184 days, and the license is needed on the day after.
YOUNGEST, OLDEST = timedelta(days=180), timedelta(days=190)


def _renewals(asking: Asking, steps: tuple[int, ...]) -> Select[Any] | None:
    """Issued licenses of the year that ends, whose dogs have none for the next and whose next can be applied for.

    A dog whose license is waived needs no renewal (90.04(C)).
    """
    ending = _year_that_ends(asking, steps)
    if ending is None:
        return None
    newest = step_due(ending.ends_on, steps, on=asking.today)
    renewed = aliased(License)
    found = reminders_of_pets(
        ReminderKind.RENEWAL,
        License.id,
        License.year,
        License.valid_until,
        License.issued_at,
    )
    return found.join(License, License.animal_id == Animal.id).where(
        Animal.species == Species.DOG,
        License.year == ending.number,
        License.state == LicenseState.ISSUED,
        or_(License.basis == LicenseBasis.FEE, License.waiver_state == WaiverState.DECLINED),
        # The day is the same for all, so whoever has the newest letter need not be looked at every hour.
        ~exists().where(
            Reminder.account_id == Account.id,
            Reminder.kind == ReminderKind.RENEWAL,
            Reminder.subject_id == License.id,
            Reminder.step_days <= newest,
        ),
        ~exists().where(renewed.animal_id == Animal.id, renewed.year > License.year, renewed.state.in_(LIVE)),
    )


def _year_that_ends(asking: Asking, steps: tuple[int, ...]) -> LicenseYear | None:
    """The license year to remind of today, if there is one: the year before one that may be applied for."""
    policy = asking.city.license
    may_follow = years_open(asking.today, policy.year_start, renewal_window_days=policy.renewal_window_days)
    before = (preceding(year, policy.year_start) for year in may_follow)
    return next((year for year in before if step_due(year.ends_on, steps, on=asking.today) is not None), None)


def _license(row: Row[Any], asking: Asking) -> Thing:
    start = asking.city.license.year_start
    told = {
        "animal_id": str(row.animal_id),
        "animal": row.name,
        "ends_on": row.valid_until.isoformat(),
        "is_over": row.valid_until < asking.today,
        "year": following(license_year(row.year, start), start).label,
    }
    return Thing(row.valid_until, asking.civil(max(row.issued_at, row.since)), told)


def _renewal_letter(things: list[dict[str, Any]], opens: Callable[[str], str]) -> dict[str, Any]:
    """One letter for all the dogs of a household; the page behind it renews them together."""
    first = things[0]
    return {
        "pets": [{"name": thing["animal"], "gone": opens(f"/dogs/{thing['animal_id']}/gone")} for thing in things],
        "ends_on": first["ends_on"],
        "is_over": first["is_over"],
        "year": first["year"],
        "path": opens(f"/dogs/{first['animal_id']}/renew"),
    }


def _puppies(asking: Asking, steps: tuple[int, ...]) -> Select[Any] | None:
    """Young dogs on record that have no license, near the day from which they need one; cats never do."""
    first, last = days_in_question(steps, on=asking.today)
    estimated = cast(Animal.age_estimated_on - func.make_interval(0, Animal.estimated_age_months), Date)
    born = func.coalesce(Animal.born_on, estimated)
    found = reminders_of_pets(
        ReminderKind.PUPPY,
        Animal.id,
        Animal.born_on,
        Animal.estimated_age_months,
        Animal.age_estimated_on,
        Animal.created_at,
    )
    return found.where(
        Animal.species == Species.DOG,
        born.between(first - OLDEST, last - YOUNGEST),
        ~exists().where(License.animal_id == Animal.id, License.state.in_(LIVE)),
    )


def _puppy(row: Row[Any], asking: Asking) -> Thing:
    born_on: date = row.born_on or AgeEstimate(row.estimated_age_months, row.age_estimated_on).born_on
    needed = needed_from(born_on)
    told = {
        "animal_id": str(row.subject_id),
        "animal": row.name,
        "needed_from": needed.isoformat(),
        "is_estimated": row.born_on is None,
    }
    return Thing(needed, asking.civil(max(row.created_at, row.since)), told)


def _puppy_letter(things: list[dict[str, Any]], opens: Callable[[str], str]) -> dict[str, Any]:
    pets = [
        {
            "name": thing["animal"],
            "needed_from": thing["needed_from"],
            "is_estimated": thing["is_estimated"],
            "gone": opens(f"/dogs/{thing['animal_id']}/gone"),
        }
        for thing in things
    ]
    return {"pets": pets, "path": opens(f"/dogs/{things[0]['animal_id']}/renew")}


def _renewal_steps(city: City) -> tuple[int, ...]:
    return city.reminders.renewal_days


def _puppy_steps(city: City) -> tuple[int, ...]:
    return city.reminders.puppy_days


RENEWALS = Sort(ReminderKind.RENEWAL, _renewal_steps, _renewals, _license, _renewal_letter)
PUPPIES = Sort(ReminderKind.PUPPY, _puppy_steps, _puppies, _puppy, _puppy_letter)
