"""The days of a designated dog: by when to ask, to comply, to tell, to renew (90.13(E), (H)-(K), (N), (P)).

A person is shown the earliest day that can be defended, counted from the date on the notice; what counts as late is
counted from the trigger that the text names. Later is accepted and marked.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from portal.ordinance import periods
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Designated, Requirement
from portal.ordinance.dangerous_rows import DURING_APPEAL
from portal.ordinance.days import ONE_DAY, HolidayCalendar, add_years, office_day_on_or_before
from portal.ordinance.deadlines import (
    Deadline,
    Kind,
    Period,
    Term,
    Trigger,
    act_by,
    act_by_inclusive,
    notice_before,
    term,
)

ON_THE_NOTICE = "the date on the notice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """What is known of a designation: the day of each thing that starts a clock, None for what has not happened."""

    kind: Designated
    noticed_on: date | None
    sent_on: date | None = None
    hearing_asked_on: date | None = None
    decided_on: date | None = None
    decision_received_on: date | None = None
    final_on: date | None = None
    registered_until: date | None = None
    """The last day of the year before, when it is a renewal that is asked about."""

    @property
    def waits_for_hearing(self) -> bool:
        """90.13(E)(3)(a)(vi): a hearing was asked for and there is no decision yet."""
        return self.hearing_asked_on is not None and self.decided_on is None


def hearing_by(noticed_on: date, calendar: HolidayCalendar) -> Deadline:
    """90.13(E)(3)(a)(v): fourteen days from the date of the notice to ask for a hearing."""
    return act_by(periods.REQUEST_HEARING, Trigger(noticed_on, ON_THE_NOTICE), calendar)


def hold_hearing_by(asked_on: date, calendar: HolidayCalendar) -> Deadline:
    """90.13(E)(1): the hearing within fourteen days of the request."""
    return act_by(periods.HOLD_HEARING, Trigger(asked_on, "the receipt of the request"), calendar)


def decide_hearing_by(held_on: date, calendar: HolidayCalendar) -> Deadline:
    """90.13(E)(1): the decision within ten days after the hearing."""
    return act_by(periods.DECIDE_HEARING, Trigger(held_on, "the day of the hearing"), calendar)


def security_by(seized_on: date, calendar: HolidayCalendar) -> Deadline:
    """90.13(E)(2): seven days, of which the day of the seizure is the first."""
    return act_by_inclusive(periods.POST_SECURITY, Trigger(seized_on, "the day of the seizure"), calendar)


def reclaim_by(seized_on: date, calendar: HolidayCalendar) -> tuple[Deadline, Deadline]:
    """347.54 subd. 2 and 90.13(J): seven days by state law, fourteen by the city's: the first is the one to act by."""
    seized = Trigger(seized_on, "the day of the seizure")
    return (
        act_by(periods.RECLAIM_BY_STATE_LAW, seized, calendar),
        act_by(periods.RECLAIM_DANGEROUS_DOG, seized, calendar),
    )


def reclaim_again_by(told_on: date, calendar: HolidayCalendar) -> Deadline:
    """90.13(K): fourteen days after the owner was told that the dog may be reclaimed."""
    return act_by(periods.RECLAIM_AFTER_HEARING, Trigger(told_on, "the day the owner was told"), calendar)


def announce_by(happens_on: date, calendar: HolidayCalendar) -> Deadline:
    """90.13(N): a move, gift or sale of either kind of dog, at least fourteen days before. It never rolls forward."""
    return notice_before(periods.ANNOUNCE_RELOCATION, Trigger(happens_on, "the day it is to happen"), calendar)


def report_by(happened_on: date, calendar: HolidayCalendar) -> Deadline:
    """90.13(H)(12): the death or transfer of a dangerous dog, within thirty days of it."""
    return act_by(periods.REPORT_DEATH_OR_TRANSFER, Trigger(happened_on, "the day it happened"), calendar)


def tell_by(
    happens_on: date, *, told_on: date, is_death: bool, kind: Designated, calendar: HolidayCalendar
) -> Deadline:
    """90.13(N), (H)(12): before what is planned, after what has happened.

    A potentially dangerous dog's move is told before; nothing asks to confirm it after.
    """
    if is_death or (kind is Designated.DANGEROUS and happens_on <= told_on):
        return report_by(happens_on, calendar)
    return announce_by(happens_on, calendar)


def asks_for_notice(kind: Designated, *, is_death: bool) -> bool:
    """90.13(H)(12), (N): of either kind before it moves or is sold; of a death only where the dog is dangerous."""
    return kind is Designated.DANGEROUS or not is_death


def review_from(declared_on: date, last_asked_on: date | None) -> Term:
    """90.13(P): from six months after the declaration, then a year after the last request; `last_day` is the first."""
    first = term(periods.FIRST_REVIEW, Trigger(declared_on, ON_THE_NOTICE))
    if last_asked_on is None or last_asked_on < first.last_day:
        return first
    return term(periods.NEXT_REVIEW, Trigger(last_asked_on, "the last request"))


def row_due(requirement: Requirement, dates: Dates, calendar: HolidayCalendar) -> Deadline | None:
    """By when a row of 90.13(H) is to be met; None while nothing has started its clock.

    While a hearing is waited for, enclosure, restraint and notices are due at once and the others wait
    ((E)(3)(a)(vi), 347.52(a)). After a decision that affirms, fourteen days from its receipt ((vii)). Sterilizing has
    thirty days from the final determination ((H)(15)).
    """
    if dates.registered_until is not None:
        return renew_by(dates.registered_until, calendar)
    if dates.waits_for_hearing and dates.hearing_asked_on:
        return _at_once(dates.hearing_asked_on) if requirement in DURING_APPEAL else None
    if requirement is Requirement.STERILIZATION:
        return _sterilize(dates, calendar)
    if dates.decided_on:
        received = (dates.decision_received_on, "the day the decision was received")
        return _earliest(
            periods.COMPLY_AFTER_HEARING, ((dates.decided_on, "the day of the decision"), received), calendar
        )
    return _earliest(
        periods.MEET_REQUIREMENTS,
        ((dates.noticed_on, ON_THE_NOTICE), (dates.sent_on, "the day the notice was sent")),
        calendar,
    )


def rows_due(
    requirements: Collection[Requirement], dates: Dates, calendar: HolidayCalendar
) -> Mapping[Requirement, Deadline]:
    """The same of several rows (90.13(H)); those without a day are left out."""
    found = {requirement: row_due(requirement, dates, calendar) for requirement in requirements}
    return {requirement: deadline for requirement, deadline in found.items() if deadline}


def renew_by(registered_until: date, calendar: HolidayCalendar) -> Deadline:
    """90.13(H)(11): before the year before has run out. A year does not roll (645.14)."""
    trigger = Trigger(registered_until, "the last day of the registration")
    shown = office_day_on_or_before(registered_until, calendar)
    return Deadline(
        periods.RENEW_REGISTRATION, trigger, registered_until, registered_until, shown, "the last day of its year"
    )


def year_of(starts_on: date) -> tuple[date, date]:
    """90.13(H)(11): a year of registration, both days included, from the day it begins."""
    return starts_on, add_years(starts_on, 1) - ONE_DAY


def next_year(ends_on: date, *, on: date) -> tuple[date, date]:
    """90.13(H)(11): the year after one that ended, however late it is renewed; from today once it too is over."""
    starts_on, last = year_of(ends_on + ONE_DAY)
    return (starts_on, last) if last >= on else year_of(on)


def renewal_opens_on(ends_on: date, *, window_days: int) -> date:
    """90.13(H)(11): from when the next year may be renewed: so many days, as the city says, before this one ends."""
    return ends_on - timedelta(days=window_days)


def certificate_until(ends_on: date, rests_on: Collection[date | None]) -> date:
    """90.13(H)(1), (5), (9): the last day of a certificate: of its year, or of what it rests on if that ends before."""
    return min([ends_on, *(day for day in rests_on if day)])


def _sterilize(dates: Dates, calendar: HolidayCalendar) -> Deadline | None:
    """90.13(H)(15). Until it is written down when it became final, the earliest day it can have been is shown."""
    final = ((dates.final_on, "the final determination"),)
    if dates.final_on is None:
        final = ((dates.decided_on or dates.noticed_on, "the earliest day it can have become final"),)
    return _earliest(periods.STERILIZE, final, calendar)


def _at_once(asked_on: date) -> Deadline:
    at_once = Period(Rule.COMPLY_DURING_APPEAL, Kind.ACT_BY, 0, "the request for a hearing", "comply at once")
    return Deadline(at_once, Trigger(asked_on, "the receipt of the request"), asked_on, asked_on, asked_on, "at once")


def _earliest(
    period: Period, triggers: Collection[tuple[date | None, str]], calendar: HolidayCalendar
) -> Deadline | None:
    """The earliest of the days to show, with the latest of the legal last days: what can be defended both ways."""
    counted = [act_by(period, Trigger(on, evidence), calendar) for on, evidence in triggers if on]
    if not counted:
        return None
    first = min(counted, key=lambda deadline: deadline.raw_date)
    return replace(first, legal_last_day=max(deadline.legal_last_day for deadline in counted))
