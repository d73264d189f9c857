"""Change a notice, say that it still holds, or end it: it is home, or taken back. The picture goes with it."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.notices import NoticeKind, NoticeState, PetNotice
from portal.schema.notices_private import NoticePrivate
from portal.services.notices.answer_in_relay import end_all
from portal.services.notices.draft import Draft
from portal.services.notices.file_notice import write_to_police
from portal.services.notices.holder import WayToNotice, own_notice
from portal.services.notices.in_progress import BegunNotice, MoreAnswers, NoticePhoto, PetAnswers, Step, WhereAnswers
from portal.services.notices.letters import HOLDER
from portal.services.notices.rows import flagged_for, held_detail, private_values, public_values
from portal.services.record_event import record_event
from portal.services.refusal import Refused

IS_OVER = "This notice is over, so it can’t be changed any more. File a new one"
OPEN = (NoticeState.CHECKING, NoticeState.SHOWN, NoticeState.EXPIRED)
# What was taken down is not shown, but its picture and its talks are still there until it is ended.
NOT_ENDED = (*OPEN, NoticeState.TAKEN_DOWN)


@dataclass(frozen=True)
class Gone:
    """The files of a picture that is shown no longer: let them go once the change is committed."""

    keys: tuple[str, ...] = ()


def draft_of_notice(session: Session, way: WayToNotice, *, reference: str, city: City) -> Draft:
    """The notice as its questions were answered, to change it; raises NotTheirs, or Refused once it is over."""
    notice = own_notice(session, way, reference=reference)
    _check_open(notice)
    kept = session.get_one(NoticePrivate, notice.id)
    local = notice.happened_at.astimezone(city.time_zone) if notice.happened_at else None
    begun = BegunNotice(
        kind=notice.kind,
        answered=tuple(step for step in Step if step is not Step.CHECK),
        animal_id=notice.animal_id,
        changes=notice.reference,
        pet=PetAnswers(
            species=notice.species,
            species_text=notice.species_text,
            name=notice.name,
            breed=notice.breed,
            color=notice.color,
            sex=notice.sex,
            size=notice.size,
            marks=notice.marks,
            wears=notice.wears,
        ),
        where=WhereAnswers(
            place=notice.place_text,
            latitude=notice.latitude,
            longitude=notice.longitude,
            on=notice.happened_on,
            clock=f"{local:%H:%M}" if local else "",
            holding=notice.holding,
            confined_at=notice.confined_at,
        ),
        more=MoreAnswers(
            temperament=notice.temperament,
            what_to_do=notice.what_to_do,
            withheld_mark=kept.withheld_mark,
            chip=kept.chip,
            tag=kept.tag,
            shown_phone=notice.shown_phone or "",
            phone=kept.phone or "",
            email=kept.email or "",
        ),
    )
    return Draft(begun, _photo_of(notice))


def change_notice(session: Session, draft: Draft, way: WayToNotice, *, city: City, clock: Clock) -> Gone:
    """Put the answers in place of those before; raises NotTheirs, or Refused once it is over."""
    notice = own_notice(session, way, reference=draft.begun.changes or "", is_locked=True)
    _check_open(notice)
    before, was_taken_in = (notice.photo_key, notice.thumbnail_key), notice.confined_at is not None
    for name, value in public_values(draft, zone=city.time_zone).items():
        setattr(notice, name, value)
    kept = session.get_one(NoticePrivate, notice.id)
    for name, value in private_values(draft, has_account=kept.account_id is not None).items():
        setattr(kept, name, value)
    flag = flagged_for(draft)
    if flag and notice.state is not NoticeState.CHECKING:
        notice.state, notice.flagged_for, notice.closed_at = NoticeState.CHECKING, flag, None
    notice.changed_at = clock.now()
    session.flush()
    record_event(session, "notice.changed", notice, actor=HOLDER, reference=notice.reference, **held_detail(notice))
    if not was_taken_in:
        write_to_police(session, notice, city=city, clock=clock)
    return Gone(tuple(key for key in before if key and key not in (notice.photo_key, notice.thumbnail_key)))


def keep_notice(session: Session, way: WayToNotice, *, reference: str, clock: Clock) -> None:
    """It still holds; one that was hidden for its age is shown again. Raises NotTheirs, or Refused once it is over."""
    notice = own_notice(session, way, reference=reference, is_locked=True)
    _check_open(notice)
    notice.renewed_at, notice.asked_at = clock.now(), None
    if notice.state is NoticeState.EXPIRED:
        notice.state, notice.closed_at = NoticeState.SHOWN, None
    session.flush()
    record_event(session, "notice.kept", notice, actor=HOLDER, reference=notice.reference)


def end_notice(session: Session, way: WayToNotice, *, reference: str, is_home: bool, clock: Clock) -> Gone:
    """It is home, and everybody who wrote is thanked; or it is taken back. Twice is once. Raises NotTheirs."""
    notice = own_notice(session, way, reference=reference, is_locked=True)
    if notice.state not in NOT_ENDED:
        return Gone()
    is_home = is_home and notice.state is not NoticeState.TAKEN_DOWN
    return close_notice(session, notice, is_home=is_home, actor=HOLDER, clock=clock)


def withdraw_notices_of(
    session: Session, *, animal_id: UUID, actor: str, clock: Clock, ends_talks: bool = True
) -> None:
    """The animal died, left or was given away: nobody looks for it any more. The sweep lets its pictures go.

    Without `ends_talks` what two people say to each other is left to them: staff may neither read nor end it.
    """
    _withdraw_all(session, PetNotice.animal_id == animal_id, actor=actor, clock=clock, ends_talks=ends_talks)


def withdraw_notices_by(session: Session, *, account_id: UUID, actor: str, clock: Clock) -> None:
    """Whoever filed them closes their account."""
    theirs = select(NoticePrivate.notice_id).where(NoticePrivate.account_id == account_id)
    _withdraw_all(session, PetNotice.id.in_(theirs), actor=actor, clock=clock)


def close_notice(
    session: Session, notice: PetNotice, *, is_home: bool, actor: str, clock: Clock, ends_talks: bool = True
) -> Gone:
    """Nothing of its picture or a phone stays in the row, and its talks are over."""
    gone = Gone(tuple(key for key in (notice.photo_key, notice.thumbnail_key) if key))
    notice.photo_key = notice.thumbnail_key = notice.photo_width = notice.photo_height = None
    notice.shown_phone = None
    notice.state = NoticeState.HOME if is_home else NoticeState.WITHDRAWN
    notice.closed_at = notice.changed_at = clock.now()
    session.flush()
    what = "notice.home" if is_home else "notice.withdrawn"
    record_event(session, what, notice, actor=actor, reference=notice.reference)
    if ends_talks:
        end_all(session, notice, is_home=is_home, clock=clock)
    return gone


def _withdraw_all(
    session: Session, which: ColumnElement[bool], *, actor: str, clock: Clock, ends_talks: bool = True
) -> None:
    theirs = select(PetNotice).where(which, PetNotice.state.in_(NOT_ENDED)).order_by(PetNotice.id).with_for_update()
    for notice in session.scalars(theirs).all():
        close_notice(session, notice, is_home=False, actor=actor, clock=clock, ends_talks=ends_talks)


def _check_open(notice: PetNotice) -> None:
    if notice.state not in OPEN:
        raise Refused([Refusal(Rule.FOUND_ANIMAL if notice.kind is NoticeKind.FOUND else Rule.IMPOUNDING, IS_OVER)])


def _photo_of(notice: PetNotice) -> NoticePhoto | None:
    if notice.photo_key is None or notice.thumbnail_key is None:
        return None
    return NoticePhoto(
        key=notice.photo_key,
        thumbnail_key=notice.thumbnail_key,
        width=notice.photo_width or 0,
        height=notice.photo_height or 0,
        whole_key=notice.photo_key,
    )
