"""What a notice may be about, for whoever filed it: found animals and the pound for a missing pet, and the other way.

Both sides of a pair are public already; that they are alike is told to nobody else.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import and_, or_, select, update
from sqlalchemy.orm import Session, aliased

from portal.gateways.clock import Clock
from portal.schema.impoundments import Impoundment
from portal.schema.notices import NoticeKind, NoticeMatch, NoticeState, PetNotice
from portal.services.notices.holder import WayToNotice, own_notice
from portal.services.notices.letters import HOLDER
from portal.services.notices.relay_matter import species_word
from portal.services.pound.at_the_pound import ON_SHOW
from portal.services.record_event import record_event_about
from portal.services.refusal import NotTheirs

_Other = aliased(PetNotice)


@dataclass(frozen=True)
class LikelyPet:
    """The other side of a pair: a notice by its reference, or an animal at the pound by its key."""

    match_id: UUID
    why: str
    looks: str
    reference: str | None
    impoundment_id: UUID | None


def likely_pets(session: Session, notice: PetNotice) -> list[LikelyPet]:
    """Those that still stand and that the owner did not call another, the likeliest first."""
    is_lost = notice.kind is NoticeKind.LOST
    own = NoticeMatch.lost_notice_id if is_lost else NoticeMatch.found_notice_id
    other = NoticeMatch.found_notice_id if is_lost else NoticeMatch.lost_notice_id
    wanted = (
        select(
            NoticeMatch.id,
            NoticeMatch.reasons,
            _Other.reference,
            _Other.species,
            _Other.color,
            _Other.breed,
            Impoundment.id,
            Impoundment.species,
            Impoundment.color,
            Impoundment.breed,
        )
        .outerjoin(_Other, _Other.id == other)
        .outerjoin(Impoundment, Impoundment.id == NoticeMatch.impoundment_id)
        .where(own == notice.id, NoticeMatch.dismissed_at.is_(None))
        .where(or_(_Other.state == NoticeState.SHOWN, and_(*ON_SHOW)))
        .order_by(NoticeMatch.score.desc(), NoticeMatch.created_at, NoticeMatch.id)
        .limit(20)
    )
    return [
        LikelyPet(key, ", ".join(reasons), _looks(*(pound if stay_id else said)), reference, stay_id)
        for key, reasons, reference, *said, stay_id, kind, color, breed in session.execute(wanted)
        for pound in [(kind, color, breed)]
    ]


def call_another(session: Session, way: WayToNotice, *, reference: str, match_id: UUID, clock: Clock) -> None:
    """The owner says that it is another animal: it is shown and told no more."""
    notice = own_notice(session, way, reference=reference)
    theirs = NoticeMatch.id == match_id, NoticeMatch.lost_notice_id == notice.id
    if session.scalar(select(NoticeMatch.id).where(*theirs)) is None:
        raise NotTheirs("No such pair")
    is_new = NoticeMatch.dismissed_at.is_(None)
    if session.scalar(
        update(NoticeMatch).where(*theirs, is_new).values(dismissed_at=clock.now()).returning(NoticeMatch.id)
    ):
        record_event_about(session, "pets.called_another", NoticeMatch.__tablename__, match_id, actor=HOLDER)


def _looks(species: str, color: str, breed: str) -> str:
    """Gray and white dog, beagle"""
    words = ", ".join(filter(None, (" ".join(filter(None, (color, species_word(species)))), breed)))
    return words[:1].upper() + words[1:]
