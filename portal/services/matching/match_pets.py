"""Compare missing pets with those that were found or are at the pound, both ways, and note the likely pairs.

A notice is compared when it is shown and again when it changes; an animal at the pound when it comes in. A pair is
noted once, whichever side came first. Reports of nuisances take no part: that there is one never reaches an owner
(13.82, decision 12).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.impoundments import PUBLIC_BASES, Impoundment
from portal.schema.notices import NoticeKind, NoticeMatch, NoticeState, PetNotice
from portal.schema.notices_private import NoticePrivate
from portal.schema.relays import Relay
from portal.services.animals.find_wearer import find_wearer
from portal.services.matching.likeness import EARLIER, LONGEST_APART, SURE, Described, Likeness, likeness
from portal.services.matching.pets_described import Noticed, noticed, read_noticed, species_of, stay_described
from portal.services.notices.rows import passed_on_key
from portal.services.pound.at_the_pound import ON_SHOW

# Of a hundred; bench/matching.py shows how many are right from here on, and how many are missed.
TOLD_FROM = 25
# The likeliest of one notice; more at once is nobody's help.
PAIRS_AT_ONCE = 5
# Of the notices of a kind around the day, the nearest in time.
COMPARED_AT_MOST = 5_000
SIDES = ("lost_notice_id", "animal_id", "found_notice_id", "impoundment_id")

_SHOWN = PetNotice.state == NoticeState.SHOWN


@dataclass(frozen=True)
class Likely:
    """A pair worth telling of: the keys of its two sides as the table has them."""

    sides: dict[str, UUID]
    likeness: Likeness
    told_at: datetime | None = None


def notices_to_compare(session: Session, *, limit: int = 100) -> list[UUID]:
    """Those that are shown and new or changed, the oldest change first."""
    is_due = or_(PetNotice.compared_at.is_(None), PetNotice.compared_at < PetNotice.changed_at)
    due = select(PetNotice.id).where(_SHOWN, is_due)
    return list(session.scalars(due.order_by(PetNotice.changed_at, PetNotice.id).limit(limit)))


def stays_to_compare(session: Session, *, limit: int = 100) -> list[UUID]:
    """Animals that came to the pound and were not compared yet."""
    due = select(Impoundment.id).where(Impoundment.left_on.is_(None), Impoundment.compared_at.is_(None))
    return list(session.scalars(due.order_by(Impoundment.created_at, Impoundment.id).limit(limit)))


def compare_notice(session: Session, notice_id: UUID, *, city: City, clock: Clock) -> None:
    """Note the likely pairs of one notice. A second time adds nothing.

    It is not locked, since comparing with thousands takes a while; one that changes meanwhile is due again.
    """
    notice = session.get_one(PetNotice, notice_id)
    if notice.state is not NoticeState.SHOWN:
        return
    [own] = read_noticed(session, noticed().where(PetNotice.id == notice_id), city=city)
    _note(session, _pairs_of(session, notice.kind, own, city=city, clock=clock))
    notice.compared_at = notice.changed_at


def compare_stay(session: Session, impoundment_id: UUID, *, city: City, clock: Clock) -> None:
    """Note the missing pets that an animal at the pound may be; whose keepers know of it already is left out."""
    stay = session.get_one(Impoundment, impoundment_id)
    if stay.left_on is None and stay.basis in PUBLIC_BASES:
        said = stay_described(stay, city)
        _note(session, _lost_for(session, said, {"impoundment_id": stay.id}, city, known=stay.animal_id))
    stay.compared_at = clock.now()


def _pairs_of(session: Session, kind: NoticeKind, own: Noticed, *, city: City, clock: Clock) -> list[Likely]:
    if kind is NoticeKind.LOST:
        return [*_found_for(session, own, city), *_stays_for(session, own, city)]
    likely = list(_lost_for(session, own.said, {"found_notice_id": own.id}, city))
    worn = _worn(session, own, clock=clock)
    return [*(one for one in likely if one.sides != worn.sides), worn] if worn else likely


def _found_for(session: Session, lost: Noticed, city: City) -> Iterator[Likely]:
    said = lost.said
    near = PetNotice.happened_on.between(said.on - EARLIER, said.on + LONGEST_APART)
    for found in _notices(session, NoticeKind.FOUND, said, near, PetNotice.happened_on.asc(), city):
        yield from _likely({"lost_notice_id": lost.id, "found_notice_id": found.id}, said, found.said)


def _stays_for(session: Session, lost: Noticed, city: City) -> Iterator[Likely]:
    here = select(Impoundment).where(*ON_SHOW).order_by(Impoundment.seized_on.desc()).limit(COMPARED_AT_MOST)
    for stay in session.scalars(here):
        if stay.animal_id is None or stay.animal_id != lost.animal_id:
            sides = {"lost_notice_id": lost.id, "impoundment_id": stay.id}
            yield from _likely(sides, lost.said, stay_described(stay, city))


def _lost_for(
    session: Session, said: Described, side: dict[str, UUID], city: City, *, known: UUID | None = None
) -> Iterator[Likely]:
    """Missing pets for one that was found. `known` is the registered animal it is, if that is known."""
    near = PetNotice.happened_on.between(said.on - LONGEST_APART, said.on + EARLIER)
    for lost in _notices(session, NoticeKind.LOST, said, near, PetNotice.happened_on.desc(), city):
        if known is None or lost.animal_id != known:
            yield from _likely({**side, "lost_notice_id": lost.id}, lost.said, said)


def _worn(session: Session, own: Noticed, *, clock: Clock) -> Likely | None:
    """The registered animal whose chip or tag the found one wears, by its own notice if there is one."""
    said = own.said
    found = find_wearer(session, species=said.species, microchip=said.chip, tag=said.tag, clock=clock)
    if found is None:
        return None
    animal, reason = found
    its_own = select(PetNotice.id).where(PetNotice.animal_id == animal.id, PetNotice.kind == NoticeKind.LOST, _SHOWN)
    lost_notice_id = session.scalar(its_own.order_by(PetNotice.created_at.desc()).limit(1))
    missing = {"lost_notice_id": lost_notice_id} if lost_notice_id else {"animal_id": animal.id}
    # Its people were written to if the finder read that number when filing: a letter more is too many.
    told_at = session.scalar(select(Relay.created_at).where(Relay.id == passed_on_key(own.id)))
    return Likely({"found_notice_id": own.id, **missing}, Likeness(SURE, (reason,)), told_at)


def _notices(
    session: Session,
    kind: NoticeKind,
    said: Described,
    near: ColumnElement[bool],
    nearest: ColumnElement[Any],
    city: City,
) -> list[Noticed]:
    """Those of the same kind of animal around the day, and whatever its day one with the same chip."""
    shown = noticed().where(_SHOWN, PetNotice.kind == kind)
    same = shown.where(PetNotice.species == species_of(said.species), near)
    found = read_noticed(session, same.order_by(nearest).limit(COMPARED_AT_MOST), city=city)
    if said.chip_mark:
        is_same_chip = func.animal_control.mark(NoticePrivate.chip) == said.chip_mark
        with_chip = shown.where(NoticePrivate.chip != "", is_same_chip).limit(PAIRS_AT_ONCE)
        found += read_noticed(session, with_chip, city=city)
    return list({one.id: one for one in found}.values())


def _likely(sides: dict[str, UUID], missing: Described, found: Described) -> Iterator[Likely]:
    how = likeness(missing, found)
    if how and how.score >= TOLD_FROM:
        yield Likely(sides, how)


def _note(session: Session, likely: Iterable[Likely]) -> None:
    """The likeliest pairs; one that is noted already keeps its place, and its better reasons."""
    best = sorted(likely, key=lambda one: -one.likeness.score)[:PAIRS_AT_ONCE]
    rows = [
        dict.fromkeys(SIDES)
        | one.sides
        | {"score": one.likeness.score, "reasons": list(one.likeness.reasons), "told_at": one.told_at}
        for one in best
    ]
    if rows:
        adding = insert(NoticeMatch).values(rows)
        better = {"score": adding.excluded.score, "reasons": adding.excluded.reasons}
        session.execute(
            adding.on_conflict_do_update(
                index_elements=SIDES, set_=better, where=NoticeMatch.score < adding.excluded.score
            )
        )
