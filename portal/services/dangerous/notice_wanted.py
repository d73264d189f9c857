"""What is still to be told in writing of a designated dog that died, moved away or was given away (90.13(H)(12), (N)).

Its keepers tell once that it is gone; that ends license and reminders. Animal control needs a notice of its own, which
can be given before that or after it, on any day.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType
from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.ordinance import periods
from portal.ordinance.dangerous_days import asks_for_notice, report_by
from portal.schema.animals import Animal, Keeper
from portal.schema.dangerous import DangerousDesignation
from portal.schema.dangerous_notices import DangerousNotice, NoticeKind
from portal.schema.departures import Departure, DepartureKind
from portal.services.dangerous.designate_dog import OPEN
from portal.services.dangerous.tell_dangerous_notice import standing_designation

WRITTEN: Mapping[DepartureKind, NoticeKind] = MappingProxyType(
    {
        DepartureKind.DIED: NoticeKind.DEATH,
        DepartureKind.LEFT_CITY: NoticeKind.MOVE,
        DepartureKind.GIVEN_AWAY: NoticeKind.TRANSFER,
    }
)
# People tell a day by heart, or none: a notice of about then is of the same move.
SAME = timedelta(days=periods.REPORT_DEATH_OR_TRANSFER.length)


@dataclass(frozen=True)
class NoticeWanted:
    """The written notice that goes with what was told; `given` once it is there, `announced` if it was told before."""

    kind: NoticeKind
    is_dangerous: bool
    given: DangerousNotice | None
    announced: DangerousNotice | None
    show_by: date | None
    """The day to keep to, of a dangerous dog whose day is known; a move that is told before needs none after."""


def notice_wanted(session: Session, departure: Departure, *, city: City) -> NoticeWanted | None:
    """What goes with a departure; None where the dog is not designated, or nothing asks for a notice of it.

    Once the dog is another's, what it was designated as since then asks nothing of whoever gave it away.
    """
    told_before = departure.created_at if departure.undone_at else None
    designation = standing_designation(session, departure.animal_id, made_by=told_before)
    kind = WRITTEN[departure.kind]
    if designation is None or not asks_for_notice(designation.kind, is_death=kind is NoticeKind.DEATH):
        return None
    told_on = departure.created_at.astimezone(city.time_zone).date()
    about = _about(session, departure, departure.happened_on or told_on)
    # What is told before it happens is due before it, what is told after is due after.
    after = [one for one in about if one.confirms_id or one.legal_last_day > one.happens_on]
    given = next(iter(after if designation.is_dangerous else about), None)
    announced = None if given else next(iter(about), None)
    by = report_by(departure.happened_on, city.calendar).show_by if departure.happened_on else None
    return NoticeWanted(kind, designation.is_dangerous, given, announced, by if designation.is_dangerous else None)


def designated_now(session: Session, animal_ids: Collection[UUID]) -> list[Animal]:
    """Which of these animals have a designation that stands or was told, by name."""
    its = select(DangerousDesignation.animal_id).where(DangerousDesignation.state.in_(OPEN))
    wanted = select(Animal).where(Animal.id.in_(animal_ids), Animal.id.in_(its)).order_by(Animal.name, Animal.id)
    return list(session.scalars(wanted))


def _about(session: Session, departure: Departure, happened_on: date) -> list[DangerousNotice]:
    """The notices that can be of this departure, the newest first; of a death any is.

    Of a former owner's none is: it is of when they gave the dog away, and theirs alone to read. And a move to another
    home in the city is not the one that leads out of it.
    """
    keepers = select(Keeper.person_id).where(
        Keeper.animal_id == departure.animal_id,
        Keeper.since <= departure.created_at,
        or_(Keeper.until.is_(None), Keeper.until >= departure.created_at),
    )
    kind = WRITTEN[departure.kind]
    its = select(DangerousNotice).where(
        DangerousNotice.animal_id == departure.animal_id,
        DangerousNotice.kind == kind,
        or_(DangerousNotice.told_by == departure.told_by, DangerousNotice.told_by.in_(keepers)),
    )
    if kind is not NoticeKind.DEATH:
        its = its.where(DangerousNotice.happens_on.between(happened_on - SAME, happened_on + SAME))
    if departure.kind is DepartureKind.LEFT_CITY:
        its = its.where(DangerousNotice.leaves_city.is_not(False))
    return list(session.scalars(its.order_by(DangerousNotice.created_at.desc())))
