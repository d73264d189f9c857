"""Tell the people of a missing pet of those that may be theirs: each pair once, all that are new in one letter."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from portal.gateways.clock import Clock
from portal.schema.animals import Animal
from portal.schema.impoundments import Impoundment
from portal.schema.notices import NoticeMatch, NoticeState, PetNotice
from portal.services.matching.likeness import ALMOST_SURE
from portal.services.notices.letters import write_to_holder
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.pound.at_the_pound import ON_SHOW
from portal.services.record_event import SYSTEM, record_event

TEMPLATE = "likely_matches"
IN_A_LETTER = 5
# So that many notices at once make no flood of letters; a chip or a tag is told of at once.
BETWEEN_LETTERS = timedelta(hours=1)

_Lost, _Found, _Before = aliased(PetNotice), aliased(PetNotice), aliased(NoticeMatch)


@dataclass(frozen=True, order=True)
class Missing:
    """A missing pet by its notice, or a registered animal that nobody gave notice of. One of the two."""

    key: UUID
    is_notice: bool


def missing_to_tell_of(
    session: Session, *, after: Missing | None = None, limit: int = 100, clock: Clock
) -> list[Missing]:
    """Whose people were not told of a pair that still stands, and have no other letter of this hour."""
    key = func.coalesce(NoticeMatch.lost_notice_id, NoticeMatch.animal_id)
    waiting = _untold(key, NoticeMatch.lost_notice_id.is_not(None)).where(_may_be_written_to(clock))
    waiting = waiting.distinct().order_by(key).limit(limit)
    if after:
        waiting = waiting.where(key > after.key)
    return [Missing(found, is_notice) for found, is_notice in session.execute(waiting)]


def tell_of_matches(session: Session, missing: Missing, *, clock: Clock) -> None:
    """One letter with every pair they were not told of. A second time there is none."""
    its_side = NoticeMatch.lost_notice_id if missing.is_notice else NoticeMatch.animal_id
    mine = _untold(NoticeMatch, _Found.reference, Impoundment.id).where(its_side == missing.key)
    likeliest_first = mine.order_by(NoticeMatch.score.desc(), NoticeMatch.id).with_for_update(of=NoticeMatch)
    found = session.execute(likeliest_first).all()
    if not found:
        return
    told: dict[str, Any] = {
        "matches": [_told(match, reference, stay_id) for match, reference, stay_id in found[:IN_A_LETTER]],
        "more": max(len(found) - IN_A_LETTER, 0),
    }
    if missing.is_notice:
        notice = session.get_one(PetNotice, missing.key)
        is_urgent = any(match.score >= ALMOST_SURE for match, *_ in found)
        write_to_holder(session, notice, template=TEMPLATE, clock=clock, is_urgent=is_urgent, has_notice=True, **told)
    else:
        animal = session.get_one(Animal, missing.key)
        tell_keepers(session, animal, template=TEMPLATE, context={**told, "has_notice": False}, clock=clock)
    for match, *_ in found:
        match.told_at = clock.now()
        record_event(session, "pets.matched", match, actor=SYSTEM, score=match.score)
    session.flush()


def _untold(*columns: Any) -> Select[*tuple[Any, ...]]:
    """Pairs both sides of which are still open."""
    is_missing = or_(NoticeMatch.animal_id.is_not(None), _Lost.state == NoticeState.SHOWN)
    is_found = or_(_Found.state == NoticeState.SHOWN, and_(*ON_SHOW))
    return (
        select(*columns)
        .select_from(NoticeMatch)
        .outerjoin(_Lost, _Lost.id == NoticeMatch.lost_notice_id)
        .outerjoin(_Found, _Found.id == NoticeMatch.found_notice_id)
        .outerjoin(Impoundment, Impoundment.id == NoticeMatch.impoundment_id)
        .where(NoticeMatch.told_at.is_(None), NoticeMatch.dismissed_at.is_(None), is_missing, is_found)
    )


def _may_be_written_to(clock: Clock) -> ColumnElement[bool]:
    since = clock.now() - BETWEEN_LETTERS
    lately = exists().where(_Before.lost_notice_id == NoticeMatch.lost_notice_id, _Before.told_at > since)
    return or_(NoticeMatch.score >= ALMOST_SURE, ~lately)


def _told(match: NoticeMatch, reference: str | None, stay_id: UUID | None) -> dict[str, Any]:
    """What the letter says of one pair: why, in our own words, and where to look."""
    path = f"/found/{reference}" if reference else f"/pound/{stay_id}"
    return {"why": ", ".join(match.reasons), "is_at_the_pound": stay_id is not None, "path": path}
