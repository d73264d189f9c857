"""The days that the keeper of a designated dog should know, as a page, a letter or a calendar tells them (90.13).

The day to show is the earliest that can be defended; whatever comes later is taken and marked. None of them counts
towards anything that happens to the dog.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from types import MappingProxyType

from portal.city import City
from portal.ordinance import periods
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Requirement
from portal.ordinance.dangerous_days import renew_by, report_by
from portal.ordinance.days import spoken
from portal.ordinance.deadlines import Deadline
from portal.schema.dangerous_notices import DangerousNotice, NoticeKind
from portal.services.dangerous.dog import Clocked, DangerousDog

# Met by the certificate that follows from the others, so that no day of their own is told.
FOLLOW = frozenset({Requirement.REGISTRATION, Requirement.RENEWAL})
SHOW_ALL = "Show that each requirement is met"
AT_ONCE = "Show the enclosure, and the muzzle and leash, while you wait for the hearing"


class Day(StrEnum):
    """Which day it is; a calendar moves an entry by it."""

    HEARING_REQUEST = "hearing_request"
    HEARING = "hearing"
    DECISION = "decision"
    REQUIREMENTS = "requirements"
    STERILIZATION = "sterilization"
    SECURITY = "security"
    RECLAIM = "reclaim"
    RECLAIM_AGAIN = "reclaim_again"
    RENEWAL = "renewal"
    INSURANCE = "insurance"
    RABIES = "rabies"
    CONFIRM = "confirm"
    REVIEW = "review"


@dataclass(frozen=True)
class DayToKnow:
    """A day, what it is for, and what it was counted from. `last` is the legal last day where it is a later one."""

    what: Day
    on: date
    title: str
    counted: str
    rule: Rule
    last: date | None = None

    @property
    def is_theirs(self) -> bool:
        """Whether it is for the keeper to do something; the city holds the hearing and decides."""
        return self.what not in (Day.HEARING, Day.DECISION)

    @property
    def is_opening(self) -> bool:
        """A day from which something may be done."""
        return self.what is Day.REVIEW


# What state law names for reclaiming comes before the city's own days, so it is the one to tell.
CLOCKS: Mapping[Clocked, tuple[Day, str]] = MappingProxyType(
    {
        Clocked.HEARING_REQUEST: (Day.HEARING_REQUEST, "Ask for a hearing, if you disagree"),
        Clocked.HEARING: (Day.HEARING, "The hearing is to be held"),
        Clocked.DECISION: (Day.DECISION, "The decision is to be issued"),
        Clocked.SECURITY: (Day.SECURITY, "Post security for the dog’s care"),
        Clocked.RECLAIM_BY_STATE_LAW: (Day.RECLAIM, "Reclaim the dog"),
        Clocked.RECLAIM_AFTER_HEARING: (Day.RECLAIM_AGAIN, "Reclaim the dog, now that you were told you may"),
    }
)


def days_to_know(dog: DangerousDog, *, city: City, on: date) -> list[DayToKnow]:
    """Every day that still matters, in their order."""
    if not dog.is_standing:
        return []
    found = [*_of_clocks(dog, on), *_of_rows(dog), *_of_the_year(dog, on, city), *_of_moves(dog, city)]
    # Six months are counted from a notice of the city, which what was told of another place does not have yet.
    if dog.designation.noticed_on and (review := review_day(dog)).on >= on:
        found.append(review)
    return sorted(found, key=lambda known: (known.on, known.what))


def unconfirmed(notices: Collection[DangerousNotice]) -> list[DangerousNotice]:
    """Moves and transfers that were told and not yet confirmed, the newest first."""
    confirmed = {notice.confirms_id for notice in notices}
    return [
        notice
        for notice in notices
        if notice.kind is not NoticeKind.DEATH and notice.confirms_id is None and notice.id not in confirmed
    ]


def review_day(dog: DangerousDog) -> DayToKnow:
    """90.13(P): the first day on which a review may be asked for next."""
    was_asked = any(not review.is_early for review in dog.reviews)
    words = "a year from your last request" if was_asked else "six months from the declaration"
    return DayToKnow(
        Day.REVIEW, dog.review_from, "You may ask for a review from this day", words, Rule.DESIGNATION_REVIEW
    )


def _of_clocks(dog: DangerousDog, on: date) -> Iterator[DayToKnow]:
    """What is not done yet. A day for a hearing that has gone by is told no more; asking stays possible.

    Nor is the day that was counted from the seizure, once it has gone by and another counts (90.13(K)).
    """
    counts_anew = any(due.about is Clocked.RECLAIM_AFTER_HEARING for due in dog.days)
    goes_by = {Clocked.HEARING_REQUEST, *([Clocked.RECLAIM_BY_STATE_LAW] if counts_anew else [])}
    for due in dog.days:
        is_over = due.about in goes_by and due.deadline.is_late(on)
        if due.about in CLOCKS and not due.is_done and not is_over:
            what, title = CLOCKS[due.about]
            yield _due(what, title, due.deadline)


def _of_rows(dog: DangerousDog) -> Iterator[DayToKnow]:
    """The rows that share a day are told as one: each says its own on the list. Sterilizing has a day of its own."""
    rows = [due for due in dog.days if due.about is Clocked.ROW and not due.is_done and due.requirement not in FOLLOW]
    shared = [due.deadline for due in rows if due.deadline.period is not periods.STERILIZE]
    if shared:
        first = min(shared, key=lambda deadline: deadline.show_by)
        yield _due(Day.REQUIREMENTS, SHOW_ALL if first.period.length else AT_ONCE, first)
    for due in rows:
        if due.deadline.period is periods.STERILIZE:
            yield _due(Day.STERILIZATION, "Have the dog sterilized", due.deadline)


def _of_the_year(dog: DangerousDog, on: date, city: City) -> Iterator[DayToKnow]:
    """90.13(H)(5), (11): the end of the year, and of the policy, once there is a certificate that rests on them."""
    if dog.year is None or not dog.is_certified(on):
        return
    yield _due(Day.RENEWAL, "Renew the registration", renew_by(dog.year.ends_on, city.calendar))
    rabies_good_to = dog.read.rabies_good_to if dog.read else None
    if rabies_good_to and rabies_good_to == dog.year.certificate_until:
        words = "the last day of the rabies certificate"
        yield DayToKnow(Day.RABIES, rabies_good_to, "Send the next rabies certificate", words, Rule.DANGEROUS_LICENSE)
    for row in dog.rows:
        if row.requirement is Requirement.INSURANCE and row.evidence and row.evidence.last_day:
            words = "the last day of the policy or bond"
            yield DayToKnow(
                Day.INSURANCE, row.evidence.last_day, "Send the next policy or bond", words, Rule.DANGEROUS_INSURANCE
            )


def _of_moves(dog: DangerousDog, city: City) -> Iterator[DayToKnow]:
    """90.13(H)(12): what was announced is confirmed within thirty days after it."""
    if not dog.designation.is_dangerous:
        return
    for notice in unconfirmed(dog.notices):
        if _civil(notice.created_at, city) < notice.happens_on:
            yield _due(Day.CONFIRM, "Tell us that it happened", report_by(notice.happens_on, city.calendar))


def _due(what: Day, title: str, deadline: Deadline) -> DayToKnow:
    last = deadline.legal_last_day if deadline.legal_last_day != deadline.show_by else None
    return DayToKnow(what, deadline.show_by, title, _counted(deadline), Rule(deadline.period.rule), last)


def _counted(deadline: Deadline) -> str:
    length, trigger = deadline.period.length, deadline.trigger
    since = f"{trigger.evidence}, {spoken(trigger.on)}"
    if deadline.period is periods.RENEW_REGISTRATION:
        return since
    return f"{length} days from {since}" if length else "at once"


def _civil(instant: datetime, city: City) -> date:
    return instant.astimezone(city.time_zone).date()
