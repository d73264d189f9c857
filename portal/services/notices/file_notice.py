"""Somebody misses a pet, or found one: the notice is shown at once, or after a look (90.07, 90.11(B)).

Whoever took the animal in is told of the two hours, and animal control learns of it from the feed.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.found_animals import report_by
from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.notices import NoticeKind, NoticeState, PetNotice
from portal.schema.notices_private import NoticePrivate
from portal.services.animals.find_tag import read_tag_number
from portal.services.animals.find_wearer import animal_with_chip, animal_with_tag
from portal.services.folding import chip
from portal.services.messages.queue_message import queue_message
from portal.services.notices.draft import Draft
from portal.services.notices.letters import add_notice_link, spoken_moment, write_to_holder
from portal.services.notices.relay_matter import species_word
from portal.services.notices.rows import (
    flagged_for,
    held_detail,
    notice_key,
    notice_reference,
    passed_on_key,
    private_values,
    public_values,
)
from portal.services.notices.tell_found import FINDER, Found, tell_people_of
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs

OWNER = "owner"
# A shorter number is no chip, and may be anybody's guess.
SHORTEST_CHIP = 9


@dataclass(frozen=True, kw_only=True)
class Filer:
    """Who files it: a live sign-in, or a finder whose browser made `token` for the private link."""

    token: str
    account_id: UUID | None = None
    person_id: UUID | None = None


@dataclass(frozen=True)
class FiledNotice:
    """Where it is. `is_passed_on`: the people of a registered animal were written to."""

    reference: str
    is_passed_on: bool = False


def file_notice(session: Session, draft: Draft, filer: Filer, *, city: City, clock: Clock) -> FiledNotice:
    """Show it; the same form again changes nothing. Raises NotTheirs for an animal that somebody else keeps."""
    begun = draft.begun
    if begun.animal_id:
        _check_kept(session, begun.animal_id, filer)
    flag, now = flagged_for(draft), clock.now()
    values: dict[str, Any] = {
        "id": notice_key(begun.key),
        "reference": notice_reference(begun.key),
        "kind": begun.kind,
        "state": NoticeState.CHECKING if flag else NoticeState.SHOWN,
        "animal_id": begun.animal_id if begun.kind is NoticeKind.LOST else None,
        "flagged_for": flag,
        "renewed_at": now,
        "changed_at": now,
        "created_at": now,
        **public_values(draft, zone=city.time_zone),
    }
    added = insert(PetNotice).values(**values).on_conflict_do_nothing(index_elements=[PetNotice.id])
    if session.scalar(added.returning(PetNotice.id)) is None:
        return FiledNotice(values["reference"])
    notice = session.get_one(PetNotice, values["id"])
    has_account = filer.account_id is not None
    session.add(
        NoticePrivate(
            notice_id=notice.id,
            account_id=filer.account_id,
            created_at=now,
            **private_values(draft, has_account=has_account),
        )
    )
    session.flush()
    if not has_account:
        add_notice_link(session, notice, filer.token)
    _tell_city(session, notice, city=city, clock=clock)
    write_to_holder(session, notice, template="notice_filed", clock=clock, is_checked=flag is not None)
    return FiledNotice(notice.reference, _pass_on(session, draft, filer, notice, city=city, clock=clock))


def _check_kept(session: Session, animal_id: UUID, filer: Filer) -> None:
    kept = (
        select(Animal.id)
        .join(Keeper, Keeper.animal_id == Animal.id)
        .where(
            Animal.id == animal_id,
            Animal.state == AnimalState.KEPT,
            Keeper.person_id == filer.person_id,
            Keeper.until.is_(None),
        )
    )
    if session.scalar(kept) is None:
        raise NotTheirs("No such animal")


def _tell_city(session: Session, notice: PetNotice, *, city: City, clock: Clock) -> None:
    """90.11(B): an animal that was taken in reaches animal control as an event, and as a letter where there is one."""
    is_lost = notice.kind is NoticeKind.LOST
    record_event(
        session,
        f"notice.{notice.kind.value}",
        notice,
        actor=OWNER if is_lost else FINDER,
        reference=notice.reference,
        species=notice.species.value,
        state=notice.state.value,
        **held_detail(notice),
    )
    write_to_police(session, notice, city=city, clock=clock)


def write_to_police(session: Session, notice: PetNotice, *, city: City, clock: Clock) -> None:
    """Of an animal that was taken in: what, where and since when. Of any other nothing."""
    if notice.confined_at is None or not city.police.email:
        return
    context = {
        "what": " ".join(
            part for part in (notice.color, notice.breed, notice.species_text or species_word(notice.species)) if part
        ),
        "where": notice.place_text,
        "taken_in": spoken_moment(notice.confined_at, city.time_zone),
        "report_by": spoken_moment(report_by(notice.confined_at).due_at, city.time_zone),
        "reference": notice.reference,
        "path": f"/found/{notice.reference}",
    }
    queue_message(session, to=city.police.email, template="pet_held", context=context, at=clock.now())


def _pass_on(session: Session, draft: Draft, filer: Filer, notice: PetNotice, *, city: City, clock: Clock) -> bool:
    """Write to the people of a registered animal whose tag or chip was read; neither side learns who the other is."""
    begun = draft.begun
    if begun.kind is NoticeKind.LOST:
        return False
    animal, label = registered_animal(session, draft, clock=clock)
    if animal is None or begun.where is None:
        return False
    found = Found(
        text="Somebody filed a notice of a found animal that wears this number.",
        place=begun.where.place,
        phone=None,
        email=begun.more.email or None,
        confined_at=begun.where.confined_at,
        photo_key=None,
        is_suspicious=begun.is_suspicious,
        notice_path=f"/found/{notice.reference}" if notice.state is NoticeState.SHOWN else None,
    )
    key = passed_on_key(notice.id)
    tell_people_of(session, animal, found, label=label, key=key, token=filer.token, city=city, clock=clock)
    return True


def registered_animal(session: Session, draft: Draft, *, clock: Clock) -> tuple[Animal | None, str]:
    """The animal whose tag or chip a finder read, and the number of the tag if it was that."""
    more = draft.begun.more
    tag, number = read_tag_number(more.tag), chip(more.chip) or ""
    # One that nobody wears, or several may: whoever found it can ask under /tags.
    if tag and (animal := animal_with_tag(session, tag, clock=clock)):
        return animal, tag.label
    if len(number) >= SHORTEST_CHIP and (animal := animal_with_chip(session, number)):
        return animal, ""
    return None, ""
