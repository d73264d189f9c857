"""Somebody of the city looks at notices that were flagged or complained of, and shows them or takes them down."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, select, union, update
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.notices import NoticeAbuse, NoticeState, PetNotice
from portal.services.notices.letters import write_to_holder
from portal.services.record_event import record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.say_why import FOR_WHO_FILED_IT, said
from portal.services.secrets import read_spoken_code

IS_OVER = "This notice is over: nothing of it is shown"
UNSEEN = NoticeAbuse.looked_at.is_(None)
IS_CHECKING = PetNotice.state == NoticeState.CHECKING
LOOKABLE = (NoticeState.CHECKING, NoticeState.SHOWN, NoticeState.TAKEN_DOWN, NoticeState.EXPIRED)
# Of both, each once.
BOTH = union(select(PetNotice.id).where(IS_CHECKING), select(NoticeAbuse.notice_id).where(UNSEEN)).subquery()
HOW_MANY_TO_LOOK_AT = select(func.count()).select_from(BOTH)


@dataclass(frozen=True)
class ToLookAt:
    """A notice, and what others said of it."""

    notice: PetNotice
    complaints: Sequence[NoticeAbuse]


def notices_to_look_at(session: Session, *, limit: int = 100) -> list[ToLookAt]:
    """Those that wait to be shown, and those that somebody complained of, the oldest first."""
    checking = select(PetNotice).where(IS_CHECKING).order_by(PetNotice.created_at, PetNotice.id).limit(limit)
    found = {notice.id: notice for notice in session.scalars(checking)}
    complained_of = select(NoticeAbuse.notice_id, func.min(NoticeAbuse.created_at).label("since")).where(UNSEEN)
    first = complained_of.group_by(NoticeAbuse.notice_id).order_by("since").limit(limit).subquery()
    for notice in session.scalars(select(PetNotice).join(first, first.c.notice_id == PetNotice.id)):
        found[notice.id] = notice
    oldest = sorted(found.values(), key=lambda notice: (notice.created_at, notice.id))[:limit]
    wanted = select(NoticeAbuse).where(UNSEEN, NoticeAbuse.notice_id.in_([notice.id for notice in oldest]))
    complaints: dict[UUID, list[NoticeAbuse]] = {}
    for one in session.scalars(wanted.order_by(NoticeAbuse.created_at)):
        complaints.setdefault(one.notice_id, []).append(one)
    return [ToLookAt(notice, complaints.get(notice.id, [])) for notice in oldest]


def complaints_of(session: Session, notice_id: UUID) -> Sequence[NoticeAbuse]:
    """What was said of a notice since somebody last looked, the oldest first."""
    wanted = select(NoticeAbuse).where(NoticeAbuse.notice_id == notice_id, UNSEEN)
    return session.scalars(wanted.order_by(NoticeAbuse.created_at)).all()


def notice_called(session: Session, typed: str) -> PetNotice:
    """A notice by its reference, however it was typed; raises NotTheirs."""
    reference = read_spoken_code(typed, group=5)
    notice = session.scalar(select(PetNotice).where(PetNotice.reference == reference).with_for_update())
    if notice is None:
        raise NotTheirs("There is no such notice")
    return notice


def show_notice(session: Session, notice: PetNotice, *, officer: str, clock: Clock) -> None:
    """It may be seen by everybody; raises Refused once it is over."""
    _look(session, notice, clock=clock)
    is_news = notice.state is not NoticeState.SHOWN
    notice.state, notice.closed_at, notice.flagged_for = NoticeState.SHOWN, None, None
    if is_news:
        notice.renewed_at, notice.asked_at = clock.now(), None
        write_to_holder(session, notice, template="notice_news", clock=clock, what="shown")
    session.flush()
    record_event(session, "notice.shown", notice, actor=f"officer:{officer}", reference=notice.reference)


def take_notice_down(session: Session, notice: PetNotice, *, reason: str, officer: str, clock: Clock) -> None:
    """Nobody sees it any more, and whoever filed it is told why; raises Refused without a reason or once it is over."""
    why = said(reason, "notice", FOR_WHO_FILED_IT)
    _look(session, notice, clock=clock)
    notice.state, notice.closed_at = NoticeState.TAKEN_DOWN, clock.now()
    write_to_holder(session, notice, template="notice_news", clock=clock, what="taken_down", reason=why)
    session.flush()
    record_event(session, "notice.taken_down", notice, actor=f"officer:{officer}", reference=notice.reference)


def _look(session: Session, notice: PetNotice, *, clock: Clock) -> None:
    if notice.state not in LOOKABLE:
        raise Refused([Refusal(Rule.IMPOUNDING, IS_OVER)])
    notice.looked_at = notice.changed_at = clock.now()
    unseen = update(NoticeAbuse).where(NoticeAbuse.notice_id == notice.id, UNSEEN)
    session.execute(unseen.values(looked_at=clock.now()))
