"""The pound: how long an animal is kept for its owner, and what taking it home asks (90.07, Minn. Stat. 346.47)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from portal.ordinance.days import HolidayCalendar, OpeningHours, add_months
from portal.ordinance.deadlines import Term, Trigger, min_hold
from portal.ordinance.fees import Fee, FeeKind, FeeTable, in_force, license_fee
from portal.ordinance.licensing import needed_from
from portal.ordinance.periods import IMPOUND_HOLD

RECORDS_MONTHS = 6


@dataclass(frozen=True, slots=True)
class Charge:
    """One line of what reclaiming costs: a fee, so many times."""

    fee: Fee
    count: int = 1

    @property
    def amount_cents(self) -> int:
        """90.07(C): the fee as often as it is owed."""
        return self.fee.amount_cents * self.count


def hold(seized_on: date, *, hours: OpeningHours, calendar: HolidayCalendar) -> Term:
    """90.07(C), 346.47: kept through five regular business days of the pound, the day of the seizure left out.

    Raises ValueError when the pound's hours hold no regular business day.
    """
    return min_hold(IMPOUND_HOLD, Trigger(seized_on, "the record of the pound"), hours, calendar)


def days_kept(seized_on: date, *, on: date) -> int:
    """90.07(C)(2): each day and any part of one counts, so the day it came and the day it goes home both do."""
    return max((on - seized_on).days, 0) + 1


def reclaim_charges(tables: Iterable[FeeTable], *, seized_on: date, on: date) -> tuple[Charge, ...]:
    """90.07(C)(1) and (2): the release fee, and the keep so far, by what is in force on the day."""
    table = in_force(tables, on)
    return (
        Charge(Fee(FeeKind.IMPOUND_RELEASE, table.impound_release_cents, table.resolution)),
        Charge(
            Fee(FeeKind.IMPOUND_BOARD_DAY, table.impound_board_day_cents, table.resolution),
            days_kept(seized_on, on=on),
        ),
    )


def license_charge(tables: Iterable[FeeTable], *, on: date, is_altered: bool | None = None) -> Charge:
    """90.07(C)(3): the regular license fee, for a dog that has no license."""
    return Charge(license_fee(tables, on=on, is_altered=is_altered))


def owes_license(*, has_license: bool, born_on: date | None, on: date) -> bool:
    """90.07(C)(3): a dog that has no license, unless it is too young to need one (90.04(B)(1))."""
    return not has_license and (born_on is None or needed_from(born_on) <= on)


def records_since(on: date) -> date:
    """90.07(E): records are kept for six months at least, so those of the last six are all there."""
    return add_months(on, -RECORDS_MONTHS)
