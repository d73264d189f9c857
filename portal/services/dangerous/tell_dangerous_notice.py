"""An owner tells the city in writing of a designated dog’s move, sale or gift, or death (90.13(H)(12), (14), (N)).

A move or transfer is told at least fourteen days before, and a dangerous dog's confirmed within thirty days after: one
form does for both. What comes late is taken and marked. No affidavit is asked for unless animal control does (347.52).
Whoever gave the dog away tells that even once another keeps it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous_days import asks_for_notice, tell_by
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal, Keeper
from portal.schema.dangerous import DangerousDesignation
from portal.schema.dangerous_notices import DangerousNotice, NoticeKind
from portal.services.dangerous.designate_dog import OPEN
from portal.services.dangerous.handed_over import handed_over
from portal.services.dangerous.request_hearing import exact_time
from portal.services.owners.keepers_now import locked_animal
from portal.services.owners.tell_keepers import tell_keepers
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import new_reference

DIED_IN_FUTURE = "A death is told once it has happened. Check the day"
NO_PLACE = "Enter where the dog will live"
NO_NEW_OWNER = "Enter the new owner’s name"
SIGN = "Type your name to sign"


@dataclass(frozen=True, kw_only=True)
class NoticeTold:
    """What the owner writes. `key` is the form's submission key: the same again gives the same notice."""

    key: UUID
    kind: NoticeKind
    happens_on: date
    owner_name: str
    owner_address: str
    signed_name: str
    new_address: str | None = None
    leaves_city: bool | None = None
    new_owner_name: str | None = None
    new_owner_address: str | None = None
    new_owner_phone: str | None = None
    new_owner_was_told: bool | None = None
    told: str | None = None
    confirms_id: UUID | None = None
    """The notice before, when this says that it has happened."""


def tell_dangerous_notice(
    session: Session, told: NoticeTold, *, animal_id: UUID, person_id: UUID, city: City, clock: Clock
) -> DangerousNotice:
    """Take the notice, with the day it was due and whether it came late.

    Raises NotTheirs for another's dog or one without a designation, Refused for what cannot be so.
    """
    animal, designation, until = _told_of(session, told.kind, animal_id=animal_id, person_id=person_id)
    if (earlier := session.get(DangerousNotice, told.key)) is not None:
        if earlier.animal_id != animal.id:
            raise NotTheirs("No such notice")
        return earlier
    if designation is None:
        raise NotTheirs("This dog is not designated")
    if reasons := list(_refusals(told, on=clock.today())):
        raise Refused(reasons)
    if told.confirms_id and notice_of(session, told.confirms_id).animal_id != animal.id:
        raise NotTheirs("No such notice")
    today, kind, is_death = clock.today(), designation.kind, told.kind is NoticeKind.DEATH
    due = tell_by(told.happens_on, told_on=today, is_death=is_death, kind=kind, calendar=city.calendar)
    notice = DangerousNotice(
        id=told.key,
        reference=new_reference(),
        designation_id=designation.id,
        animal_id=animal.id,
        told_by=person_id,
        kind=told.kind,
        happens_on=told.happens_on,
        owner_name=told.owner_name,
        owner_address=told.owner_address,
        new_address=told.new_address,
        leaves_city=told.leaves_city,
        new_owner_name=told.new_owner_name,
        new_owner_address=told.new_owner_address,
        new_owner_phone=told.new_owner_phone,
        new_owner_was_told=told.new_owner_was_told,
        told=told.told,
        signed_name=told.signed_name,
        legal_last_day=due.legal_last_day,
        show_by=due.show_by,
        is_late=asks_for_notice(kind, is_death=is_death) and due.is_late(today),
        confirms_id=told.confirms_id,
    )
    session.add(notice)
    session.flush()
    record_event(
        session,
        "dangerous_notice.told",
        notice,
        actor=keeper(person_id),
        told=notice.kind.value,
        is_late=notice.is_late,
    )
    context = {
        "told": notice.kind.value,
        "happens_on": notice.happens_on.isoformat(),
        "reference": notice.reference,
        "received_at": exact_time(clock.now(), city),
        "path": f"/dogs/{animal.id}/dangerous",
    }
    tell_keepers(session, animal, template="dangerous_notice", context=context, clock=clock, until=until)
    return notice


def standing_designation(
    session: Session, animal_id: UUID, *, made_by: datetime | None = None
) -> DangerousDesignation | None:
    """The designation a dog has now; of two the dangerous one, then the newest. With `made_by`, none made later."""
    wanted = (
        select(DangerousDesignation)
        .where(DangerousDesignation.animal_id == animal_id, DangerousDesignation.state.in_(OPEN))
        .order_by(DangerousDesignation.kind, DangerousDesignation.created_at.desc())
        .limit(1)
    )
    if made_by:
        wanted = wanted.where(DangerousDesignation.created_at <= made_by)
    return session.scalar(wanted)


def notice_of(session: Session, notice_id: UUID) -> DangerousNotice:
    """One notice for whoever was checked before, or staff."""
    notice = session.get(DangerousNotice, notice_id)
    if notice is None:
        raise NotTheirs("No such notice")
    return notice


def see_notice(
    session: Session, *, notice_id: UUID, officer: str, asks_affidavit: bool = False, clock: Clock
) -> DangerousNotice:
    """An officer has seen it; and may ask for an affidavit under oath about a death or transfer (347.52(c)).

    Whoever wrote the notice is asked, with those who kept the dog with them: by now it may be another's.
    """
    notice = session.get(DangerousNotice, notice_id, with_for_update=True, populate_existing=True)
    if notice is None:
        raise NotTheirs("There is no such notice")
    if notice.seen_at is None:
        notice.seen_at = clock.now()
        notice.seen_by = officer
        record_event(session, "dangerous_notice.seen", notice, actor=f"officer:{officer}")
    if asks_affidavit and notice.affidavit_asked_at is None:
        notice.affidavit_asked_at = clock.now()
        record_event(session, "affidavit.asked", notice, actor=f"officer:{officer}")
        animal = session.get_one(Animal, notice.animal_id)
        context = {"reference": notice.reference, "path": f"/dogs/{animal.id}/dangerous"}
        until = _kept_until(session, notice)
        tell_keepers(session, animal, template="affidavit_asked", context=context, clock=clock, until=until)
    session.flush()
    return notice


def notices_waiting(session: Session, *, limit: int = 100) -> list[tuple[DangerousNotice, Animal]]:
    """Those no officer has seen, the oldest first."""
    wanted = (
        select(DangerousNotice, Animal)
        .join(Animal, Animal.id == DangerousNotice.animal_id)
        .where(DangerousNotice.seen_at.is_(None))
        .order_by(DangerousNotice.created_at)
        .limit(limit)
    )
    return [(notice, animal) for notice, animal in session.execute(wanted)]


def _told_of(
    session: Session, kind: NoticeKind, *, animal_id: UUID, person_id: UUID
) -> tuple[Animal, DangerousDesignation | None, datetime | None]:
    """The dog, locked, with what it is designated as, and until when whoever tells kept it; None while they do.

    Of one that another keeps by now, whoever gave it away tells that and nothing else.
    """
    try:
        animal = locked_animal(session, animal_id, person_id=person_id)
    except NotTheirs:
        given = handed_over(session, person_id=person_id, animal_id=animal_id)
        if kind is not NoticeKind.TRANSFER:
            raise
        session.refresh(given.animal, with_for_update=True)
        return given.animal, given.designation, given.departure.undone_at
    return animal, standing_designation(session, animal.id), None


def _kept_until(session: Session, notice: DangerousNotice) -> datetime | None:
    """Until when whoever told it kept the dog; None while they do."""
    theirs = (
        select(Keeper.until)
        .where(Keeper.animal_id == notice.animal_id, Keeper.person_id == notice.told_by)
        .order_by(Keeper.until.desc().nulls_first())
        .limit(1)
    )
    return session.scalars(theirs).one()


def _refusals(told: NoticeTold, *, on: date) -> Iterator[Refusal]:
    if told.kind is NoticeKind.DEATH and told.happens_on > on:
        yield Refusal(Rule.DEATH_OR_TRANSFER, DIED_IN_FUTURE, "happens_on")
    if told.kind is NoticeKind.MOVE and not told.new_address:
        yield Refusal(Rule.RELOCATION, NO_PLACE, "new_address")
    if told.kind is NoticeKind.TRANSFER and not told.new_owner_name:
        yield Refusal(Rule.RELOCATION, NO_NEW_OWNER, "new_owner_name")
    if not told.signed_name.strip():
        yield Refusal(Rule.DEATH_OR_TRANSFER, SIGN, "signed_name")
